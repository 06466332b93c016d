import AppLanguage
import AppTestSupport
import AppUI
import CalDAV
import Foundation
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing
import Threading
import TodoCore
import TodoSync

@testable import SyncFeature

@Suite("The sync screen")
@MainActor
struct SyncScreenTests {
    /// The screen over a fake sync.
    @MainActor
    final class Fixture: SyncDependency, SyncListener {
        let fake = FakeSync()
        let today: @Sendable () -> Day = { .sample }
        let appearance: Appearance
        let app: TestApplication
        let root = Router(interactor: Interactor())
        private let navigation = NavigationController()
        private(set) var closes = 0
        private(set) var requests: [SyncRequest] = []
        private var router: (any ViewableRouting)?

        init(
            _ size: GridSize = GridSize(width: 80, height: 30),
            language: AppLanguage = .english,
            depth: ColorDepth = .trueColor,
            state: SyncState = SyncState()
        ) async {
            appearance = .dog(language)
            app = TestApplication(root: navigation, size: size, depth: depth)
            fake.state = state
            root.interactor.activate()
            root.load()
            let router = SyncBuilder(dependency: self).build(withListener: self)
            self.router = router
            root.attachChild(router)
            if let controller = router.viewControllable as? ViewController {
                navigation.setViewControllers([controller])
            }
            await app.settle()
        }

        var sync: any SyncServing { fake }

        func syncDidClose() { closes += 1 }
        func syncDidRequest(_ request: SyncRequest) { requests.append(request) }

        func wait(for text: String) async throws { try await app.wait(for: text, within: .seconds(50)) }

        func type(_ text: String, waitingFor shown: String) async throws {
            await app.type(text)
            try await wait(for: shown)
        }

        /// The place to store.
        var state: [String: String] { (router as? any RestorableRouting)?.restorationState ?? [:] }
        func restore(_ state: [String: String]) { (router as? any RestorableRouting)?.restore(state: state) }
    }

    private static var account: SyncState {
        var state = SyncState()
        state.account = SyncState.Account(address: "https://a.test", user: "dog", lists: ["Home", "Work"])
        state.success = Date.sample
        return state
    }

    @Test(
        "The setup: a wrong password is one attempt and says what to do, then lists are chosen, and the first sync begins"
    )
    func setup() async throws {
        let screen = await Fixture()
        try await screen.wait(for: "Server")
        let lines = screen.app.text.split(separator: "\n", omittingEmptySubsequences: false)
        let password = try #require(lines.firstIndex { $0.contains("Password") })
        #expect(lines[password + 2].contains("Connect"), "one row is free while there is no problem")
        screen.fake.failure = .invalidAddress("https://a.test")
        try await screen.type("https://a.test\tdog\t\n", waitingFor: "Fill in server, user and password.")
        try await screen.type("hunter2\n", waitingFor: "Write https://HOST or a mail address.")
        screen.fake.failure = .server(
            CalDAVError(.unauthorized, method: "PROPFIND", server: "https://a.test", path: "/")
        )
        try await screen.type("\n", waitingFor: "The server does not accept the user or the password.")
        #expect(screen.app.text.contains("Sign in again."))
        let login = SyncLogin(address: "https://a.test", user: "dog", password: "hunter2")
        #expect(screen.fake.logins == [login, login])
        #expect(!screen.app.text.contains("hunter2"))
        #expect(screen.state == ["address": "https://a.test", "user": "dog"])
        screen.fake.failure = nil
        screen.fake.offers = [
            SyncOffer(id: "1", name: "Home"), SyncOffer(id: "2", name: "Team", isReadOnly: true),
        ]
        try await screen.type("\n", waitingFor: "[x] Home")
        #expect(screen.app.text.contains("[ ] Team (read only)"))
        #expect(screen.state.isEmpty)
        // The third choice of the local todos is a new list, which needs a name.
        await screen.app.type("\t\t")
        await screen.app.press(.right, .right, .tab, .enter)
        try await screen.wait(for: "Write the name of the new list.")
        try await screen.type("None\n", waitingFor: "No list can have this name")
        for _ in 0..<4 { await screen.app.press(.backspace) }
        try await screen.type("Phone\n", waitingFor: "Sync now")
        #expect(screen.fake.added.map(\.lists) == [["1"]] && screen.fake.added.map(\.localTodos) == [.new("Phone")])
        #expect(screen.requests == [.now])
        // During the first sync "Back" has the focus, after it "Sync now" again.
        screen.fake.state.account = Self.account.account
        screen.fake.state.isRunning = true
        try await screen.wait(for: SyncText.name(.syncing)(.english))
        screen.fake.state.isRunning = false
        try await screen.type("\n", waitingFor: SyncText.state(.english))
        #expect(screen.requests == [.now, .now] && screen.closes == 0)
    }

