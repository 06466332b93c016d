import Foundation
import TestSupport
import Testing

@Suite("layout-replay")
struct CommandTests {
    private static let tool = ChildProcess.productsDirectory.appendingPathComponent("layout-replay")
    private static let good = """
        {"case":"two boxes"}
        {"vars":["x"]}
        {"add":"a","terms":[["x",1]],"relation":"eq","constant":4}
        {"expect":{"x":4}}

        """
    private static let bad = good + "{\"expect\":{\"x\":5},\"tolerance\":0.5}\n{\"violation\":{\"1000\":1}}\n"

    private func run(_ arguments: [String], input: String = "", in folder: TemporaryDirectory) async throws
        -> ChildResult
    {
        try await ChildProcess.run(Self.tool, arguments, input: Data(input.utf8), in: folder.url)
    }

    @Test("The exit status is 0 if all files held, and they are counted")
    func held() async throws {
        let folder = try TemporaryDirectory("replay")
        try Data(Self.good.utf8).write(to: folder.file("good.jsonl"))
        try Data().write(to: folder.file("empty.jsonl"))
        let result = try await run(["good.jsonl", "empty.jsonl"], in: folder)
        #expect(result.status == 0 && result.output == "2 files, 3 steps, all held\n")
        #expect(result.errors.isEmpty)
        let verbose = try await run(["--verbose", "good.jsonl"], in: folder)
        #expect(verbose.output == "good.jsonl: 3 steps held (two boxes)\n1 file, 3 steps, all held\n")
    }

    @Test("The exit status is 1 if something did not hold; file and line are printed, and the other files run")
    func failed() async throws {
        let folder = try TemporaryDirectory("replay")
        try Data(Self.bad.utf8).write(to: folder.file("bad.jsonl"))
        try Data(Self.good.utf8).write(to: folder.file("good.jsonl"))
        let result = try await run(["bad.jsonl", "good.jsonl"], in: folder)
        #expect(result.status == 1)
        #expect(
            result.output == """
                bad.jsonl:5: x is 4.0, not 5.0 (two boxes)
                bad.jsonl:6: priority 1000 is violated by 0.0, not 1.0 (two boxes)
                2 files, 8 steps, 1 did not hold

                """
        )
    }

    @Test(
        "The exit status is 2 for a file that cannot be read; the reason and the line are printed",
        arguments: [
            ("missing.jsonl", nil, "missing.jsonl: there is no such file"),
            (".", nil, ".: it is a folder; pass its files"),
            ("text.jsonl", "x = 4\n", "text.jsonl:1: not JSON at column 1"),
            ("member.jsonl", "{\"vars\":[]}\n{\"frob\":1}\n", "member.jsonl:2: unknown member \"frob\""),
            (
                "type.jsonl", "{\"vars\":[]}\n{\"suggest\":\"x\",\"value\":\"1\"}\n",
                "type.jsonl:2: \"value\" must be a number"
            ),
        ] as [(String, String?, String)]
    )
    func unreadable(_ file: String, _ text: String?, _ why: String) async throws {
        let folder = try TemporaryDirectory("replay")
        if let text { try Data(text.utf8).write(to: folder.file(file)) }
        try Data(Self.bad.utf8).write(to: folder.file("bad.jsonl"))
        let result = try await run(["bad.jsonl", file], in: folder)
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("layout-replay: \(why)"), "\(result.errors)")
        #expect(result.output.contains("bad.jsonl:5:"), "the readable file runs")
        #expect(result.output.contains("1 could not be read"))
    }

    @Test("Standard input is read, help is printed, and invalid arguments are refused")
    func usage() async throws {
        let folder = try TemporaryDirectory("replay")
        let input = try await run(["-"], input: Self.bad, in: folder)
        #expect(input.status == 1 && input.output.hasPrefix("standard input:5: x is 4.0"))
        let help = try await run(["--help"], in: folder)
        #expect(help.status == 0)
        #expect(help.output.contains("Exit codes: 0 all held, 1 something did not hold, 2 a file could not be read"))
        let nothing = try await run([], in: folder)
        #expect(nothing.status == 2)
        let option = try await run(["--frob", "x"], in: folder)
        #expect(option.status == 2 && option.errors.contains("there is no option \"--frob\""))
    }

    @Test("Control characters in names from a file are escaped")
    func controlCharacters() async throws {
        let folder = try TemporaryDirectory("replay")
        let text = "{\"case\":\"\\u001b[31m\"}\n{\"expect\":{\"\\u001b]0;x\\u0007\":1}}\n"
        try Data(text.utf8).write(to: folder.file("escape.jsonl"))
        let result = try await run(["escape.jsonl"], in: folder)
        #expect(result.status == 1)
        #expect(!result.standardOutput.contains(0x1B))
        #expect(result.output.contains("\\u{1B}[31m"))
    }
}
