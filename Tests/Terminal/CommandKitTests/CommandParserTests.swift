import CommandKit
import Testing

@Suite("Command parser")
struct CommandParserTests {
    private func parse(_ arguments: [String]) throws -> ParsedCommand<Sample.Verb> {
        guard case .run(let parsed) = try Sample.table.parse(arguments) else {
            throw UsageError.unknownCommand("a text was printed", nearest: nil)
        }
        return parsed
    }

    private func error(_ arguments: [String]) -> UsageError? {
        do throws(UsageError) {
            _ = try Sample.table.parse(arguments)
            return nil
        } catch {
            return error
        }
    }

    @Test("Without words the unnamed command runs")
    func unnamed() throws {
        #expect(try parse([]).verb == .screen)
        #expect(try parse(["--data", "todo"]).verb == .screen)
    }

    @Test(
        "Of two commands that begin with the same words, the one with more of them runs",
        arguments: [[0, 1], [1, 0]]
    )
    func longestName(order: [Int]) throws {
        let commands = [
            Command(0, words: ["todo"], summary: "one"), Command(1, words: ["todo", "list"], summary: "two"),
        ]
        let table = CommandTable<Int>(program: "tool", summary: "a tool", commands: order.map { commands[$0] })
        for (words, verb) in [(["todo"], 0), (["todo", "list"], 1)] {
            guard case .run(let parsed) = try table.parse(words) else {
                throw UsageError.unexpectedOperand("", command: "")
            }
            #expect(parsed.verb == verb)
        }
    }

    @Test("Options may stand anywhere, with a space or an equals sign")
    func optionsAnywhere() throws {
        let parsed = try parse(["--data=/tmp/x", "todo", "--due", "fri", "add", "buy", "--context=a=b", "milk"])
        #expect(parsed.verb == .add)
        #expect(parsed.operands == ["buy", "milk"])
        #expect(parsed.value("due") == "fri")
        #expect(parsed.value("context") == "a=b")
        #expect(parsed.value("data") == "/tmp/x")
        #expect(!parsed.has("color") && parsed.value("color") == nil)
    }

    @Test("An option whose placeholder has two words takes two values")
    func severalValues() throws {
        #expect(try parse(["--between", "path", "todo", "path"]).allValues("between") == ["path", "todo"])
        #expect(try parse(["path", "--between=a", "b"]).allValues("between") == ["a", "b"])
        #expect(try parse(["--between=a", "todo", "path"]).allValues("between") == ["a", "todo"])
        guard case .missingValue(let option) = error(["path", "--between", "a"]) else {
            Issue.record("one value was accepted")
            return
        }
        #expect(option.usage == "--between FROM TO")
    }

    @Test("Two dashes end the options, and one dash is an operand")
    func endOfOptions() throws {
        #expect(try parse(["todo", "add", "--", "--due", "-x"]).operands == ["--due", "-x"])
        #expect(try parse(["todo", "add", "-"]).operands == ["-"])
    }

    @Test("Only repeatable options may occur twice")
    func repetition() throws {
        let parsed = try parse(["todo", "add", "x", "--context", "a", "--context", "b"])
        #expect(parsed.allValues("context") == ["a", "b"])
        guard case .repeated(let option) = error(["todo", "add", "x", "--due", "fri", "--due", "mon"]) else {
            Issue.record("a second --due was accepted")
            return
        }
        #expect(option.name == "due")
    }

    @Test(
        "For an unknown command the nearest one is suggested",
        arguments: [
            (["tod", "list"], "todo"), (["drwa"], "draw"), (["add", "milk"], "todo add"),
            (["todo", "lsit"], "todo list"),
            (["todo", "don", "x"], "todo done"), (["lst"], "todo list"),
        ]
    )
    func nearestCommand(words: [String], expected: String) {
        guard case .unknownCommand(_, let nearest) = error(words) else {
            Issue.record("\(words) was accepted")
            return
        }
        #expect(nearest == expected)
    }