    @Test(
        "The account: what waits, a problem with its reason and next step, deletions that require consent, and the log",
        arguments: AppLanguage.allCases
    )
    func account(language: AppLanguage) async throws {
        var state = Self.account
        state.log = [
            SyncEvent(date: .sample, list: "Home", title: "우유", action: .added),
            SyncEvent(date: .sample.addingTimeInterval(-40 * 86_400), list: "Home", title: "차", action: .added),
            SyncEvent(date: .sample, list: "Home", title: String(repeating: "milk ", count: 9) + "문", action: .removed),
        ]
        let screen = await Fixture(GridSize(width: 80, height: 40), language: language, depth: .none, state: state)
        try await screen.wait(for: "✓ \(SyncText.name(.synced)(language))")
        #expect(screen.app.text.contains("https://a.test") && screen.app.text.contains("Home, Work"))
        // The actions are below each other, however long their times are.
        let rows = try state.log.map { event in
            let text = String(event.text(language).prefix(2))
            let line = try #require(screen.app.text.split(separator: "\n").first { $0.contains(text) })
            return DisplayWidth.of(String(line.prefix(upTo: try #require(line.firstRange(of: text)).lowerBound)))
        }
        #expect(Set(rows).count == 1)
        // The rest of a long one is below its text.
        let end = try #require(state.log[2].text(language).split(separator: " ").last)
        let rest = try #require(screen.app.text.split(separator: "\n").last { $0.contains(end) })
        #expect(!rest.contains("milk") && rest.prefix { $0 == " " }.count == rows[0], "\(screen.app.text)")
        screen.fake.state.problem = SyncProblem(.offline, detail: "connection refused")
        screen.fake.state.waiting = [TodoUnsynced(uuid: UUID(), mark: "")]
        try await screen.wait(for: "✕ \(SyncText.name(.offline(1))(language))")
        #expect(screen.app.text.contains(SyncProblem(.offline).reason(language)))
        let lines = screen.app.text.split(separator: "\n", omittingEmptySubsequences: false)
        let detail = try #require(lines.firstIndex { $0.contains("connection refused") })
        #expect(lines[detail + 1].allSatisfy(\.isWhitespace) && lines[detail + 2].contains(SyncText.log(language)))
        #expect(!screen.app.text.contains(SyncText.keep(language)))
        screen.fake.state.problem = nil
        screen.fake.state.refusals = [SyncReport.Refusal(list: "Home", count: 7, total: 8, isFromServer: true)]
        try await screen.wait(for: SyncText.keep(language))
        await screen.app.type("\n")
        #expect(screen.requests == [.restoring])
        await screen.app.type("\t\n")
        #expect(screen.requests == [.restoring, .deleting])
        screen.fake.state.refusals = []
        let full = SyncEvent.Action.problem("the server has no space left; delete something there")
        screen.fake.state.failures = [SyncEvent(date: .sample, list: "Home", title: "우유", action: full)]
        try await screen.wait(for: language == .korean ? "우유: 서버에 남은 공간이" : "우유: the server has no space left")
        #expect(screen.app.text.contains("! \(SyncText.name(.problem)(language))"))
        await screen.app.type("\u{1B}")
        #expect(screen.closes == 1)
    }

    @Test("Other lists are chosen with the stored password, Escape goes back to the account, and ending the sync asks")
    func changes() async throws {
        let screen = await Fixture(state: Self.account)
        screen.fake.offers = [SyncOffer(id: "1", name: "Home", isSynced: true), SyncOffer(id: "2", name: "Garden")]
        try await screen.wait(for: "Change lists")
        try await screen.type("\t\t\n", waitingFor: "[x] Home")
        #expect(screen.fake.logins == [nil])
        #expect(screen.app.text.contains("[ ] Garden"))
        screen.fake.failure = .invalidAddress("https://a.test")
        #expect(await screen.app.click(on: "Save"))
        try await screen.wait(for: "Write https://HOST")
        screen.fake.failure = nil
        try await screen.type("\u{1B}", waitingFor: "Sync now")
        #expect(
            screen.closes == 0 && !screen.app.text.contains("Write https://HOST"),
            "the problem was on the other page"
        )
        try await screen.type("\t\t\t\t\n", waitingFor: "End the sync?")
        await screen.app.type("\u{1B}")
        #expect(screen.fake.state.account != nil)
        try await screen.type("\n", waitingFor: "All todos stay, here and on the server.")
        try await screen.type("\t\n", waitingFor: "The sync has ended.")
        #expect(screen.fake.state.account == nil)
    }

    @Test("Text that was typed before a kill is restored, without the password")
    func restoration() async throws {
        let screen = await Fixture()
        try await screen.wait(for: "Server")
        screen.restore(["address": "https://b.test", "user": "cat"])
        try await screen.wait(for: "https://b.test")
        #expect(screen.state == ["address": "https://b.test", "user": "cat"])
    }

    @Test(
        "On small screens every page fits or scrolls",
        arguments: [GridSize(width: 40, height: 12), GridSize(width: 60, height: 20)]
    )
    func small(size: GridSize) async throws {
        for language in AppLanguage.allCases {
            let screen = await Fixture(size, language: language, state: Self.account)
            try await screen.wait(for: SyncText.state(language))
            let login = await Fixture(size, language: language)
            try await login.wait(for: SyncText.connect(language))
            login.fake.offers = [SyncOffer(id: "1", name: "Home"), SyncOffer(id: "2", name: "장보기")]
            try await login.type("a.test\tdog\tx\n", waitingFor: "[x] 장보기")
            #expect(login.app.text.contains(SyncText.stay(language)))
            try await login.type("\t\t\tA", waitingFor: SyncText.toNew(language))
            let empty = await Fixture(size, language: language)
            try await empty.wait(for: SyncText.connect(language))
            let end = SyncText.noLists(language).split(separator: " ").last.map(String.init) ?? "-"
            try await empty.type("a.test\tdog\tx\n", waitingFor: end)
        }
    }
}

@Suite("The sync screen's logic")
@MainActor
struct SyncInteractorTests {
    @MainActor
    private final class Screen: SyncPresentable, SyncListener {
        weak var listener: (any SyncPresentableListener)?
        var model = SyncModel()
        var closes = 0

        func show(_ model: SyncModel) { self.model = model }
        func syncDidClose() { closes += 1 }
        func syncDidRequest(_ request: SyncRequest) {}
    }

    private let fake = FakeSync()
    private let screen = Screen()
    private let interactor: SyncInteractor

    init() {
        interactor = SyncInteractor(presenter: screen, sync: fake)
        interactor.listener = screen
    }

    private func start() async throws {
        interactor.activate()
        try await eventually { screen.model.page == .login }
        interactor.didChange(address: "a.test", user: "dog")
    }

    @Test("The writable lists are proposed, and the only list; the list of the local todos is synced with the others")
    func choice() async throws {
        try await start()
        let team = SyncOffer(id: "3", name: "Team", isReadOnly: true)
        for (offers, chosen) in [
            ([team], ["3"]),
            ([SyncOffer(id: "1", name: "Home"), SyncOffer(id: "2", name: "Garden"), team], ["1", "2"]),
        ] as [([SyncOffer], Set<String>)] {
            fake.offers = offers
            interactor.didClose()
            interactor.didChooseConnect(password: "x")
            try await eventually { screen.model.page == .lists(offers) && screen.model.activity == nil }
            #expect(screen.model.chosen == chosen)
        }
        interactor.didChoose("2", false)
        interactor.didChoose(.offer("2"))
        interactor.didChooseSave()
        try await eventually { screen.model.page == .account && screen.model.activity == nil }
        #expect(fake.added.map(\.lists) == [["1"]] && fake.added.map(\.localTodos) == [.offer("2")])
        // Another process signs in elsewhere, and ends the sync.
        fake.state.account = SyncState.Account(address: "b.test", user: "cat", lists: [])
        try await eventually { screen.model.state.account?.user == "cat" }
        interactor.didChooseSignIn()
        #expect(screen.model.page == .login && screen.model.address == "b.test" && screen.model.user == "cat")
        interactor.didClose()
        #expect(screen.model.page == .account)
        fake.state.account = nil
        try await eventually { screen.model.page == .login }
    }

    @Test("One request is made at a time, and leaving its page or the screen cancels it")
    func cancels() async throws {
        let ends = Locked<[Bool]>([])
        fake.onConnect = {
            try? await Task.sleep(for: .seconds(300))
            ends.withLock { $0.append(Task.isCancelled) }
        }
        try await start()
        for _ in 0..<2 { interactor.didChooseConnect(password: "x") }
        try await eventually { fake.logins.count == 1 }
        interactor.didClose()
        try await eventually { ends.withLock { $0 } == [true] }
        for _ in 0..<50 { await Task.yield() }
        #expect(screen.model.page == .login && screen.model.activity == nil && screen.closes == 0)
        #expect(fake.logins.count == 1)
        interactor.didChooseConnect(password: "x")
        try await eventually { fake.logins.count == 2 }
        interactor.deactivate()
        try await eventually { ends.withLock { $0 } == [true, true] }
    }
}
