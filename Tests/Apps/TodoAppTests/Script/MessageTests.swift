import Testing

@testable import TodoApp

@Suite("Messages")
struct MessageTests {
    @Test("The doctor's exit code is that of the first thing that failed; warnings do not count")
    func doctor() {
        var report = DoctorReport()
        #expect(report.exitCode == .done)
        report.add("terminal", .warning, "w", failure: .usage)
        #expect(report.exitCode == .done)
        report.add("todos", .failed, "d", failure: .data)
        report.add("pictures", .failed, "n", failure: .network)
        #expect(report.exitCode == .data)
    }

    @Test("The doctor's lines are in columns, and its document has names, states and details")
    func doctorText() throws {
        var report = DoctorReport()
        report.add("data", .ok, "/d")
        report.add("terminal", .warning, "none")
        #expect(report.text == "data      ok       /d\nterminal  warning  none\n")
        #expect(
            try jsonDocument(report) == """
                {
                  "checks" : [
                    {
                      "detail" : "/d",
                      "name" : "data",
                      "status" : "ok"
                    },
                    {
                      "detail" : "none",
                      "name" : "terminal",
                      "status" : "warning"
                    }
                  ]
                }

                """
        )
    }
}
