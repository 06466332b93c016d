import CommandKit
import Foundation
import TestSupport
import Testing

@Suite("Help and manual page")
struct HelpTests {
    private let table = Sample.table

    @Test("The help names every command, option, topic and exit code")
    func overview() {
        let text = table.help()
        for command in table.commands {
            #expect(command.words.isEmpty || text.contains("  pets-2 \(command.name)  "))
            #expect(text.contains(command.summary))
        }
        for option in table.options where !option.isHidden {
            #expect(text.contains(option.usage) && text.contains(option.help))
        }
        #expect(text.contains("(or PETS_DATA)"))
        #expect(text.contains("\nFormat:\n  {\"a\": 1}   a line\n\n  .dots are text\n"))
        #expect(text.contains("Exit codes: 0 done, 2 invalid arguments."))
        #expect(text.contains("\n  pets-2 todo list --filter '+home milk'\n"))
        #expect(!text.contains("secret"))
    }

    @Test("The help of a command has its usage, options and examples; a required option is without brackets")
    func command() throws {
        let path = try #require(table.commands.first { $0.verb == .path })
        #expect(table.help(for: path).hasPrefix("pets-2 path --between FROM TO [--style KIND]\n"))
        #expect(
            table.help(for: try #require(table.commands.first { $0.verb == .add })) == """
                pets-2 todo add TEXT... [--due DATE] [--context C]...

                  add a todo

                Options:
                  --due DATE   the day
                  --context C  one word

                Anywhere:
                  --data DIR           the folder (or PETS_DATA)
                  --color WHEN         auto, always or never
                  --version            print the version
                  --help (-h)          print this help
                  --completions SHELL  print the completions for bash, zsh or fish
                  --manual             print the manual page; read it with man -l -

                Examples:
                  pets-2 todo add Buy milk --due tomorrow
                  pets-2 .hidden is text
                """
        )
    }

    @Test("A program with one command has its options in the overview")
    func single() {
        let table = CommandTable<Int>(
            program: "tool",
            summary: "a tool",
            commands: [
                Command(
                    0,
                    operands: .oneOrMore("FILE"),
                    options: [CommandOption("verbose", letter: "v", help: "print more")],
                    summary: "run",
                    examples: ["a", "b -v"]
                )
            ]
        )
        #expect(
            table.help() == """
                tool: a tool

                Usage:
                  tool FILE... [--verbose]

                Options:
                  --verbose (-v)       print more
                  --help (-h)          print this help
                  --completions SHELL  print the completions for bash, zsh or fish
                  --manual             print the manual page; read it with man -l -

                Examples:
                  tool a
                  tool b -v
                """
        )
    }

    @Test("No line of the help is wider than 80 columns")
    func width() {
        for text in [table.help()] + table.commands.map(table.help) {
            for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
        let words = String(repeating: "a", count: 38) + " " + String(repeating: "b", count: 39)
        let command = Command(0, words: ["run"], summary: words)
        let help = CommandTable<Int>(program: "tool", summary: "a tool", commands: [command]).help(for: command)
        #expect(help.split(separator: "\n").contains("  \(words)"), "the last column is used")
    }

    @Test("Hangul takes two columns: its lines are not wider than 80, and what follows it is aligned")
    func hangul() {
        let words = Array(repeating: "가나다라", count: 8).joined(separator: " ")
        let options = [CommandOption("file", value: "파일", help: "읽을 파일"), CommandOption("all", help: "전부")]
        let command = Command(0, words: ["run"], options: options, summary: words + " 가나다라")
        let help = CommandTable<Int>(program: "tool", summary: "a tool", commands: [command]).help(for: command)
        let beginning = """
            tool run [--file 파일] [--all]

              \(words)
              가나다라

            Options:
              --file 파일  읽을 파일
              --all        전부

            """
        #expect(help.hasPrefix(beginning))
    }

    private static let groff = ["/usr/bin/groff", "/opt/homebrew/bin/groff", "/usr/local/bin/groff"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test("groff formats the manual page without a warning, and shows every text as it is", .enabled(if: groff != nil))
    func manual() async throws {
        let groff = URL(fileURLWithPath: try #require(Self.groff))
        let result = try await ChildProcess.run(
            groff,
            ["-man", "-Tascii", "-ww", "-P-cbou"],
            input: Data(table.manualPage().utf8)
        )
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        for text in [
            "pets-2 - pets, and 'todos' beside them: 100% \\ tested", "pets-2 todo list", "--filter Q", "PETS_DATA",
            "{\"a\": 1}   a line", ".dots are text", "pets-2 .hidden is text", "(auto, always, never)",
        ] {
            #expect(result.output.contains(text), "\(text)")
        }
        #expect(!result.output.contains("secret"))
    }
}
