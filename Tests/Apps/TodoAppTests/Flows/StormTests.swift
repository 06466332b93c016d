import AccountCore
import AppLanguage
import AppTestSupport
import Foundation
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

/// One screen after the other: they share the main actor, and each has the whole time limit.
@Suite("A storm of random events", .timeLimit(.minutes(isLongRun ? 60 : 5)), .serialized)
@MainActor
struct StormTests {
    private static let codes: [Key.Code] = [
        .enter, .tab, .escape, .up, .down, .left, .right, .backspace, .delete, .home, .end, .pageUp, .pageDown,
    ]

    private static let keys: [Key] = {
        let characters: [Key] = "abcdefgklmnoprstuy?/,F 123가".map { Key.character($0) }
        return characters + codes.map { Key($0) } + [Key(.tab, .shift)]
    }()

    private static let pastes = [
        "maxdog", "secret", "우유 사기 +home", "a\nb\tc", String(repeating: "x", count: 300), "\u{1B}[31m",
    ]

    /// The stages of the app, and the questions that they ask.
    private nonisolated static let stages =
        ScreenStage.all + [
            ScreenStage("quit question", keys: "nbuy milk\tq"),
            ScreenStage("consent question", .start, place: ["loggedOut", "login"], keys: "maxdog\tsecret\n"),
            ScreenStage("discard question", place: ["home", "profile"], keys: "Jisu\u{1B}"),
        ]

    /// With `PAWKIT_LONG`, the issue's number of events from every screen; otherwise a part of it.
    private static let count = isLongRun ? 2_000 : 2_000 / 50

    @Test(
        "From every screen, 2,000 random keys, clicks, pastes and resizes neither crash nor hang, and no RIB leaks",
        arguments: stages.map(\.name)
    )
    func storm(name: String) async throws {
        let stage = try #require(Self.stages.first { $0.name == name })
        // `PAWKIT_SEED` repeats a storm whose seed was printed.
        let seed =
            ProcessInfo.processInfo.environment["PAWKIT_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        print("storm from \(name), seed \(seed)")
        try await LeakDetector.reporting {
            Issue.record("\($0), storm from \(name), seed \(seed)")
        } whileRunning: {
            let screen = try await AppOnScreen.on(stage, language: random.next() % 2 == 0 ? .english : .korean)
            for _ in 0..<Self.count where screen.app.exitCode == nil {
                await screen.app.send(event(&random, size: screen.app.screen.size))
                if random.next() % 40 == 0 { await screen.app.advance(by: .seconds(1)) }
            }
            screen.services.accountFake.release()
            #expect(screen.app.exitCode == nil || screen.app.exitCode == 130, "seed \(seed)")
            await screen.app.quit()
            screen.root.interactable.deactivate()
            // A change of the last event may have begun since.
            _ = screen.services.store.takeCalls()
        }
    }

    private func event(_ random: inout SeededGenerator, size: GridSize) -> TerminalEvent {
        let point = GridPoint(
            x: Int(random.next() % UInt64(max(1, size.width))),
            y: Int(random.next() % UInt64(max(1, size.height)))
        )
        switch random.next() % 20 {
        case 0: return .resized(GridSize(width: Int(random.next() % 161) + 40, height: Int(random.next() % 49) + 12))
        case 1: return .input(.paste(Paste(Self.pastes[Int(random.next() % UInt64(Self.pastes.count))])))
        case 2, 3: return .input(.mouse(MouseEvent(.down(.left), at: point)))
        case 4: return .input(.mouse(MouseEvent(.up(.left), at: point)))
        case 5: return .input(.mouse(MouseEvent(.wheelDown, at: point)))
        default: return .input(.key(Self.keys[Int(random.next() % UInt64(Self.keys.count))]))
        }
    }
}
