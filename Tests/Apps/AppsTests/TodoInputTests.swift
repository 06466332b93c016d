import Foundation
import TestSupport
import Testing

@Suite("Invalid input of the todo commands", .timeLimit(.minutes(5)))
struct TodoInputTests {
    /// An input that no todo can hold, with a part of the message.
    struct Input: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: Data
        let message: String
        var testDescription: String { name }

        init(_ name: String, _ bytes: Data, _ message: String) {
            (self.name, self.bytes, self.message) = (name, bytes, message)
        }
    }

    private static let texts: [Input] = [
        Input("a line of 10 MB", Data(repeating: UInt8(ascii: "x"), count: 10 << 20), "longer than 1000 characters"),
        Input("a NUL", Data("a\0b".utf8), "U+0000 in column 2"),
        Input("an escape", Data("a\u{1B}[31mb".utf8), "U+001B in column 2"),
        Input("a bidirectional mark", Data("a\u{202E}b".utf8), "U+202E in column 2"),
        Input("a C1 control", Data("a\u{9B}b".utf8), "U+009B in column 2"),
        Input("broken UTF-8", Data([0x61, 0xC3, 0x28]), "UTF-8"),
        Input("an impossible date", Data("pay due:2026-02-30".utf8), "has the days 1 to 28"),
        Input("no title", Data("+home".utf8), "the title is empty"),
    ]

    @Test("todo add and todo edit refuse it with what would be right, and change nothing", arguments: texts)
    func addAndEdit(input: Input) async throws {
        let app = try AppFixture()
        let id = try await app.add("walk")
        let before = try await app.run("todo", "list", "--all", "--json").output
        let added = try await app.run(["todo", "add", "-"], input: input.bytes)
        #expect(added.status == 2, "\(added.errors.prefix(200))")
        #expect(added.errors.contains(input.message), "\(added.errors.prefix(300))")
        #expect(
            added.errors.utf8.count < 3_000 && !added.errors.contains("\u{1B}") && !added.errors.contains("\u{202E}")
        )
        if let text = String(data: input.bytes, encoding: .utf8), text.utf8.count < 1_000, !text.contains("\0"),
            text != "+home"
        {
            let edited = try await app.run("todo", "edit", id, text)
            #expect(edited.status == 2 && edited.errors.contains(input.message), "\(edited.errors.prefix(300))")
        }
        #expect(try await app.run("todo", "list", "--all", "--json").output == before)
    }

    @Test("An argument that is not UTF-8 is refused with its number, and nothing is stored")
    func invalidArgument() async throws {
        let app = try AppFixture()
        let result = try await ChildProcess.run(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", "\"$0\" todo add milk \"$(printf 'a\\303(')\"", app.executable.path],
            environment: app.environment
        )
        #expect(result.status == 2 && result.errors.contains("argument 4 is not UTF-8"), "\(result)")
        #expect(try await app.todos("todo", "list").isEmpty)
    }

    @Test(
        "todo import refuses a file with such a line, with its line and column, and imports nothing",
        arguments: texts.dropLast()
    )
    func importFile(input: Input) async throws {
        let app = try AppFixture()
        _ = try await app.add("walk")
        let file = app.folder.file("todo.txt")
        try (Data("milk\n".utf8) + input.bytes + Data("\n".utf8)).write(to: file)
        let result = try await app.run(["todo", "import", file.path])
        #expect(result.status == 2, "\(result.errors.prefix(200))")
        #expect(result.errors.contains("line 2, column "), "\(result.errors.prefix(300))")
        #expect(result.errors.contains("nothing was imported"))
        #expect(!result.errors.contains("\u{1B}") && !result.errors.contains("\u{202E}"))
        #expect(try await app.todos("todo", "list").count == 1)
    }
}
