import AccountCore
import AppLanguage
import AppTestSupport
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

@Suite("The way through the app with one device", .timeLimit(.minutes(2)))
@MainActor
struct InputFlowTests {
    private func app(_ size: GridSize) async throws -> AppOnScreen {
        let pictures = FakePictureService()
        pictures.repeated = .sample("Pug")
        return try await AppOnScreen(
            width: size.width,
            height: size.height,
            todos: ["walk the dog"],
            pictures: pictures,
            account: FakeAccount(branch: .tutorial),
            waitsForTodos: false
        )
    }

    /// Clicks texts, each once it is on the screen, and waits for another one; scrolls down if necessary.
    private func click(_ screen: AppOnScreen, _ texts: String..., waitingFor shown: String? = nil) async throws {
        for text in texts {
            for _ in 0..<30 where screen.app.screen.find(text) == nil {
                let center = GridPoint(x: screen.app.screen.size.width / 2, y: screen.app.screen.size.height / 2)
                await screen.app.send(.input(.mouse(MouseEvent(.wheelDown, at: center))))
            }
            try await screen.wait(for: text)
            #expect(await screen.app.click(on: text), "\(text) is not on\n\(screen.text)")
        }
        if let shown { try await screen.wait(for: shown) }
    }

    private nonisolated static let sizes = [
        GridSize(width: 100, height: 30), GridSize(width: 60, height: 20), GridSize(width: 40, height: 12),
    ]

    @Test("By mouse alone: tutorial, guest, menu, profile, login and back, favourites, quit", arguments: sizes)
    func mouse(size: GridSize) async throws {
        let screen = try await app(size)
        for _ in 0..<2 { try await click(screen, "Next") }
        try await click(screen, "Not now", waitingFor: "PRESS START")
        try await click(screen, "Continue as a guest", waitingFor: "walk the dog")
        try await click(screen, "Menu", "Profile", waitingFor: "Name")
        try await click(screen, "Log in", waitingFor: "Password")
        try await click(screen, "Back", waitingFor: "Name")
        try await click(screen, "Menu", "Favourites", waitingFor: "No favourites yet")
        try await click(screen, "Menu", "Todos", waitingFor: "walk the dog")
        try await click(screen, "Settings", "[ ] Log in automatically", waitingFor: "[x] Log in automatically")
        await screen.app.click(GridPoint(x: 1, y: size.height / 2))
        try await click(screen, "Menu", "Quit")
        try await eventually { screen.quits == 1 }
    }

    @Test("Sign-up by mouse alone: only text is typed, every field, choice and button is clicked", arguments: sizes)
    func signUpByMouse(size: GridSize) async throws {
        let screen = try await app(size)
        for _ in 0..<2 { try await click(screen, "Next") }
        try await click(screen, "Sign up", waitingFor: "Enter your telephone number")
        try await click(screen, "010-1234-5678")
        await screen.type("010-1234-5678")
        try await click(screen, "Send code", waitingFor: "Your code is 123456")
        // The message covers the last rows of a small window until it is closed.
        try await click(screen, "✕", "6 digits")
        await screen.type("12345")
        try await click(screen, "Back", waitingFor: "Enter your telephone number")
        try await click(screen, "Send code", waitingFor: "Your code is 123456")
        try await click(screen, "✕", "6 digits")
        await screen.type("123456")
        try await click(screen, "Verify", waitingFor: "Your number is verified")
        for (hint, text) in [
            ("6 to 12 characters", "maxdog"), ("6 to 12 characters", "secret7"), ("1 to 10 characters", "Max"),
            ("2001-03-09", "2001-03-09"), ("name@example.com", "max@example.com"),
        ] {
            try await click(screen, hint)
            await screen.type(text)
        }
        try await click(screen, "not specified", "female")
        try await screen.wait { !$0.contains("other") }
        try await click(screen, "Create account", waitingFor: "walk the dog")
        try await screen.wait(for: "Welcome, Max.")
        let form = SignUpForm(
            id: "maxdog",
            password: "secret7",
            nickname: "Max",
            birth: "2001-03-09",
            email: "max@example.com",
            gender: .female
        )
        #expect(screen.services.accountFake.takeCalls().contains(.signUp(form)))
    }

    @Test("By keyboard alone: tutorial, login and back, guest, profile", arguments: sizes)
    func keyboard(size: GridSize) async throws {
        let screen = try await app(size)
        try await screen.wait(for: "Todos, typed on one line")
        // The first button of each page has the focus.
        for _ in 0..<3 { await screen.app.press(.enter) }
        try await screen.wait { $0.contains("PRESS START") || $0.contains("telephone number") }
        if screen.text.contains("telephone number") { await screen.app.press(.escape) }
        try await screen.wait(for: "PRESS START")
        // Guest, Log in, Sign up.
        try await screen.press(.tab, .enter, waitingFor: "Password")
        try await screen.press(.escape, waitingFor: "PRESS START")
        await screen.app.press(Key(.tab, .shift))
        let isOnGuest = {
            (screen.app.application.window.firstResponder as? Button)?.title == "Continue as a guest"
        }
        for _ in 0..<6 where !isOnGuest() { await screen.app.press(.tab) }
        #expect(isOnGuest())
        try await screen.press(.enter, waitingFor: "walk the dog")
        // The list has the focus, not the field above it.
        try await screen.type("o", waitingFor: "Name")
        try await screen.type("Jisu\n", waitingFor: "The profile is saved")
        try await screen.wait(for: "Jisu")
    }
}
