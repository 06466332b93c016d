import AccountCore
import AppTestSupport
import AppUI
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing
import TodoCore

@testable import TodoApp

@Suite("Screens that are built anew, as after a change of the settings", .timeLimit(.minutes(3)))
@MainActor
struct RestartTests {
    /// The full screen in memory, over fakes.
    @MainActor
    private final class Fixture {
        let services: FakeServices
        let app = TestApplication(root: ViewController(), size: GridSize(width: 100, height: 30))
        let screens: LaunchedScreens

        init(_ services: FakeServices, link: DeepLink? = nil) throws {
            self.services = services
            services.pictures.repeated = .sample("Pug")
            screens = FullScreen(
                configuration: try FaultyServices.configuration("/data"),
                services: services.app,
                console: Console(write: { _ in true }, complain: { _ in }, read: { _ in [] }),
                link: link
            ).launch(in: app.application)
        }

        /// Builds the screens anew.
        func restart() async throws {
            let root = screens.root
            services.app.userSettings.restart?()
            try await eventually { screens.root !== root }
        }

        /// Ends the app, and the reference of its settings to it.
        func end() async {
            await app.quit()
            services.app.userSettings.restart = nil
        }
    }

    @Test("A change that fails after its screen has gone is on the present one, with the typed line")
    func failure() async throws {
        let services = try FakeServices(todos: ["walk"], pictures: FakePictureService())
        let store = services.store
        let fixture = try Fixture(services)
        try await fixture.app.wait(for: "1 open, ")
        store.isHeld = true
        await fixture.app.type("nmilk due:fri\n")
        try await eventually { store.heldCount == 1 }
        let reads = store.reads
        try await fixture.restart()
        try await eventually { store.reads > reads }
        store.failure = .refused(hook: "/hooks/add", reason: "not today")
        store.release()
        try await fixture.app.wait { $0.contains("Not saved: add \"milk\": milk due:fri: not today") }
        store.failure = nil
        #expect(store.takeCalls() == [.add("milk")])
        await fixture.end()
    }

    @Test("A link that waits for the main screen is opened on that of the present screens, once")
    func link() async throws {
        let account = FakeAccount(branch: .login)
        let services = try FakeServices(todos: ["walk"], pictures: FakePictureService(), account: account)
        let fixture = try Fixture(services, link: .todo(services.store.kept[0].id.description))
        try await fixture.app.wait(for: "PRESS START")
        try await fixture.restart()
        try await fixture.app.wait(for: "PRESS START")
        #expect(fixture.screens.link != nil)
        await fixture.app.type("g")
        try await fixture.app.wait(for: "Title         walk")
        try await eventually { fixture.screens.link == nil }
        await fixture.end()
    }
}
