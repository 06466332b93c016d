import CommandKit
import Testing
import TodoCore

@testable import TodoApp

@Suite("The app's commands")
struct AppCommandsTests {
    private let table = AppCommands.table(program: "Dog", animal: "dog", version: "1.2")

    private func parse(_ arguments: [String]) throws -> AppCommand {
        guard case .run(let command) = try table.parse(AppCommands.expandingRemovals(arguments, table)) else {
            throw UsageError.unexpectedOperand("text", command: "Dog")
        }
        return command
    }

    @Test("Without a command the full-screen app runs")
    func screen() throws {
        #expect(try parse([]).verb == .screen)
        #expect(try parse(["--data-dir", "todo", "--plain"]).verb == .screen)
    }

    @Test("The table has every verb once, and each command is found by its words")
    func everyCommand() throws {
        #expect(
            Set(table.commands.map(\.verb)) == Set(AppVerb.allCases) && table.commands.count == AppVerb.allCases.count
        )
        for command in table.commands {
            let operands =
                (command.operands.minimum > 0 ? ["x"] : [])
                + command.options.filter(\.isRequired).flatMap { ["--\($0.name)", "x"] }
            #expect(try parse(command.words + operands).verb == command.verb)
        }
    }

    @Test("Every example in the help is a valid command line")
    func examples() throws {
        for command in table.commands {
            for example in command.examples where !example.contains("'") {
                #expect(try parse(example.split(separator: " ").map(String.init)).verb == command.verb)
            }
        }
    }

    @Test("Every format that can be imported can be named")
    func formats() throws {
        for format in TodoFileFormat.importable {
            #expect(try parse(["todo", "import", "--format", "\(format)"]).value("format") == "\(format)")
        }
    }

    @Test("Contexts may be repeated, and other fields may not")
    func repetition() throws {
        let parsed = try parse(["todo", "add", "x", "--context", "a", "--context", "b"])
        #expect(parsed.allValues("context") == ["a", "b"])
        #expect(throws: UsageError.self) { try parse(["todo", "add", "x", "--due", "fri", "--due", "mon"]) }
        #expect(try parse(["sync", "add", "u", "--list", "a", "--list", "b"]).allValues("list") == ["a", "b"])
    }

    @Test("A word with a dash removes a label, or is a number, also behind the options of the program")
    func dashes() throws {
        for options in [[], ["--data-dir", "todo"], ["--plain", "--language", "ko"]] {
            #expect(try parse(options + ["todo", "edit", "k7", "-work"]).allValues("without") == ["work"])
            for words in [["-h"], ["k7", "-h"]] {
                #expect(throws: UsageError.unexpectedOperand("text", command: "Dog"), "the help") {
                    try parse(options + ["todo", "edit"] + words)
                }
            }
            #expect(try parse(options + ["config", "set", "urgency.blocked", "-20"]).operands.last == "-20")
        }
    }

    @Test(
        "Mistyped commands and options are suggested",
        arguments: [
            (["tod", "list"], "todo"), (["pictrue"], "picture"), (["add", "milk"], "todo add"),
            (["todo", "undon", "x"], "todo undone"), (["docter"], "doctor"), (["lst"], "todo list"),
            (["todo", "add", "x", "--jsno"], "--json"), (["todo", "add", "x", "--projet", "p"], "--project"),
            (["todo", "add", "x", "--colour", "c"], "--color"), (["todo", "add", "x", "-json"], "--json"),
        ]
    )
    func suggestions(words: [String], expected: String) {
        #expect { try parse(words) } throws: { "\($0)".hasSuffix("; did you mean \"\(expected)\"?") }
    }

    @Test("The usage says which words are several operands, which are one text, and which options are required")
    func usage() {
        let usages = Dictionary(uniqueKeysWithValues: table.commands.map { ($0.name, $0.operands.usage) })
        #expect(usages["todo edit"] == "ID [TEXT...]" && usages["todo done"] == "ID...")
        #expect(usages["todo annotate"] == "ID TEXT..." && usages["todo query"] == "[NAME [QUERY...]]")
        for name in ["add", "rename", "rm"] { #expect(usages["lists \(name)"] == "NAME") }
        for (words, message) in [
            (["lists", "rename", "Work"], "lists rename needs --to NAME"),
            (["todo", "restore", "k7"], "todo restore needs --change N"),
        ] {
            #expect { try parse(words) } throws: { "\($0)" == message }
        }
    }

    @Test("The help names every value of an option that has few, every screen and every kind of names")
    func values() {
        for option in table.options + table.commands.flatMap(\.options) {
            for choice in option.choices { #expect(option.help.contains(choice), "--\(option.name): \(choice)") }
        }
        let names = table.commands.first { $0.verb == .names }
        for kind in NameKind.allCases { #expect(names?.summary.contains(kind.rawValue) == true) }
    }

    @Test("No line of any help is wider than 80 columns")
    func helpWidth() {
        for text in [table.help()] + table.commands.map(table.help) {
            for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }
}
