import CommandKit
import Foundation
import TestSupport
import Testing

@Suite("Shell completions")
struct CompletionTests {
    /// Runs a shell with the completions of the sample in a file, and returns the lines of its output.
    private func run(_ shell: Shell, _ path: String, _ script: String, in folder: URL) async throws -> [String] {
        let file = folder.appending(path: "completions")
        try Data(Sample.table.completions(for: shell).utf8).write(to: file)
        let arguments = shell == .bash ? ["--norc", "-c", script, file.path] : ["-c", script, file.path]
        let result = try await ChildProcess.run(URL(fileURLWithPath: path), arguments, in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    private func complete(_ words: [String], in folder: URL) async throws -> [String] {
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            source "$0"
            COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
            _pets_2
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try await run(.bash, "/bin/bash", script, in: folder)
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
        ]
    )
    func bash(words: [String], expected: [String]) async throws {
        let folder = try TemporaryDirectory()
        try Data().write(to: folder.url.appending(path: "my file.txt"))
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "my folder"),
            withIntermediateDirectories: false
        )
        #expect(try await complete(words, in: folder.url).sorted() == expected.sorted())
    }

    private static func path(of shell: Shell) -> String? {
        ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + shell.rawValue }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    @Test("zsh accepts its completions", .enabled(if: path(of: .zsh) != nil))
    func zsh() async throws {
        let folder = try TemporaryDirectory()
        let path = try #require(Self.path(of: .zsh))
        #expect(try await run(.zsh, path, "zsh -n \"$0\" && echo valid", in: folder.url) == ["valid"])
    }

    @Test("fish completes commands, options and values", .enabled(if: path(of: .fish) != nil))
    func fish() async throws {
        let folder = try TemporaryDirectory()
        let path = try #require(Self.path(of: .fish))
        let script = "source completions; complete -C 'pets-2 todo l'; complete -C 'pets-2 draw --style b'"
        let lines = try await run(.fish, path, script, in: folder.url)
        // fish shows the help of an option beside each of its values.
        #expect(lines == ["list\tlist the todos", "bold\tthe style"])
    }

    @Test("The completions for zsh and fish name each command and option once for each place, and no hidden option")
    func content() {
        for shell in [Shell.zsh, .fish] {
            let source = Sample.table.completions(for: shell)
            for word in ["todo", "list", "filter", "style", "plain bold", "the folder"] {
                #expect(source.contains(word) || source.contains("'plain' 'bold'"), "\(word) for \(shell)")
            }
            #expect(!source.contains("secret"))
        }
        #expect(Sample.table.completions(for: .fish).contains("complete -c pets-2 -l color -x -a 'auto always never'"))
        #expect(Sample.table.completions(for: .zsh).contains("(--color) compadd -- 'auto' 'always' 'never'; return ;;"))
        // Three commands begin with the word.
        #expect(Sample.table.completions(for: .zsh).split(separator: "('todo ') ").count == 2)
        // The first pattern that matches is used: that of the longest name comes first.
        let names = [["sync"], ["sync", "add"]]
        let table = CommandTable<Int>(
            program: "p",
            summary: "s",
            version: "1",
            commands: names.map { Command($0.count, words: $0, summary: "s") }
        )
        let source = table.completions(for: .zsh)
        let places = ["('sync add '*) items", "('sync '*) items"].map { source.range(of: $0)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil } && places[0] ?? source.endIndex < places[1] ?? source.startIndex)
    }
}
