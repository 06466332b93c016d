import Foundation
import SystemCalls
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("A terminal whose output is not read", .timeLimit(.minutes(2)))
struct UnreadTerminalTests {
    /// The probe, writing without end to a terminal whose output is not read.
    private struct Unread {
        let pty: PseudoTerminal
        private let folder: TemporaryDirectory
        private let log: URL

        init(_ mode: String) async throws {
            folder = try TemporaryDirectory()
            log = folder.url.appending(path: "log")
            pty = try await Probe.start(mode, "log=\(log.path)", environment: ["SWIFT_BACKTRACE": "enable=no"])
            pty.isReading = false
        }

        /// Waits until the probe has logged a line: "refused" after a frame that was not accepted, and each event.
        func waitForLog(_ line: String, within limit: Duration = .seconds(10)) async throws {
            try await eventually(within: limit) {
                (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n").contains { $0 == line } ?? false
            }
        }

        /// Expects that the terminal has the settings of a shell, and its main screen.
        func expectRestored() async throws {
            #expect(pty.settings[3] & UInt(ICANON | ECHO | ISIG) == UInt(ICANON | ECHO | ISIG))
            pty.isReading = true
            try await pty.waitForText("\u{1B}[?1049l")
        }
    }

    @Test(
        "A signal ends the program within two seconds, with the terminal restored",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func signals(_ signal: Int32) async throws {
        let unread = try await Unread("flood")
        let pty = unread.pty
        defer { pty.end() }
        try await unread.waitForLog("refused")
        pty.signal(signal)
        #expect(try await pty.waitForExit(within: .seconds(4)) == 128 + signal)
        try await unread.expectRestored()
    }

    @Test("A program that hangs is ended after the grace period, with the terminal restored")
    func hanging() async throws {
        let unread = try await Unread("flood-and-hang")
        let pty = unread.pty
        defer { pty.end() }
        try await unread.waitForLog("refused")
        pty.signal(SIGTERM)
        #expect(try await pty.waitForExit(within: .seconds(5)) == -SIGTERM)
        try await unread.expectRestored()
    }

    @Test("A second SIGTERM ends the program at once and does not leave raw mode")
    func secondSignal() async throws {
        let unread = try await Unread("flood-and-hang")
        let pty = unread.pty
        defer { pty.end() }
        // Two signals of one number that are pending at the same time are one.
        try await eventually(within: .milliseconds(1800)) {
            pty.signal(SIGTERM)
            return kill(pty.process, 0) != 0 || pty.settings[3] & UInt(ICANON) != 0
        }
        #expect(try await pty.waitForExit(within: .seconds(2)) == -SIGTERM)
        #expect(pty.settings[3] & UInt(ICANON | ECHO | ISIG) == UInt(ICANON | ECHO | ISIG))
    }

    @Test("Frames after a refused one are discarded without waiting")
    func discarding() async throws {
        let unread = try await Unread("flood")
        let pty = unread.pty
        defer { pty.end() }
        try await unread.waitForLog("refused")
        // The probe writes a line for each key. If each write waited for the terminal, they would take 17 seconds.
        pty.type("abcdefghijklmnopr")
        try await unread.waitForLog("[key r]", within: .seconds(8))
        pty.signal(SIGTERM)
        #expect(try await pty.waitForExit(within: .seconds(5)) == 128 + SIGTERM)
    }

    @Test("A program that hangs is ended after its terminal was closed, even if it ignores SIGHUP")
    func closedTerminal() async throws {
        let pty = try PseudoTerminal(
            URL(fileURLWithPath: "/bin/bash"),
            ["-c", "trap '' HUP; exec \(Probe.url.path) hang"]
        )
        defer { pty.end() }
        try await pty.waitForText("READY")
        pty.hangUp()
        #expect(try await pty.waitForExit(within: .seconds(6)) == -SIGHUP)
    }

    @Test("After a refused frame the program continues, and is notified when the terminal is read again")
    func readAgain() async throws {
        let unread = try await Unread("flood")
        let pty = unread.pty
        defer { pty.end() }
        try await unread.waitForLog("refused")
        // The probe handles input although its frame was refused; what it writes is discarded without waiting.
        pty.type("abc")
        try await unread.waitForLog("[key c]")
        pty.isReading = true
        try await pty.waitForText("[writable]")
        try await pty.type("z", waitingFor: "[key z]")
        #expect(!pty.text.contains("[key a]"))
        #expect(try await pty.waitForExit(typing: "q") == 0)
    }

    @Test("The application redraws the whole screen when its terminal is read again")
    @MainActor
    func redraw() async throws {
        let label = Label("one")
        let app = await show(label, Label("second line"), width: 20, height: 3)
        app.terminal.isReading = false
        label.text = "two"
        await app.settle()
        label.text = "three"
        await app.settle()
        #expect(app.text == "one\nsecond line")
        let before = app.terminal.bytesWritten
        app.terminal.isReading = true
        try await eventually { app.text == "three\nsecond line" }
        #expect(app.terminal.bytesWritten - before > "threesecond line".utf8.count)
    }
}
