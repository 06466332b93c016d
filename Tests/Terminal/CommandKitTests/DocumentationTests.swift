import CommandKit
import TestSupport
import Testing

@Suite("CommandKit's documentation")
struct CommandKitDocumentationTests {
    @Test("The examples of the landing page compile and run")
    func examples() throws {
        var output = ""
        enum Verb: Hashable, Sendable { case list, add }

        let table = CommandTable<Verb>(
            program: "notes",
            summary: "short notes in a file",
            version: "1.0",
            commands: [
                Command(
                    .list,
                    words: ["list"],
                    options: [CommandOption("all", help: "include archived notes")],
                    summary: "list the notes",
                    examples: ["list --all"]
                ),
                Command(
                    .add,
                    words: ["add"],
                    operands: .oneOrMore("TEXT"),
                    options: [CommandOption("tag", letter: "t", value: "TAG", help: "add a tag", isRepeatable: true)],
                    summary: "add a note",
                    examples: ["add Buy milk --tag shop"]
                ),
            ],
            options: [CommandOption("file", value: "FILE", help: "the file", completion: .files)],
            exitStatuses: [.init(0, "done"), .init(2, "invalid arguments")]
        )
        switch try table.parse(["add", "Buy", "milk", "-t", "shop"]) {
        case .print(let text): output += text
        case .run(let parsed):
            switch parsed.verb {
            case .list: output += parsed.has("all") ? "all notes" : "open notes"
            case .add:
                let tags = parsed.allValues("tag") ?? []
                output += (parsed.operands + tags.map { "#\($0)" }).joined(separator: " ")
            }
        }
        #expect(output == "Buy milk #shop")
        // What the table of options and the installation of the completions promise.
        for (arguments, beginning) in [
            (["--help"], "notes: short notes"), (["help"], "notes: short notes"), (["-h", "--file", "x"], "notes: "),
            (["--version"], "notes 1.0"), (["--completions", "bash"], "# bash"), (["--manual"], ".TH"),
        ] {
            guard case .print(let text) = try table.parse(arguments), text.hasPrefix(beginning) else {
                Issue.record("\(arguments) does not print \(beginning)")
                continue
            }
        }
        let missing = UsageError.missingOperand(command: "notes", operand: "one of list, add")
        for arguments in [[], ["--file", "x"], ["--"]] {
            #expect(throws: missing) { try table.parse(arguments) }
        }
        #expect(throws: UsageError.unknownOption("--flie", nearest: "--file")) { try table.parse(["--flie"]) }
    }

    @Test("Every example of the landing page is in this file")
    func completeness() throws {
        #expect(try DocumentedExamples(of: "CommandKit", count: 2).missing == [])
    }
}
