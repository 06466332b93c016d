import AccountCore
import AppTestSupport
import LocalProvider
import PictureCore
import TerminalTesting
import TerminalUI
import TestSupport
import Testing
import TodoCore

@testable import TodoApp

@Suite("Hostile text on a screen")
@MainActor
struct HostileTextTests {
    /// Everything that would steer a terminal: colours, a title, a clipboard, C1, a bell, and a turn of direction.
    private static let attack = "\u{1B}[31mA\u{1B}]0;pwn\u{7}\u{9B}2J\u{1B}]52;c;cHdu\u{1B}\\\u{202E}B\r\nC"

    /// The bytes that bring a fresh terminal to the current screen.
    private func bytes(of screen: AppOnScreen) -> String {
        var renderer = ScreenRenderer(depth: .trueColor)
        return String(
            decoding: renderer.render(screen.app.application.window.render().buffer, caret: nil),
            as: UTF8.self
        )
    }

    private func expectClean(_ screen: AppOnScreen) {
        let text = bytes(of: screen)
        for bad in ["\u{1B}[31m", "\u{1B}]", "\u{7}", "\u{9B}", "\u{202E}"] {
            #expect(!text.contains(bad), "the terminal got \(bad.debugDescription)")
        }
        #expect(screen.app.terminal.emulator.unknown.isEmpty)
    }

    @Test("A breed's name, a todo, a user's name and an error reach the terminal without control characters")
    func everywhere() async throws {
        let picture = FetchedPicture.sample(Self.attack)
        let screen = try await AppOnScreen(
            width: 100,
            height: 30,
            todos: ["walk"],
            pictures: FakePictureService(.picture(picture)),
            settings: Settings(name: Self.attack)
        )
        screen.services.store.changeOutside { $0[0].title = Self.attack }
        try await screen.wait(for: "␛[31mA")
        try await screen.type(" ", waitingFor: "Done: ␛")
        expectClean(screen)
        _ = screen.services.store.takeCalls()
        screen.services.store.failure = .storage(.corrupt(path: Self.attack, detail: Self.attack))
        await screen.type("u")
        expectClean(screen)
        screen.services.store.changeOutside { _ in }
        try await screen.wait(for: "is damaged")
        expectClean(screen)
        _ = screen.services.store.takeCalls()
    }
}
