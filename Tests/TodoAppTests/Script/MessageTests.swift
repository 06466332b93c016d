import Testing

@testable import TodoApp

@Suite("Messages")
struct MessageTests {
    @Test("No line of any help is wider than a terminal of 80 columns")
    func helpWidth() {
        let help = HelpText(program: "Dog", definitions: CommandDefinition.all)
        for text in [help.overview()] + CommandDefinition.all.map(help.help) {
            for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }

    @Test("A command's help names its options, its examples and the exit codes' page")
    func commandHelp() throws {
        let help = HelpText(program: "Dog", definitions: CommandDefinition.all)
        for definition in CommandDefinition.all where !definition.words.isEmpty {
            let text = help.help(for: definition)
            #expect(text.hasPrefix("Dog \(definition.words.joined(separator: " "))"))
            for option in definition.options { #expect(text.contains(option.usage)) }
            for example in definition.examples { #expect(text.contains("  Dog \(example)")) }
        }
    }

    @Test(
        "What a terminal would act on is written out",
        arguments: [
            ("plain 우유 🐶", "plain 우유 🐶"), ("\u{1B}[31m", "\\u{1B}[31m"), ("a\nb\tc\0", "a\\u{A}b\\u{9}c\\u{0}"),
            ("\u{9B}2J\u{7F}", "\\u{9B}2J\\u{7F}"), ("\u{202E}x\u{2066}y\u{2028}", "\\u{202E}x\\u{2066}y\\u{2028}"),
            ("\u{200E}x\u{200F}\u{61C}", "\\u{200E}x\\u{200F}\\u{61C}"),
        ]
    )
    func printing(text: String, shown: String) {
        #expect(printable(text) == shown)
    }

    @Test("A long text is cut with an ellipsis, and one of just the limit is not")
    func cut() {
        #expect(printable(String(repeating: "a", count: 80)) == String(repeating: "a", count: 80))
        #expect(printable(String(repeating: "a", count: 81)) == String(repeating: "a", count: 80) + "…")
        #expect(printable("abc", limit: 0) == "…")
    }

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

    @Test("The doctor's lines stand in columns, and its document has names, states and details")
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