    @Test(
        "For an unknown option the nearest one is suggested, and never a hidden one",
        arguments: [
            (["draw", "--stlye", "x"], "--style"), (["draw", "--colour", "x"], "--color"),
            (["draw", "-help"], "--help"), (["--dat", "/tmp", "todo", "lst"], "--data"),
            (["--dta=x", "lst"], "--data"),
            (["draw", "--secrte"], nil), (["draw", "--qqq"], nil),
        ]
    )
    func nearestOption(arguments: [String], expected: String?) {
        guard case .unknownOption(_, let nearest) = error(arguments) else {
            Issue.record("\(arguments) was accepted")
            return
        }
        #expect(nearest == expected)
    }

    @Test(
        "Each error says what is valid",
        arguments: [
            (["zzzzzz"], "there is no command \"zzzzzz\"; --help lists them all"),
            (["todo", "add", "x", "--due"], "--due needs a value: --due DATE"),
            (["todo", "list", "--all=yes"], "--all does not take a value"),
            (["draw", "--style", "crayon"], "--style cannot be \"crayon\"; it is one of plain, bold"),
            (["todo", "done"], "todo done needs ID..."), (["todo"], "todo needs one of list, add, done"),
            (["draw", "a", "b", "c"], "draw does not take \"b\""), (["path", "who"], "path does not take \"who\""),
            (["path", "--style", "long"], "path needs --between FROM TO"),
            (["draw", "--\u{1B}[31m"], "there is no option \"--\\u{1B}[31m\" here; --help lists them all"),
        ]
    )
    func messages(arguments: [String], message: String) {
        #expect(error(arguments)?.description == message)
    }

    @Test("A program with one unnamed command takes all words as operands", arguments: [["a", "b"], ["run", "x"]])
    func onlyOperands(words: [String]) throws {
        let table = CommandTable<Int>(
            program: "tool",
            summary: "a tool",
            commands: [Command(0, operands: .oneOrMore("FILE"), summary: "run")]
        )
        guard case .run(let parsed) = try table.parse(words + ["-"]) else {
            Issue.record("a text was printed")
            return
        }
        #expect(parsed.operands == words + ["-"])
        #expect(throws: UsageError.missingOperand(command: "tool", operand: "FILE...")) { try table.parse([]) }
    }

    @Test("Help, version, completions and manual are printed before operands are required")
    func printing() throws {
        let group = "pets-2 todo COMMAND"
        for arguments in [
            ["todo", "--help"], ["help", "todo"], ["todo", "help"], ["todo", "--data", "x", "-h"],
            ["--data", "x", "todo", "help"],
            ["--data", "x", "todo", "--help"], ["--data", "x", "help", "todo"],
        ] {
            guard case .print(let text) = try Sample.table.parse(arguments), text.hasPrefix(group) else {
                Issue.record("\(arguments) does not print the help of the group")
                continue
            }
        }
        for (option, expected) in [
            ("--help", "pets-2 todo done"), ("-h", "pets-2 todo done"), ("--version", "pets-2 0.1.0\n"),
            ("--completions=bash", "# bash"), ("--manual", ".TH"),
        ] {
            // A second flag changes nothing.
            let second = option.contains("=") ? [] : [option]
            guard case .print(let text) = try Sample.table.parse(["todo", "done", option] + second) else {
                Issue.record("\(option) runs a command")
                continue
            }
            #expect(text.hasPrefix(expected))
        }
        guard case .print(let help) = try Sample.table.parse(["help", "help"]) else {
            Issue.record("help help runs a command")
            return
        }
        #expect(help.hasPrefix("pets-2"))
        #expect(error(["--completions", "ksh"])?.description.hasSuffix("one of bash, zsh, fish") == true)
    }

    @Test("Without a version there is no option for it")
    func noVersion() {
        let table = CommandTable<Int>(program: "tool", summary: "a tool", commands: [Command(0, summary: "run")])
        #expect(throws: UsageError.self) { try table.parse(["--version"]) }
    }
}
