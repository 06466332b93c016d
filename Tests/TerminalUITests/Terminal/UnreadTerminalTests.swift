import Foundation
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("A terminal whose output is not read", .timeLimit(.minutes(2)))
struct UnreadTerminalTests {
    private func start(_ arguments: [String]) throws -> PseudoTerminal {
        let probe = ChildProcess.productsDirectory.appendingPathComponent("terminal-probe")
        return try PseudoTerminal(probe, arguments, environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    /// Starts the probe, stops reading and waits until the probe's output has filled the terminal's buffer.
    private func startUnread(_ mode: String) async throws -> PseudoTerminal {
        let pty = try start([mode])
        try await pty.waitForText("READY")
        pty.isReading = false
        return pty
    }

    @Test(
        "A signal ends the program within two seconds, with the terminal restored",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func signals(_ signal: Int32) async throws {
        let pty = try await startUnread("flood")
        defer { pty.end() }
        pty.signal(signal)
        #expect(try await pty.waitForExit(within: .seconds(4)) == 128 + signal)
        #expect(pty.settings[3] & UInt(ICANON | ECHO | ISIG) == UInt(ICANON | ECHO | ISIG))
        pty.isReading = true
        try await pty.waitForText("\u{1B}[?1049l")
    }

    @Test("A program that hangs is ended after the grace period, with the terminal restored")
    func hanging() async throws {
        let pty = try await startUnread("flood-and-hang")
        defer { pty.end() }
        pty.signal(SIGTERM)
        #expect(try await pty.waitForExit(within: .seconds(5)) == -SIGTERM)
        #expect(pty.settings[3] & UInt(ICANON | ECHO | ISIG) == UInt(ICANON | ECHO | ISIG))
        pty.isReading = true
        try await pty.waitForText("\u{1B}[?1049l")
    }

    @Test("A second SIGTERM ends the program at once and does not leave raw mode")
    func secondSignal() async throws {
        let pty = try await startUnread("flood-and-hang")
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
        let pty = try await startUnread("flood")
        defer { pty.end() }
        // The probe writes a line for each key. If each write waited for the terminal, the grace period would end first.
        pty.type("abcdefghijklmnopr")
        // The keys must be received before the signal, of which nothing outside of the probe can be seen.
        try await Task.sleep(for: .milliseconds(300))
        pty.signal(SIGTERM)
        #expect(try await pty.waitForExit(within: .seconds(5)) == 128 + SIGTERM)
    }

    @Test("A program that hangs is ended after its terminal was closed, even if it ignores SIGHUP")
    func closedTerminal() async throws {
        let probe = ChildProcess.productsDirectory.appendingPathComponent("terminal-probe").path
        let pty = try PseudoTerminal(URL(fileURLWithPath: "/bin/bash"), ["-c", "trap '' HUP; exec \(probe) hang"])
        defer { pty.end() }
        try await pty.waitForText("READY")
        pty.hangUp()
        #expect(try await pty.waitForExit(within: .seconds(6)) == -SIGHUP)
    }

    @Test("After a refused frame the program continues, and is notified when the terminal is read again")
    func readAgain() async throws {
        let pty = try await startUnread("flood")
        defer { pty.end() }
        // The probe handles input although its frame was refused; what it writes is discarded without waiting.
        try await Task.sleep(for: .milliseconds(1500))
        pty.type("abc")
        pty.isReading = true
        try await pty.waitForText("[writable]")
        pty.type("z")
        try await pty.waitForText("[key z]")
        pty.type("q")
        #expect(try await pty.waitForExit() == 0)
    }

    @Test("The application redraws the whole screen when its terminal is read again")
    @MainActor
    func redraw() async throws {
        let label = Label("one")
        let app = TestApplication(root: Stack([label, Label("second line")]), size: Size(width: 20, height: 3))
        await app.settle()
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
