import AccountCore
import AppTestSupport
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

@Suite("The screen after a kill", .timeLimit(.minutes(1)))
@MainActor
struct ScreenRestorationTests {
    /// Starts the app with the stored state of an earlier process.
    private func app(_ snapshot: RouterSnapshot?, _ branch: LaunchBranch = .main(nil)) async throws -> AppOnScreen {
        let pictures = FakePictureService()
        pictures.repeated = .sample("Pug")
        return try await AppOnScreen(
            width: 100,
            height: 30,
            todos: ["walk the dog"],
            pictures: pictures,
            account: FakeAccount(branch: branch),
            waitsForTodos: false,
            screenState: snapshot
        )
    }

    @Test("A draft of the entry field, of the editor, of the profile and of the sign-up is stored and restored")
    func drafts() async throws {
        for (keys, text) in [("nbuy milk", "buy milk"), ("e quickly", "walk the dog quickly"), ("oJisu", "Jisu")] {
            let screen = try await app(nil)
            try await screen.wait(for: "walk the dog")
            await screen.type(keys)
            try await screen.wait(for: text)
            try await eventually {
                screen.services.manualClock.advance(by: .seconds(1))
                return screen.services.screenStateFake.stored != nil
            }
            let snapshot = try #require(screen.services.screenStateFake.stored)

            let next = try await app(snapshot)
            try await next.wait(for: text)
        }
    }

    @Test("A sign-up is restored over the logged-out screen with its texts; a password is never stored")
    func signUp() async throws {
        let screen = try await app(nil, .nickname)
        try await screen.wait(for: "Your number is verified")
        await screen.type("maxdog\tsecret7\tMax")
        try await eventually {
            screen.services.manualClock.advance(by: .seconds(1))
            return screen.services.screenStateFake.stored != nil
        }
        let snapshot = try #require(screen.services.screenStateFake.stored)
        #expect("\(snapshot)".contains("maxdog") && !"\(snapshot)".contains("secret7"))

        let next = try await app(snapshot, .nickname)
        try await next.wait(for: "maxdog")
        #expect(next.text.contains("Max") && !next.text.contains("••"))
    }

    @Test("A stored state of another branch, of a newer version or damaged is ignored, and the app starts")
    func unknown() async throws {
        let foreign = RouterSnapshot(
            id: "root",
            state: ["version": "99"],
            children: [
                RouterSnapshot(id: "loggedOut", children: [RouterSnapshot(id: "login", state: ["id": "maxdog"])]),
                RouterSnapshot(id: "home", children: [RouterSnapshot(id: "rocket")]),
            ]
        )
        let screen = try await app(foreign)
        try await screen.wait(for: "walk the dog")
        #expect(screen.root.children.count == 1)
    }
}
