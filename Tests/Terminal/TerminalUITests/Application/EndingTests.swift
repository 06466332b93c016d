import Foundation
import SystemCalls
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("Ending an application", .timeLimit(.minutes(2)))
@MainActor
struct EndingTests {
    /// A piece of work that a test completes.
    @MainActor
    private final class Work {
        var reasons: [Application.EndReason] = []
        var isDone = false
        var isCancelled = false

        func run(_ reason: Application.EndReason) async {
            reasons.append(reason)
            while !isDone && !Task.isCancelled { await Task.yield() }
            isCancelled = Task.isCancelled
        }
    }

    private static let cases: [(TerminalEvent, Application.EndReason)] = [
        (.input(.key(.control("c"))), .quit(130)), (.terminated(signal: 15), .signal(15)), (.closed, .terminalClosed),
    ]

    @Test("It waits for onWillEnd, and until then draws frames and ignores input", arguments: 0..<3)
    func waits(_ index: Int) async throws {
        let (event, reason) = Self.cases[index]
        let label = Label("working")
        let button = Button("Delete")
        var taps = 0
        button.onTap = { taps += 1 }
        let app = await show(label, button, width: 20, height: 3)
        let work = Work()
        app.application.onWillEnd = { await work.run($0) }
        await app.send(event)
        await app.settle()
        #expect(work.reasons == [reason])
        #expect(app.application.endReason == reason)
        label.text = "saving"
        await app.press(.enter)
        await app.send(.terminated(signal: 1))
        #expect(app.text.hasPrefix("saving") && taps == 0)
        #expect(app.exitCode == nil && app.terminal.isStarted)
        work.isDone = true
        try await eventually { app.exitCode != nil }
        #expect(app.exitCode == reason.exitCode)
        #expect(work.reasons == [reason] && !work.isCancelled)
        #expect(!app.terminal.isStarted)
    }

    @Test("onWillEnd has a time limit and is cancelled after it")
    func timeLimit() async throws {
        let app = await show(Label("a"))
        let work = Work()
        app.application.onWillEnd = { await work.run($0) }
        app.application.endTimeLimit = .seconds(3)
        await app.send(.terminated(signal: 15))
        await app.advance(by: .milliseconds(2999))
        #expect(app.exitCode == nil)
        await app.advance(by: .milliseconds(1))
        try await eventually { app.exitCode == 143 }
        try await eventually { work.isCancelled }
    }

    @Test(
        "On a real terminal a signal waits for onWillEnd beyond the grace period",
        arguments: [SIGTERM, SIGHUP, SIGINT]
    )
    func realSignal(_ signal: Int32) async throws {
        let pty = try await Probe.start("saving", "2600", until: "RUNNING")
        defer { pty.end() }
        pty.signal(signal)
        try await pty.waitForText("SAVING")
        // The kernel and a shell both send SIGHUP when a terminal is closed: the second one is not a request to hurry.
        if signal == SIGHUP { pty.signal(signal) }
        #expect(try await pty.waitForExit() == 128 + signal)
        try await pty.waitForText("SAVED")
        let text = pty.text
        let restored = try #require(text.range(of: "\u{1B}[?1049l"))
        let saved = try #require(text.range(of: "SAVED"))
        #expect(restored.lowerBound < saved.lowerBound)
    }

    @Test("On a real terminal onWillEnd that takes too long is ended")
    func realTimeLimit() async throws {
        let pty = try await Probe.start("saving", "60000", until: "RUNNING")
        defer { pty.end() }
        pty.type("\u{3}")
        #expect(try await pty.waitForExit(within: .seconds(9)) == 130)
        try await pty.waitForText("LOST")
    }
}
