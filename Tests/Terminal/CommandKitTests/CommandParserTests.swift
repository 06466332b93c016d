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

    /// `todo add` takes a value after the letter that is a flag of `todo list`.
    private static let letters = CommandTable<Sample.Verb>(
        program: "tool",
        summary: "a tool",
        commands: [
            Command(
                .add,
                words: ["todo", "add"],
                operands: .any("TEXT"),
                options: [CommandOption("number", letter: "n", value: "N", help: "how many")],
                summary: "add a todo"
            ),
            Command(
                .list,
                words: ["todo", "list"],
                options: [
                    CommandOption("all", letter: "a", help: "all of them"),
                    CommandOption("newest", letter: "n", help: "the newest first"),
                    CommandOption("sort", letter: "s", value: "KEY", help: "the order", choices: ["date", "title"]),
                    CommandOption("tag", letter: "t", value: "TAG", help: "a tag", isRepeatable: true),
                    CommandOption("between", letter: "b", value: "FROM TO", help: "the days"),
                ],
                summary: "list the todos"
            ),
        ]
    )

    @Test(
        "The letters of options may be joined with each other and with the value of the last one",
        arguments: [
            (["-sdate"], ["sort": ["date"]]), (["-s=date"], ["sort": ["date"]]), (["-t", "-5"], ["tag": ["-5"]]),
            (["-as", "date"], ["all": [""], "sort": ["date"]]), (["-an"], ["all": [""], "newest": [""]]),
            (["-atshop", "-thome=a", "-t=-b"], ["all": [""], "tag": ["shop", "home=a", "-b"]]),
            (["-nba", "b"], ["newest": [""], "between": ["a", "b"]]),
            (["-ab", "c", "d"], ["all": [""], "between": ["c", "d"]]),
        ]
    )
    func joinedLetters(options: [String], values: [String: [String]]) throws {
        // The values of options that stand before the name are not taken for its words.
        for arguments in [["todo", "list"] + options, options + ["todo", "list"], ["todo"] + options + ["list"]] {
            guard case .run(let parsed) = try Self.letters.parse(arguments) else {
                Issue.record("\(arguments) prints a text")
                continue
            }
            for name in ["all", "newest", "sort", "tag", "between"] {
                #expect(parsed.allValues(name) == values[name], "\(arguments)")
            }
        }
    }

    @Test(
        "Joined letters that are not valid throw the error of the option, and a long name behind one dash is not a value",
        arguments: [
            ("-az", "there is no option \"-az\" here; --help lists them all"),
            ("-5", "there is no option \"-5\" here; --help lists them all"),
            ("-sort", "there is no option \"-sort\" here; did you mean \"--sort\"?"),
            ("-alp", "there is no option \"-alp\" here; did you mean \"--all\"?"),
            ("-as", "--sort needs a value: --sort KEY"), ("-ba", "--between needs a value: --between FROM TO"),
            ("-aa", "--all occurs twice; write it once"), ("-na=x", "--all does not take a value"),
            ("-asize", "--sort cannot be \"ize\"; it is one of date, title"),
        ]
    )
    func invalidLetters(word: String, message: String) {
        let error = #expect(throws: UsageError.self) { try Self.letters.parse(["todo", "list", word]) }
        #expect(error?.description == message)
    }

    @Test(
        "A letter before the name takes a value if it does so in the command of that name",
        arguments: [
            (["todo", "-n", "list"], nil), (["-n", "todo", "list"], nil), (["todo", "-an", "list"], nil),
            (["todo", "-n", "3", "add"], "3"), (["-n3", "todo", "add"], "3"), (["-n", "list", "todo", "add"], "list"),
        ]
    )
    func lettersOfCommands(arguments: [String], number: String?) throws {
        guard case .run(let parsed) = try Self.letters.parse(arguments) else {
            Issue.record("a text was printed")
            return
        }
        #expect(parsed.verb == (number == nil ? .list : .add))
        #expect(parsed.value("number") == number && parsed.has("newest") == (number == nil))
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
            ["--data", "x", "todo", "--help"], ["--data", "x", "help", "todo"], ["todo", "-hh"],
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
