import Foundation
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

/// A terminal multiplexer with one window of 100 x 30 cells, which shows the gallery.
private final class Multiplexer {
    private let program: URL
    private let socket: String
    private let folder: URL
    /// The client whose terminal is the window.
    private let client: PseudoTerminal

    init(_ program: URL, _ arguments: [String]) throws {
        self.program = program
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tmux-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.appendingPathComponent("socket").path
        let gallery = ChildProcess.productsDirectory.appendingPathComponent("gallery").path
        client = try PseudoTerminal(
            program,
            ["-S", socket, "-f", "/dev/null", "-u", "new-session", gallery] + arguments
                + [";", "set-option", "-g", "status", "off"],
            columns: 100,
            rows: 30,
            environment: ["TMUX": nil, "COLORTERM": "truecolor", "NO_COLOR": nil]
        )
    }

    /// Ends the session and removes its socket.
    func end() {
        _ = try? run(["kill-server"])
        client.end()
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    func run(_ arguments: [String]) throws -> String {
        String(decoding: try Programs.run(program, ["-S", socket, "-f", "/dev/null", "-u"] + arguments), as: UTF8.self)
    }

    /// Returns the screen as text, with its styles if `styled`, without blank lines at the end.
    func screen(styled: Bool = false) throws -> String {
        let text = try run(["capture-pane", "-p"] + (styled ? ["-e"] : []))
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// Waits until the program shows this screen.
    func waitForScreen(_ expected: String) async throws {
        // Without a session yet, there is no screen.
        try await eventually { (try? screen()) == expected }
    }

    /// Waits until the screen differs from an earlier one and does not change any more.
    ///
    /// - Returns: the screen with its styles.
    func settled(after earlier: String? = nil) async throws -> String {
        if let earlier { try await eventually { try screen(styled: true) != earlier } }
        var last = ""
        var equal = 0
        try await eventually {
            let screen = try screen(styled: true)
            defer { last = screen }
            // The time in which the screen must be the same.
            try await Task.sleep(for: .milliseconds(200))
            equal = screen == last ? equal + 1 : 0
            return equal >= 4
        }
        return last
    }
}

@Suite("The gallery on real terminals", .timeLimit(.minutes(5)))
struct RealTerminalTests {
    private static let tmux = Programs.find("tmux")
    private let gallery = ChildProcess.productsDirectory.appendingPathComponent("gallery")

    private func printed(_ example: String) throws -> String {
        let text = String(
            decoding: try Programs.run(gallery, ["--text", "100x30", "--example", example]),
            as: UTF8.self
        )
        return String(text.reversed().drop { $0 == "\n" }.reversed())
    }

    @Test(
        "tmux shows the screen that the gallery prints, and pictures in cells",
        .enabled(if: tmux != nil, "tmux is not installed"),
        // The example of text is not among them: tmux shortens long clusters.
        arguments: ["fields", "list", "pictures"]
    )
    func multiplexer(_ example: String) async throws {
        let session = try Multiplexer(try #require(Self.tmux), ["--no-animation", "--example", example])
        defer { session.end() }
        let expected = try printed(example)
        try await session.waitForScreen(expected)
        if example == "pictures" { #expect(expected.contains("▀")) }
    }

    @Test(
        "In tmux, what changes with each key is what a redraw shows",
        .enabled(if: tmux != nil, "tmux is not installed")
    )
    func changes() async throws {
        let session = try Multiplexer(try #require(Self.tmux), ["--no-animation", "--example", "list"])
        defer { session.end() }
        try await session.waitForScreen(try printed("list"))
        var screen = try session.screen(styled: true)
        for keys in [
            ["Tab", "Down", "Down", "Down", "Down"], ["NPage"], ["Up", "Up"], ["Tab", "NPage"], ["BTab", "Home"],
        ] {
            try session.run(["send-keys"] + keys)
            screen = try await session.settled(after: screen)
            try session.run(["send-keys", "C-l"])
            #expect(try await session.settled() == screen, "\(keys)")
        }
    }

    @Test(
        "A terminal that replies to the queries receives the pixels in its protocol",
        arguments: [
            ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", "\u{1B}_Ga=t,"),
            ("\u{1B}[6;20;10t\u{1B}[?62;4c", "\u{1B}P0;1;0q\"1;1;"),
        ]
    )
    func queries(_ reply: String, _ expected: String) async throws {
        let terminal = try PseudoTerminal(
            gallery,
            ["--no-animation", "--example", "pictures"],
            columns: 100,
            rows: 30,
            environment: [
                "TMUX": nil, "TERM_PROGRAM": nil, "LC_TERMINAL": nil, "COLORTERM": "truecolor", "NO_COLOR": nil,
            ]
        )
        defer { terminal.end() }
        try await terminal.waitForText("\u{1B}_Gi=31,")
        #expect(!terminal.text.contains(expected))
        try await terminal.type(reply, waitingFor: expected)
        #expect(try await terminal.waitForExit(typing: "q") == 0)
        var emulator = TerminalEmulator(size: GridSize(width: 100, height: 30))
        emulator.feed(terminal.output)
        #expect(emulator.pictures.isEmpty)
    }

    @Test("--draw chooses the protocol without a reply", arguments: ["kitty", "iterm", "sixel", "half"])
    func chosen(_ name: String) async throws {
        let terminal = try PseudoTerminal(
            gallery,
            ["--no-animation", "--example", "pictures", "--draw", name],
            columns: 100,
            rows: 30,
            environment: ["COLORTERM": "truecolor", "NO_COLOR": nil]
        )
        defer { terminal.end() }
        let sign = ["kitty": "\u{1B}_Ga=t,", "iterm": "\u{1B}]1337;File=", "sixel": "\u{1B}P0;1;0q", "half": "▀"]
        try await terminal.waitForText(sign[name] ?? "")
        var emulator = TerminalEmulator(size: GridSize(width: 100, height: 30))
        if name != "half" {
            try await eventually {
                var emulator = TerminalEmulator(size: GridSize(width: 100, height: 30))
                emulator.feed(terminal.output)
                return emulator.pictures.count == 1
            }
        }
        emulator.feed(terminal.output)
        #expect(emulator.pictures.count == (name == "half" ? 0 : 1))
        #expect(try await terminal.waitForExit(typing: "q") == 0)
    }
}
