import Testing

@testable import TodoApp

@Suite("Command line")
struct CommandLineParserTests {
    private let parser = CommandLineParser(definitions: CommandDefinition.all)

    private func error(_ arguments: String...) -> UsageError? {
        do {
            let parsed = try parser.parse(arguments)
            Issue.record("\(arguments) was taken as \(parsed.definition.verb)")
            return nil
        } catch {
            return error
        }
    }

    @Test("No words at all ask for the full-screen app")
    func screen() throws {
        #expect(try parser.parse([]).definition.verb == .screen)
        #expect(try parser.parse(["--data-dir", "todo", "--plain"]).definition.verb == .screen)
    }

    @Test("Every command of the table is found by its own words", arguments: CommandDefinition.all.map(\.words))
    func everyCommand(words: [String]) throws {
        let parsed = try parser.parse(words + ["--help"])
        #expect(parsed.definition.words == words)
    }

    @Test("Options may stand anywhere, with a space or an equals sign")
    func optionsAnywhere() throws {
        let parsed = try parser.parse(["--data-dir=/tmp/x", "todo", "--due", "fri", "add", "buy", "--note=a=b", "milk"])
        #expect(parsed.definition.verb == .add)
        #expect(parsed.operands == ["buy", "milk"])
        #expect(parsed.value("due") == "fri")
        #expect(parsed.value("note") == "a=b")
        #expect(parsed.value("data-dir") == "/tmp/x")
    }

    @Test("Two dashes end the options, and one alone is an operand")
    func endOfOptions() throws {
        #expect(try parser.parse(["todo", "add", "--", "--due", "-x"]).operands == ["--due", "-x"])
        #expect(try parser.parse(["todo", "add", "-"]).operands == ["-"])
    }

    @Test("Contexts may be repeated, and other options may not")
    func repetition() throws {
        let parsed = try parser.parse(["todo", "add", "x", "--context", "a", "--context", "b"])
        #expect(parsed.allValues("context") == ["a", "b"])
        guard case .repeated(let option) = error("todo", "add", "x", "--due", "fri", "--due", "mon") else {
            Issue.record("a second --due was taken")
            return
        }
        #expect(option.name == "due")
    }

    @Test(
        "A mistyped command is answered with the nearest one",
        arguments: [
            (["tod", "list"], "todo"), (["pictrue"], "picture"), (["add", "milk"], "todo add"),
            (["todo", "lsit"], "todo list"), (["todo", "undon", "x"], "todo undone"), (["docter"], "doctor"),
            (["lst"], "todo list"),
        ]
    )
    func nearestCommand(words: [String], meant: String) {
        do {
            _ = try parser.parse(words)
            Issue.record("\(words) was taken")
        } catch {
            guard case .unknownCommand(_, let nearest) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(nearest == meant)
        }
    }

    @Test(
        "A mistyped option is answered with the nearest one",
        arguments: [
            ("--jsno", "--json"), ("--projet", "--project"), ("--colour", "--color"), ("-json", "--json"),
        ]
    )
    func nearestOption(word: String, meant: String) {
        guard case .unknownOption(_, let nearest) = error("todo", "add", "x", word) else {
            Issue.record("not told as an unknown option")
            return
        }
        #expect(nearest == meant)
    }

    @Test("A word like no other gets no wild guess")
    func noGuess() {
        #expect(error("zzzzzz") == .unknownCommand("zzzzzz", nearest: nil))
        #expect(error("picture", "--qqq") == .unknownOption("--qqq", nearest: nil))
    }

    @Test(
        "Missing, needless and wrong values are told apart",
        arguments: [
            (["todo", "add", "x", "--due"], "--due wants a value"),
            (["todo", "list", "--json=yes"], "--json takes no value"),
            (["picture", "--draw", "crayon"], "--draw cannot be \"crayon\""),
            (["todo", "done"], "todo done wants ID"),
            (["todo"], "todo wants one of list"),
            (["todo", "edit", "a", "b"], "todo edit does not take \"b\""),
            (["doctor", "who"], "doctor does not take \"who\""),
        ]
    )
    func values(arguments: [String], beginning: String) {
        #expect { try parser.parse(arguments) } throws: { "\($0)".hasPrefix(beginning) }
    }

    @Test("Control characters of a wrong word are written out in the message")
    func messagesArePrintable() {
        let message = error("todo", "add", "x", "--\u{1B}[31m").map { "\($0)" } ?? ""
        #expect(message.contains("\\u{1B}"))
        #expect(!message.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test("Help and version are answered before operands are missed")
    func helpFirst() throws {
        #expect(try parser.parse(["todo", "done", "--help"]).has("help"))
        #expect(try parser.parse(["todo", "done", "-h"]).has("help"))
    }

    @Test("The overview names every command and every global option")
    func overview() {
        let text = HelpText(program: "Dog", definitions: CommandDefinition.all).overview()
        for definition in CommandDefinition.all {
            #expect(text.contains(definition.words.joined(separator: " ")))
            #expect(text.contains(definition.summary))
        }
        for option in CommandOption.global { #expect(text.contains(option.usage)) }
    }
}
