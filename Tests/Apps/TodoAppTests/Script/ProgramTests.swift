import TestSupport
import Testing
import Threading

@testable import TodoApp

@Suite("The program in one process")
@MainActor
struct ProgramTests {
    /// What a command line came to.
    private struct Outcome {
        var code = ExitCode.done
        var output = ""
        var notes = ""
    }

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("program") }

    private func run(_ arguments: String..., diskIsFull: Bool = false) async -> Outcome {
        await run(arguments, diskIsFull: diskIsFull)
    }

    private func run(_ arguments: [String], diskIsFull: Bool = false) async -> Outcome {
        let outcome = Lines()
        let program = Program(
            flavour: .sample,
            console: Console(
                write: { text in
                    outcome.add(String(decoding: text, as: UTF8.self), isNote: false)
                    return !diskIsFull
                },
                complain: { outcome.add($0, isNote: true) },
                read: { _ in [] }
            ),
            context: Configuration.Context(
                environment: ["PAWKIT_DATA_DIR": folder.path, "TERM": "xterm"],
                isInputTerminal: false,
                isOutputTerminal: false
            )
        )
        let code = await program.run(arguments)
        return Outcome(code: code, output: outcome.output, notes: outcome.notes)
    }

    @Test("Without arguments, on a pipe, the open todos are listed")
    func pipe() async {
        #expect(await run("todo", "add", "walk").code == .done)
        let outcome = await run()
        #expect(outcome.code == .done)
        #expect(outcome.output.hasSuffix(" [ ] walk\n"))
    }

    @Test(
        "Control characters of the command line never reach standard error",
        arguments: [
            ["todo", "done", "\u{1B}[31mx"], ["\u{1B}]0;x\u{7}"], ["todo", "list", "--\u{9B}2J"],
            ["todo", "add", "x", "--project", "a \u{1B}[2J"], ["todo", "add", "x", "--due", "\u{1B}c"],
            ["--data-dir", "/dev/null/\u{1B}c", "todo", "add", "x"], ["picture", "--size", "\u{1B}c"],
            ["picture", "--save", "\u{1B}c", "--size", "0x0"],
        ]
    )
    func notes(arguments: [String]) async throws {
        let outcome = await run(arguments)
        #expect(outcome.code != .done)
        #expect(outcome.notes.hasPrefix("Dog: "))
        #expect(
            !outcome.notes.dropLast().unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
        )
    }

    @Test("Results that cannot be written set the exit status")
    func full() async {
        let outcome = await run("todo", "list", "--json", diskIsFull: true)
        #expect(outcome.code == .data)
        #expect(outcome.notes.contains("standard output cannot be written"))
    }

    @Test("The doctor exits with the network code if the service cannot be reached, and reports the rest as healthy")
    func doctor() async {
        let outcome = await run("doctor")
        #expect(outcome.code == .network)
        #expect(outcome.output.contains("todos     ok       0 stored, 0 open"))
        #expect(outcome.output.contains("pictures  failed"))
    }
}

/// What a program has written.
private final class Lines: Sendable {
    private let texts = Locked((output: "", notes: ""))

    var output: String { texts.withLock { $0.output } }
    var notes: String { texts.withLock { $0.notes } }

    func add(_ text: String, isNote: Bool) {
        texts.withLock { if isNote { $0.notes += text } else { $0.output += text } }
    }
}
