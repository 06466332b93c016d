import CommandKit
import Foundation
import TestSupport
import Testing

@Suite("Shell completions")
struct CompletionTests {
    /// Prints what the completions of zsh offer, instead of showing it beside the cursor.
    private static let zshFunctions = """
        compdef() { }
        compadd() { shift; print -rl -- "$@" }
        compset() { print -r -- compset "$@" }
        _files() { print -r -- files "$@" }
        _message() { print -r -- "$1?" }
        _describe() { [[ "$1" == -o ]] && shift; print -rl -- "${(P@)2}" }
        source "$0"
        """

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write("", to: "my file.txt")
        let path = folder.file("my folder")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
    }

    private static func path(of shell: Shell) -> String? {
        ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + shell.rawValue }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Returns what a shell offers for the last word of a line; zsh the functions that would offer it.
    private func complete(
        _ words: [String],
        in shell: Shell,
        _ table: CommandTable<some Hashable & Sendable> = Sample.table
    ) async throws -> [String] {
        let file = folder.file("completions")
        try Data(table.completions(for: shell).utf8).write(to: file)
        let quoted = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        let script =
            switch shell {
            case .bash:
                """
                source "$0"
                COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
                _pets_2
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            case .zsh: Self.zshFunctions + "\nwords=(\(quoted)); CURRENT=\(words.count); _pets_2"
            case .fish: "source completions; complete -C '\(words.joined(separator: " "))'"
            }
        let path = try #require(Self.path(of: shell))
        let arguments = shell == .bash ? ["--norc", "-c", script, file.path] : ["-c", script, file.path]
        let result = try await ChildProcess.run(
            URL(fileURLWithPath: path),
            arguments,
            environment: ["PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path],
            in: folder.url
        )
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(
        "bash completes commands, options and values",
        arguments: [
            (["pets-2", ""], ["todo", "draw", "path"]), (["pets-2", "t"], ["todo"]),
            (["pets-2", "todo", ""], ["list", "add", "done"]), (["pets-2", "--data", "x", "todo", "l"], ["list"]),
            (["pets-2", "todo", "list", "--f"], ["--filter"]), (["pets-2", "todo", "list", "--due"], []),
            (["pets-2", "draw", "--style", ""], ["plain", "bold"]), (["pets-2", "--color", "a"], ["auto", "always"]),
            (["pets-2", "--color", "=", "n"], ["never"]), (["pets-2", "--color", "="], ["auto", "always", "never"]),
            (["pets-2", "todo", "add", "--due", ""], []), (["pets-2", "draw", "--sec"], []),
            (["pets-2", "--between", "todo", "list", "pa"], ["path"]), (["pets-2", "--comp"], ["--completions"]),
            (["pets-2", "draw", "my"], ["my file.txt", "my folder"]), (["pets-2", "--data", "my"], ["my folder"]),
            (["pets-2", "draw", "\"my fi"], ["my file.txt"]), (["pets-2", "path", "--style", ""], ["short", "long"]),
            (["pets-2", "todo", "done", "--style", ""], []),
            (["pets-2", "--color", "=", "never", "todo", "l"], ["list"]),
            (["pets-2", "--data", "http", ":", "//h", ":", "80", "todo", "l"], ["list"]),
            (["pets-2", "--data", "=", "a", "@", "b", "todo", "l"], ["list"]),
            (["pets-2", "--between", "=", "todo", "list", "pa"], ["path"]), (["pets-2", "--", "t"], []),
            (["pets-2", "draw", "--", "--style", "my"], ["my file.txt", "my folder"]),
            (["pets-2", "draw", "--", "--"], []), (["pets-2", "--data", "--", "draw", "--st"], ["--style"]),
        ]
    )
    func bash(words: [String], expected: [String]) async throws {
        #expect(try await complete(words, in: .bash).sorted() == expected.sorted())
    }

    @Test(
        "zsh completes commands, options, values and operands",
        .enabled(if: path(of: .zsh) != nil),
        arguments: [
            (["pets-2", ""], ["todo:commands for todo", "draw:draw a picture", "path:find a path"]),
            (["pets-2", "--data", "x", "todo", ""], ["list:list the todos", "add:add a todo", "done:complete todos"]),
            (
                ["pets-2", "--between", "todo", "list", "path", "--"],
                ["--between", "--style", "--data", "--color", "--version", "--help", "--completions", "--manual"]
            ),
            (["pets-2", "draw", "--style", ""], ["plain", "bold"]), (["pets-2", "--data", ""], ["files -/"]),
            (["pets-2", "todo", "add", "--due", ""], ["DATE?"]), (["pets-2", "draw", ""], ["files"]),
            (["pets-2", "draw", "a", "b"], ["files"]), (["pets-2", "todo", "add", ""], []),
            (["pets-2", "path", ""], []), (["pets-2", "path", "--style", ""], ["short", "long"]),
            (["pets-2", "todo", "done", "--style", ""], []),
            (["pets-2", "--between=todo", "list", "path", "--style", ""], ["short", "long"]),
            (["pets-2", "path", "--style=s"], ["compset -P 1 *=", "short", "long"]),
            (["pets-2", "todo", "list", "--all="], ["compset -P 1 *="]), (["pets-2", "--", ""], []),
            (["pets-2", "draw", "--", "--style", ""], ["files"]), (["pets-2", "todo", "add", "--", "--"], []),
        ]
    )
    func zsh(words: [String], expected: [String]) async throws {
        let lines = try await complete(words, in: .zsh)
        #expect(words.last == "--" ? lines.map { String($0.prefix { $0 != ":" }) } == expected : lines == expected)
    }

    @Test(
        "fish completes commands, options and values, and shows the help beside them",
        .enabled(if: path(of: .fish) != nil),
        arguments: [
            (["pets-2", "todo", "l"], ["list\tlist the todos"]),
            (["pets-2", "draw", "--style", "b"], ["bold\tthe style"]),
            (["pets-2", "--color", ""], ["always", "auto", "never"].map { $0 + "\tauto, always or never" }),
            (["pets-2", "todo", "add", "--d"], ["--data\tthe folder", "--due\tthe day"]),
            (["pets-2", "draw", "my"], ["my file.txt", "my folder/"]), (["pets-2", "path", "my"], []),
            (["pets-2", "draw", "--sec"], []), (["pets-2", "path", "--sec"], []),
            (["pets-2", "path", "--style", "s"], ["short\tthe kind"]), (["pets-2", "--data", "draw", "my"], []),
            (["pets-2", "--data=x", "--between", "todo", "list", "pa"], ["path\tfind a path"]),
            (["pets-2", "todo", "add", "list", "--f"], []), (["pets-2", "--", "dr"], []),
            (["pets-2", "draw", "--", "--style", "my"], ["my file.txt", "my folder/"]),
        ]
    )
    func fish(words: [String], expected: [String]) async throws {
        #expect(try await complete(words, in: .fish) == expected)
    }

    @Test(
        "The program's words are inserted in the quotation that was typed, and are those of the data that the line names",
        arguments: Shell.allCases.filter { path(of: $0) != nil }
    )
    func output(shell: Shell) async throws {
        try folder.writeProgram("#!/bin/sh\nprintf '%s\\n' 'My $W' \"$*\"\n", to: "pets-2")
        let table = CommandTable(
            program: "pets-2",
            summary: "s",
            commands: [Command(1, words: ["go"], operands: .any("X", completion: .output(["names"])), summary: "go")],
            options: [
                CommandOption("data", letter: "d", value: "DIR", help: "h"),
                CommandOption("flag", letter: "f", help: "h"),
            ]
        )
        let lines: [([String], [String])] =
            switch shell {
            case .bash:
                [
                    (["go", "M"], ["My\\ \\$W"]), (["go", "\"M"], ["My \\$W"]), (["go", "'My $"], ["My $W"]),
                    (["go", "My\\ "], ["My\\ \\$W"]), (["go", "n"], ["names"]),
                    (["--data", "x", "go", "\"n"], ["names --data x"]),
                    (["--flag", "--data", "=", "'a  b'", "go", "'n"], ["names --data a  b"]),
                    (["go", "--data", "~/x", "\"n"], ["names --data \(folder.path)/x"]),
                    (["-fd", "x", "go", "\"n"], ["names -d x"]), (["go", "-fdx", "-f", "\"n"], ["names -d x"]),
                    (["go", "--", "--data", "x", "n"], ["names"]),
                ]
            case .zsh:
                [
                    (["go", ""], ["My $W:", "names:"]),
                    (["--data", "a\\ b", "go", ""], ["My $W:", "names --data a b:"]),
                    (["--flag", "--data=x", "go", ""], ["My $W:", "names --data=x:"]),
                    (["go", "--data", "~/x", ""], ["My $W:", "names --data \(folder.path)/x:"]),
                    (["-fd", "x", "go", ""], ["My $W:", "names -d x:"]),
                    (["go", "-fdx", ""], ["My $W:", "names -dx:"]),
                    (["go", "--", "--data", "x", ""], ["My $W:", "names:"]),
                ]
            case .fish:
                [
                    (["go", "na"], ["names"]), (["--data", "x", "go", "na"], ["names --data x"]),
                    (["--flag", "--data=x", "go", "na"], ["names --data=x"]),
                    (["go", "--data", "~/x", "na"], ["names --data \(folder.path)/x"]),
                    (["-fd", "x", "go", "na"], ["names -d x"]), (["go", "-fdx", "na"], ["names -dx"]),
                    (["go", "--", "--data", "x", "na"], ["names"]),
                ]
            }
        for (words, expected) in lines {
            #expect(try await complete(["pets-2"] + words, in: shell, table) == expected, "\(words)")
        }
    }

    @Test(
        "Choices are offered as they are: nothing in them is executed or divided",
        arguments: Shell.allCases.filter { path(of: $0) != nil }
    )
    func choices(shell: Shell) async throws {
        let choices = ["$(touch made)", "a b", "don't"]
        let option = CommandOption("style", letter: "s", value: "STYLE", help: "h", choices: choices)
        let table = CommandTable(
            program: "pets-2",
            summary: "s",
            commands: [Command(1, operands: .any("X", completion: .words(choices)), options: [option], summary: "go")]
        )
        let bash = ["\\$\\(touch\\ made\\)", "a\\ b", "don\\'t"]
        for words in [["--style", ""], ["-hs", ""], [""]] {
            let offered = try await complete(["pets-2"] + words, in: shell, table)
            #expect(offered.map { String($0.prefix { $0 != "\t" }) } == (shell == .bash ? bash : choices), "\(words)")
        }
        // In apostrophes bash replaces what is typed after the last of them.
        for (word, expected) in [("'do", "don'\\''t"), ("'don'\\''", "t")] where shell == .bash {
            #expect(try await complete(["pets-2", word], in: shell, table) == [expected])
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("made").path))
    }

    @Test("bash on a terminal completes words with colons and equals signs, which it divides itself")
    func dividedWords() async throws {
        try folder.writeProgram(
            "#!/bin/sh\nprintf '%s\\n' home:kitchen 'a=b:c d' \"it's\" \"$*\" \"[$*]\"\n",
            to: "pets-2"
        )
        let table = CommandTable(
            program: "pets-2",
            summary: "s",
            commands: [Command(1, words: ["go"], operands: .any("X", completion: .output(["names"])), summary: "go")],
            options: [CommandOption("data", value: "DIR", help: "h", completion: .words(["x:y", "x:yz"]))]
        )
        try Data(table.completions(for: .bash).utf8).write(to: folder.file("completions"))
        let terminal = try PseudoTerminal(
            URL(fileURLWithPath: try #require(Self.path(of: .bash))),
            ["--norc", "--noprofile", "-i"],
            columns: 200,
            environment: [
                "PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path, "PS1": "> ", "INPUTRC": "/dev/null",
            ]
        )
        defer { terminal.end() }
        try await terminal.type("source '\(folder.path)/completions'; echo REA''DY\n", waitingFor: "READY")
        // The program prints its arguments; a number tells one line from another.
        for (number, (line, expected)) in [
            ("go home", "go home:kitchen"), ("go home:", "go home:kitchen"), ("go home:k", "go home:kitchen"),
            ("go \"home:k", "go home:kitchen"), ("go home\\:k", "go home:kitchen"), ("go a=b:", "go a=b:c d"),
            ("go --data=x:", "go --data=x:y"), ("go --data x:", "go --data x:y"), ("go --da", "go --data"),
            ("--data http://h:80 g", "--data http://h:80 go"), ("--data a@h go na", "--data a@h go names --data a@h"),
            ("--data :x go na", "--data :x go names --data :x"), ("go : home:k", "go : home:kitchen"),
            ("go 'i", "go it's"), ("go 'it'\\''", "go it's"),
        ].enumerated() {
            try await terminal.type("pets-2 \(line)\t \(number)\n", waitingFor: "[\(expected) \(number)]")
        }
    }

    @Test(
        "A command whose name begins with that of another one has its own operands and options",
        arguments: Shell.allCases.filter { path(of: $0) != nil }
    )
    func longerNames(shell: Shell) async throws {
        let commands = [["sync"], ["sync", "add"]].map { words in
            let name = words[words.count - 1]
            return Command(
                words.count,
                words: words,
                operands: .optional("X", completion: .words([name + "-operand"])),
                options: [CommandOption(name + "-option", help: "help")],
                summary: name
            )
        }
        let hidden = CommandOption("hidden", help: "for tests", isHidden: true)
        let table = CommandTable(program: "pets-2", summary: "s", version: "1", commands: commands, options: [hidden])
        for (line, name) in [("sync x", "sync"), ("sync x add", "sync"), ("sync add", "add"), ("sync add sync", "add")]
        {
            let words = ["pets-2"] + line.split(separator: " ").map(String.init)
            let operands = try await complete(words + [""], in: shell, table).filter { $0.hasSuffix("-operand") }
            #expect(operands == [name + "-operand"], "\(words)")
            let options = try await complete(words + ["--"], in: shell, table).map {
                $0.prefix { $0 != ":" && $0 != "\t" }
            }
            let common = ["--version", "--help", "--completions", "--manual"]
            #expect(Set(options.map(String.init)) == Set(common + ["--\(name)-option"]), "\(words)")
        }
        // A table without a command that has no name.
        #expect(try await !complete(["pets-2", "--"], in: shell, table).contains { $0.contains("hidden") })
    }
}
