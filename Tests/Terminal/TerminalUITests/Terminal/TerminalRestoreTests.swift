import Foundation
import SystemCalls
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("The terminal is always restored", .timeLimit(.minutes(3)))
struct TerminalRestoreTests {
    /// The probe handles its crashes itself: the runtime's backtrace and the sanitizers' handlers are disabled.
    private static let quiet: [String: String?] = [
        "SWIFT_BACKTRACE": "enable=no", "TSAN_OPTIONS": sanitizer, "ASAN_OPTIONS": sanitizer,
    ]
    private static let sanitizer = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0"

    /// Runs `body` after the probe has entered the terminal, and then checks that settings and modes are restored.
    private func expectRestored(
        _ mode: String,
        _ argument: String = "",
        exit expected: [Int32],
        _ body: (PseudoTerminal) async throws -> Void = { _ in }
    ) async throws {
        let pty = try await Probe.start(mode, argument, environment: Self.quiet)
        defer { pty.end() }
        let before = try Probe.newSettings()
        try await body(pty)
        let code = try await pty.waitForExit()
        #expect(expected.contains(code), "ended with \(code)")
        #expect(pty.settings == before)
        try await pty.waitForText("\u{1B}[?1049l")
        let text = pty.text
        for mode in [1000, 1002, 1003, 1006, 1004, 2004, 1049] {
            let on = text.range(of: "\u{1B}[?\(mode)h", options: .backwards)
            let off = text.range(of: "\u{1B}[?\(mode)l", options: .backwards)
            #expect(on != nil && off != nil && (on?.lowerBound ?? text.endIndex) < (off?.lowerBound ?? text.startIndex))
        }
        // kitty's keyboard protocol is pushed on the alternate screen and popped before that is left; lines wrap again.
        for (on, off) in [("\u{1B}[>5u", "\u{1B}[<u"), ("\u{1B}[?7l", "\u{1B}[?7h")] {
            let set = try #require(text.range(of: on, options: .backwards))
            let reset = try #require(text.range(of: off, options: .backwards))
            let left = try #require(text.range(of: "\u{1B}[?1049l", options: .backwards))
            #expect(set.lowerBound < reset.lowerBound && reset.lowerBound < left.lowerBound)
        }
        let shown = try #require(text.range(of: "\u{1B}[?25h", options: .backwards))
        let hidden = try #require(text.range(of: "\u{1B}[?25l", options: .backwards))
        #expect(hidden.lowerBound < shown.lowerBound)
    }

    @Test("While it is entered, the terminal is in raw mode")
    func raw() async throws {
        let pty = try await Probe.start("echo", until: "READY 80x24")
        defer { pty.end() }
        #expect(pty.settings[3] & UInt(ICANON | ECHO | ISIG) == 0)
        #expect(try await pty.waitForExit(typing: "q") == 0)
        #expect(pty.settings[3] & UInt(ICANON | ECHO | ISIG) != 0)
    }

    @Test("After stop")
    func stop() async throws {
        try await expectRestored("echo", exit: [0]) { $0.type("q") }
    }

    @Test("After exit() from anywhere")
    func exit() async throws {
        try await expectRestored("exit", exit: [3])
    }

