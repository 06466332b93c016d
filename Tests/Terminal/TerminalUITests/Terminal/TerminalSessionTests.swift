import Foundation
import SystemCalls
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("What a program leaves and takes over", .timeLimit(.minutes(2)))
struct TerminalSessionTests {
    @Test(
        "A secret line is read without showing it; Backspace removes a character, however many bytes it has",
        arguments: [
            ("café\u{7F}e!\r", "cafe!"), ("é\u{7F}x\r", "x"), ("a가👧\u{8}\u{7F}b\n", "ab"),
            ("\u{7F}old\u{15}new\r", "new"),
            // Arrows, Delete and F1 in every form, Alt-x and Alt-!, and Escape before the end.
            ("\u{1B}[Da\u{1B}[3~b\u{1B}OCc\u{1B}[1;5Dd\u{1B}[[Ae\r", "abcde"),
            ("\u{1B}xf[O\u{1B}\u{1B}[Ag\u{1B}[\u{7F}\u{1B}!\u{1B}\r", "f[O"),
        ]
    )
    func secretLine(_ typed: String, _ line: String) async throws {
        let pty = try await Probe.start("secret", until: "PASSWORD")
        defer { pty.end() }
        #expect(pty.settings[3] & UInt(ECHO) == 0, "the label is written once what is typed is not shown")
        try await pty.type(typed, waitingFor: "SECRET [\(line)]")
        #expect(try await pty.waitForExit() == 0)
        #expect(!pty.text.contains("caf\u{E9}") && pty.settings[3] & UInt(ECHO) != 0)
    }

    @Test("In a secret line Escape is no beginning of a sequence after a pause")
    func secretEscape() async throws {
        let pty = try await Probe.start("secret", until: "PASSWORD")
        defer { pty.end() }
        for typed in ["a\u{1B}", "[Ob\u{1B}[", "1c\u{1B}"] {
            pty.type(typed)
            // The pause is what is tested.
            try await Task.sleep(for: .seconds(1))
        }
        try await pty.type("x\r", waitingFor: "SECRET [a[Ob1cx]")
        #expect(try await pty.waitForExit() == 0)
    }

    @Test("Settings that a shell changes while the program is stopped are in effect at the end")
    func changedSettings() async throws {
        let pty = try Probe.shell("PROBE; stty -ixany ixoff -echoe; echo CHANGED; fg; echo ENDED; read -r line")
        defer { pty.end() }
        try await pty.waitForText("READY")
        let before = pty.settings
        try await pty.type("\u{1A}", waitingFor: "CHANGED")
        try await pty.waitForText("[resumed]")
        #expect(pty.settings[3] & UInt(ICANON) == 0)
        try await pty.type("q", waitingFor: "ENDED")
        #expect(pty.settings[0] & UInt(IXOFF) != 0)
        #expect(pty.settings[3] & UInt(ECHOE) == 0)
        #expect(pty.settings[3] & UInt(ICANON) != 0)
        #expect(before[0] & UInt(IXOFF) == 0)
    }

    @Test("After stop the signal handlers are as before")
    func handlers() async throws {
        let pty = try await Probe.start("handlers", until: nil)
        defer { pty.end() }
        #expect(try await pty.waitForExit() == 0)
        try await pty.waitForText("SAME true")
        // SIGINT was ignored and stays so; the other nine have the handler of the terminal during the session.
        try await pty.waitForText("DIFFERENT 9")
    }

    @Test("Keys typed while the terminal is restored do not reach the shell")
    func typedWhileRestoring() async throws {
        // The settings are back, but the modes are not while the terminal's output is not read: the keys are typed then.
        let pty = try Probe.shell("PROBE flood restore=60000; read -r -t 2 rest; echo \"REST[$rest]\"")
        defer { pty.end() }
        try await pty.waitForText("READY")
        pty.isReading = false
        pty.type("q")
        try await eventually { pty.settings[3] & UInt(ICANON) != 0 }
        pty.type("junk\r")
        pty.isReading = true
        try await pty.waitForText("REST[]\r\n")
    }

    @Test("Keys typed before the program starts arrive, and unread keys do not reach the shell")
    func typedAhead() async throws {
        let script = "echo WAIT; read -r -t 1 -n 1 first; PROBE; read -r -t 1 rest; echo \"REST[$rest]\""
        let pty = try Probe.shell(script)
        defer { pty.end() }
        try await pty.waitForText("WAIT")
        try await pty.type("1a가", waitingFor: "[key a]")
        try await pty.waitForText("[key 가]")
        // The probe is stopped while the rest is typed, so that it ends with unread input.
        let group = tcgetpgrp(pty.descriptor)
        try #require(group > 1)
        try await pty.type("q" + String(repeating: "x", count: 500) + "\r", waitingFor: "REST[")
        #expect(pty.text.contains("REST[]"))
    }

    @Test("The bytes of a character that arrive with pauses are one character", arguments: [0, 60, 300])
    func slowCharacter(_ milliseconds: Int) async throws {
        let pty = try await Probe.start("echo")
        defer { pty.end() }
        for byte in "가👧".utf8 {
            pty.type([byte])
            // The pause is what is tested.
            try await Task.sleep(for: .milliseconds(milliseconds))
        }
        try await pty.waitForText("[key 가]")
        try await pty.waitForText("[key 👧]")
        #expect(!pty.text.contains("\u{FFFD}"))
        #expect(try await pty.waitForExit(typing: "q") == 0)
    }

    @Test("The terminal is asked for its keyboard protocol and its background, and replies reach the application")
    func queries() async throws {
        let pty = try await Probe.start("echo", until: nil)
        defer { pty.end() }
        try await pty.waitForText("\u{1B}[?u")
        try await pty.waitForText("\u{1B}]11;?")
        pty.type("\u{1B}[?5u\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?62c")
        try await pty.waitForText("keyboard(flags: 5)")
        try await pty.waitForText("operatingSystem(\"11;rgb:ffff/ffff/ffff\")")
        try await pty.type("\u{1B}[<35;4;5M\u{1B}[93;3u\u{1B}[27u", waitingFor: "mouse move")
        try await pty.waitForText("[key alt-]]")
        try await pty.waitForText("[key escape]")
        #expect(try await pty.waitForExit(typing: "q") == 0)
    }

    @Test("Keys typed before the first frame of an application are handled")
    func typedBeforeTheFirstFrame() async throws {
        let pty = try await Probe.start("demo", until: nil, columns: 100, rows: 30)
        defer { pty.end() }
        pty.type("typed")
        // The terminal echoes the keys until the program has set raw mode.
        try await eventually(within: .seconds(20)) {
            guard pty.text.contains("\u{1B}[?1049h") else { return false }
            var emulator = TerminalEmulator(size: GridSize(width: 100, height: 30))
            emulator.feed(pty.output)
            return emulator.screen.text.contains("typed")
        }
        #expect(try await pty.waitForExit(typing: "\u{3}") == 130)
    }

    #if os(Linux)
        @Test(
            "An application without input and animations does not wake up",
            .disabled(if: isThreadSanitized, "the sanitizer's own thread wakes up all the time")
        )
        func idle() async throws {
            let pty = try await Probe.start("demo", until: "PRESS START", columns: 100, rows: 30)
            defer { pty.end() }
            // Each thread counts how often it has waited; without work the numbers do not change.
            func waits() throws -> [String] {
                let folder = "/proc/\(pty.process)/task"
                return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { thread in
                    // A thread may end after it has been listed.
                    guard let status = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
                    else { return thread }
                    return thread + status.split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined()
                }
            }
            // The first frames are drawn, and threads of the runtime end, at an unknown time.
            try await eventually {
                let now = try waits()
                try await Task.sleep(for: .milliseconds(500))
                return try waits() == now
            }
            #expect(try await pty.waitForExit(typing: "\u{3}") == 130)
        }
    #endif