    @Test("After a signal that ends the process", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signals(_ signal: Int32) async throws {
        try await expectRestored("echo", exit: [128 + signal]) { $0.signal(signal) }
    }

    @Test("After a signal to a program that hangs, at the end of the grace period", arguments: [SIGTERM])
    func hangs(_ signal: Int32) async throws {
        try await expectRestored("hang", exit: [-signal]) { $0.signal(signal) }
    }

    @Test("At once after a second signal to a program that hangs")
    func second() async throws {
        try await expectRestored("hang", exit: [-SIGINT]) { pty in
            pty.signal(SIGINT)
            // Two signals of one number that are pending at the same time are one.
            try await eventually(within: .milliseconds(1500)) {
                pty.signal(SIGINT)
                return kill(pty.process, 0) != 0 || pty.text.contains("\u{1B}[?1049l")
            }
        }
    }

    @Test(
        "After a crash, which still ends the process",
        arguments: [
            ("segv", [SIGSEGV]), ("overflow", [SIGSEGV]), ("ill", [SIGILL]), ("trap", [SIGTRAP, SIGILL]),
            ("abrt", [SIGABRT]), ("bus", [SIGBUS]),
            ("fpe", [SIGFPE]),
        ]
    )
    func crashes(_ kind: String, _ signals: [Int32]) async throws {
        // Thread Sanitizer has a call stack of fixed length: a handler after its overflow cannot run.
        if kind == "overflow" && isThreadSanitized { return }
        try await expectRestored("crash", kind, exit: signals.map { -$0 })
    }

    @Test("Ctrl-Z restores the terminal for the shell, and fg enters it again")
    func suspend() async throws {
        let script = "PROBE; echo STOPPED $?; stty -a | tr ' ' '\\n' | grep -x icanon; fg; echo ENDED $?"
        let shell = try Probe.shell(script, environment: Self.quiet)
        defer { shell.end() }
        try await shell.waitForText("READY")
        try await shell.type("\u{1A}", waitingFor: "STOPPED")
        try await shell.waitForText("icanon")
        try await shell.waitForText("[resumed]")
        #expect(shell.settings[3] & UInt(ICANON) == 0)
        try await shell.type("q", waitingFor: "ENDED 0")
    }

    @Test("After SIGSTOP, which cannot be handled, the terminal is entered again")
    func stopSignal() async throws {
        let shell = try Probe.shell("PROBE; echo STOPPED; stty sane; fg; echo ENDED $?", environment: Self.quiet)
        defer { shell.end() }
        try await shell.waitForText("READY")
        let group = tcgetpgrp(shell.descriptor)
        try #require(group > 1 && group != shell.process)
        kill(-group, SIGSTOP)
        try await shell.waitForText("STOPPED")
        try await shell.waitForText("[resumed]")
        #expect(shell.settings[3] & UInt(ICANON) == 0)
        try await shell.type("q", waitingFor: "ENDED 0")
        #expect(shell.settings[3] & UInt(ICANON) != 0)
    }

    /// Waits in a shell until it has a stopped job.
    private static let untilStopped = "until jobs -s | grep -q .; do :; done"

    @Test("In the background the program stops without a byte to the terminal until fg, also after Ctrl-Z and bg")
    func background() async throws {
        let start = "PROBE & \(Self.untilStopped); stty -a | tr ' ' '\\n' | grep -x icanon; echo STOPPED; fg"
        let shell = try Probe.shell(
            "\(start); bg; \(Self.untilStopped); echo AGAIN; fg; echo ENDED $?",
            environment: Self.quiet
        )
        defer { shell.end() }
        try await shell.waitForText("STOPPED")
        let background = try #require(shell.text.components(separatedBy: "STOPPED").first)
        #expect(background.contains("icanon") && !background.contains("\u{1B}"))
        try await shell.waitForText("READY")
        try await shell.type("\u{1A}", waitingFor: "AGAIN")
        try await eventually { shell.settings[3] & UInt(ICANON) == 0 }
        try await shell.type("q", waitingFor: "ENDED 0")
    }

    @Test("A program that has stopped in the background is ended by a signal", arguments: [SIGTERM, SIGHUP])
    func backgroundSignal(_ signal: Int32) async throws {
        // While the shell takes the job for stopped, its wait returns the signal that has stopped it.
        let end = "until wait $job; code=$?; [ $code -lt 145 ]; do :; done 2>/dev/null; echo ENDED $code"
        let shell = try Probe.shell(
            "PROBE; bg; \(Self.untilStopped); job=$(jobs -p); kill -\(signal) %1; \(end)",
            environment: Self.quiet
        )
        defer { shell.end() }
        try await shell.waitForText("READY")
        try await shell.type("\u{1A}", waitingFor: "ENDED \(128 + signal)")
    }

    @Test("Keys, pastes, mouse events, replies and sizes arrive as events")
    func events() async throws {
        let pty = try await Probe.start("echo")
        defer { pty.end() }
        pty.type("가\u{1B}[1;5A\u{1B}[200~long text\u{1B}[201~\u{1B}[<0;4;5M\u{1B}[I\u{1B}[?62c")
        for wanted in [
            "[key 가]", "[key ctrl-up]", "[paste 9 whole]", "mouse down", "[focus true]", "deviceAttributes([62])",
        ] {
            try await pty.waitForText(wanted)
        }
        try await pty.type("\u{1B}", waitingFor: "[key escape]")
        pty.resize(columns: 40, rows: 12)
        try await pty.waitForText("[resized 40x12]")
        #expect(try await pty.waitForExit(typing: "q") == 0)
    }

    @Test("A pipe and a dumb terminal are refused with an explanation")
    func refused() async throws {
        let result = try await ChildProcess.run(Probe.url, ["echo"])
        #expect(result.status == 9)
        #expect(result.output.contains("not both a terminal"))
        let pty = try await Probe.start("echo", until: nil, environment: ["TERM": "dumb"])
        defer { pty.end() }
        #expect(try await pty.waitForExit() == 9)
        try await pty.waitForText("set TERM")
        #expect(!pty.text.contains("\u{1B}"))
    }
}