    @Test(
        "The graphics protocol is detected from the terminal's replies",
        arguments: [
            ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c", "GRAPHICS kitty"),
            ("\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?62;4c", "GRAPHICS sixel(cell: 8 x 16)"),
            ("\u{1B}[?62;22c", "GRAPHICS none"),
        ]
    )
    func graphics(_ reply: String, _ expected: String) async throws {
        let pty = try await Probe.start("graphics", "60", until: nil)
        defer { pty.end() }
        let before = try Probe.newSettings()
        try await pty.waitForText("\u{1B}[c")
        #expect(pty.text.contains("\u{1B}_Gi=31,"))
        #expect(try await pty.waitForExit(typing: reply) == 0)
        try await pty.waitForText(expected)
        #expect(pty.settings == before)
        #expect(!pty.text.contains("\u{1B}[?1049h") && !pty.text.contains("\u{1B}[?25l"))
    }

    @Test("A signal while the terminal is asked for graphics restores it and has its usual effect")
    func graphicsSignal() async throws {
        let pty = try await Probe.start("graphics", "60", until: nil)
        defer { pty.end() }
        let before = try Probe.newSettings()
        try await pty.waitForText("\u{1B}[c")
        pty.signal(SIGTERM)
        #expect(try await pty.waitForExit() == -SIGTERM)
        #expect(pty.settings == before)
    }

    @Test("A terminal that does not reply has no graphics, and a pipe is not asked")
    func noGraphics() async throws {
        let pty = try await Probe.start("graphics", until: nil)
        defer { pty.end() }
        #expect(try await pty.waitForExit() == 0)
        try await pty.waitForText("GRAPHICS none")
        let result = try await ChildProcess.run(Probe.url, ["graphics"])
        #expect(result.output.contains("GRAPHICS none") && !result.output.contains("\u{1B}"))
    }

    @Test("A terminal that does not reply has no graphics after the time limit, and its late reply can be discarded")
    func lateGraphics() async throws {
        let pty = try await Probe.start("late-graphics", until: nil)
        defer { pty.end() }
        try await pty.waitForText("\u{1B}_Gi=31")
        try await pty.waitForText("MILLISECONDS")
        #expect(pty.text.contains("GRAPHICS none"))
        let time = try #require(pty.text.firstMatch(of: /MILLISECONDS ([0-9.]+)/).flatMap { Double($0.1) })
        // The limit is 300 ms; a busy machine takes longer.
        #expect(time >= 250 && time < 5000)
        try await pty.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c", waitingFor: "ARRIVED 1")
        try await pty.waitForText("LEFT 0")
        #expect(try await pty.waitForExit() == 0)
    }

    @Test("A late reply is not typed text: not for the application, and not for the shell after a quick end")
    func lateReply() async throws {
        let pty = try Probe.shell("PROBE echo reply=60000; read -r -t 1 -n 1 rest; echo \"REST[$rest]\"")
        defer { pty.end() }
        try await pty.waitForText("READY")
        pty.type("q")
        // The program ends, but waits for the reply to its queries.
        try await pty.waitForText("[key q]")
        try await pty.type("\u{1B}[?2026;2$y\u{1B}[?62;22c", waitingFor: "REST[]\r\n")
        #expect(!pty.text.contains("[key ^[") && !pty.text.contains("[key 2]"))
    }

    @Test("A reply after the time limit is not a key of the application")
    func replyAfterTheLimit() async throws {
        let pty = try await Probe.start("echo", "reply=0")
        defer { pty.end() }
        pty.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4cz")
        try await pty.waitForText("[key z]")
        #expect(pty.text.components(separatedBy: "[key ").count == 2, "\(pty.text)")
        #expect(try await pty.waitForExit(typing: "q") == 0)
    }

    @Test("A full-screen application does not ask for graphics")
    func fullScreenQueries() async throws {
        let pty = try await Probe.start("demo", until: "PRESS START")
        defer { pty.end() }
        #expect(pty.text.contains("\u{1B}[?2026$p") && !pty.text.contains("\u{1B}_G"))
    }
}
