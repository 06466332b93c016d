import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import PictureCore
import RIBs
import TerminalTesting
import TestSupport
import Testing
import TodoCore
import TodoFeature
import TodoSync

@testable import TodoApp

@Suite("Home's logic")
@MainActor
struct HomeInteractorTests {
    enum Call: Equatable {
        case open(HomeScreen)
        case close(HomeScreen)
        case saveFavourite
        case show(String)
        case editor(String)
        case picture(String)
        case signUp
        case logOut(LocalizedText)
        case nextPicture, reload
        case notice(LocalizedText)
        case quit
        case undo(String)
    }

    @MainActor
    final class NoView: ViewControllable {}

    @MainActor
    final class Router: HomeRouting {
        let calls: CallJournal<Call>
        let interactable: any Interactable = Interactor()
        let viewControllable: any ViewControllable = NoView()
        let children: [any Routing] = []

        var showsSync = false

        init(_ calls: CallJournal<Call>) { self.calls = calls }

        var actionable: any HomeActionable { fatalError("no link is opened") }
        func routeToEditor(of todo: Todo) { calls.record(.editor(todo.title)) }
        func showPicture(of breed: String) async -> Bool {
            calls.record(.picture(breed))
            return breed == "pug"
        }
        func saveFavourite() { calls.record(.saveFavourite) }
        func show(_ picture: PictureReference) { calls.record(.show(picture.url)) }
        func returnToTodos(then completion: @escaping @MainActor () -> Void) {
            Issue.record("returnToTodos was not expected")
        }
        func logOut() { Issue.record("logOut was not expected") }
        func open(_ screen: HomeScreen) { calls.record(.open(screen)) }
        func close(_ screen: HomeScreen) { calls.record(.close(screen)) }
        func showNextPicture() { calls.record(.nextPicture) }
        func reloadPicture() { calls.record(.reload) }
        func undo(step: String) { calls.record(.undo(step)) }
        func add(step: TodoStep) { calls.record(.undo("added " + step.mark)) }
        func lists() async -> [TodoListEntry] { [] }
        func show(list id: String) { Issue.record("show was not expected") }
        var unsavedText: [String] = []
        func load() { Issue.record("load was not expected") }
        func attachChild(_ child: any Routing) { Issue.record("attachChild was not expected") }
        func detachChild(_ child: any Routing) { Issue.record("detachChild was not expected") }
    }

    @MainActor
    final class Listener: HomeListener {
        let calls: CallJournal<Call>

        init(_ calls: CallJournal<Call>) { self.calls = calls }

        func homeDidQuit() { calls.record(.quit) }
        func homeDidChooseSignUp() { calls.record(.signUp) }
        func homeDidLogIn() {}
        func homeDidLogOut(_ notice: LocalizedText) { calls.record(.logOut(notice)) }
        func homeDidNotice(_ notice: LocalizedText) { calls.record(.notice(notice)) }
    }

    private let calls: CallJournal<Call> = journal()
    private let presenter = HomePresenterDouble()
    private let services: FakeServices
    private let router: Router
    private let listener: Listener
    private let interactor: HomeInteractor

    init() throws {
        services = try FakeServices(todos: ["walk"], pictures: FakePictureService(), settings: Settings(name: "지수"))
        router = Router(calls)
        listener = Listener(calls)
        interactor = HomeInteractor(presenter: presenter, services: services.app)
        interactor.router = router
        interactor.listener = listener
    }

    @Test("The user's name is shown once it is known")
    func name() async throws {
        try await activate()
        presenter.calls.finish()
    }

    /// Activates the interactor, which shows the name and that nothing is damaged.
    private func activate() async throws {
        interactor.activate()
        try await eventually { presenter.calls.unasserted.count == 2 }
        presenter.calls.expect(.name("지수"), .banner(nil, 0))
    }

    @Test("A new picture comes after each interval, if there is one")
    func pictureInterval() async throws {
        var app = services.app
        app.pictureInterval = .seconds(300)
        let interactor = HomeInteractor(presenter: presenter, services: app)
        interactor.router = router
        interactor.activate()
        try await eventually { presenter.calls.unasserted.count == 2 }
        for _ in 0..<2 {
            try await eventually {
                services.manualClock.advance(by: .seconds(30))
                return !calls.unasserted.isEmpty
            }
            calls.expect(.nextPicture)
        }
        interactor.deactivate()
        services.manualClock.advance(by: .seconds(300))
        calls.finish()
        presenter.calls.expect(.name("지수"), .banner(nil, 0))
    }

    @Test("S syncs and reports the result, or opens the setup; a problem of another sync is reported once")
    func sync() async throws {
        interactor.didChooseSync()
        calls.expect(.open(.sync))
        services.syncFake.state.account = SyncState.Account(address: "https://a.test", user: "dog", lists: ["Home"])
        try await activate()
        try await eventually { presenter.sync.account != nil && services.syncFake.takeRequests() == [.unasked] }
        interactor.didChooseSync()
        try await eventually { presenter.calls.unasserted.count == 1 }
        presenter.calls.expect(.notice(Notice(kind: .information, text: "All todos are synced.")))
        #expect(services.syncFake.takeRequests() == [.now])
        services.syncFake.state.problem = SyncProblem(.login)
        let text = "The server does not accept the user or the password. Sign in again."
        for request in [SyncRequest.unasked, .unasked, .now] {
            interactor.syncDidRequest(request)
            try await eventually { services.syncFake.takeRequests() == [request] }
        }
        try await eventually { presenter.calls.unasserted.count == 2 }
        for _ in 0..<2 { presenter.calls.expect(.notice(Notice(kind: .failure, text: text))) }
        // The screen of the sync shows the problem.
        router.showsSync = true
        interactor.syncDidRequest(.now)
        try await eventually { services.syncFake.takeRequests() == [.now] }
        services.syncFake.state.problem = nil
        let event = SyncEvent(
            date: .sample,
            list: "",
            title: "Milk",
            action: .conflict(fields: ["title"], tookServer: true)
        )
        let step = TodoStep(number: 1, mark: "m", summary: "sync \"Milk\"")
        services.syncFake.state.conflict = SyncState.Conflict(event: event, step: step)
        for _ in 0..<2 {
            interactor.syncDidRequest(.unasked)
            try await eventually { services.syncFake.takeRequests() == [.unasked] }
        }
        try await eventually { presenter.calls.unasserted.count == 1 }
        presenter.calls.expect(.notice(Notice(kind: .undoable(step: "m"), text: event.text(.english))))
        calls.expect(.undo("added m"))
        interactor.deactivate()
        #expect(presenter.sync.account == nil, "the bar stays when the screen goes")
        presenter.calls.finish()
        calls.finish()
    }

    @Test("What the user chooses goes to the router or to the parent, once each")
    func choices() {
        interactor.didChoose(.profile)
        calls.expect(.open(.profile))
        interactor.didChooseNextPicture()
        calls.expect(.nextPicture)
        interactor.didChooseUndo(step: "a")
        calls.expect(.undo("a"))
        interactor.didChooseQuit()
        calls.expect(.quit)
        interactor.profileDidClose()
        calls.expect(.close(.profile))
        calls.finish()
    }

    @Test("A login over the profile closes itself and is reported; so is a logout, which ends the session")
    func session() async throws {
        try await activate()
        interactor.profileDidChooseLogin()
        calls.expect(.open(.login))
        interactor.loginDidSucceed(services.accountFake.profile)
        calls.expect(.close(.login))
        presenter.calls.expect(.text(CommonText.loggedIn(as: "Max")))
        for text in [[], ["지수"]] {
            router.unsavedText = text
            interactor.didChooseLogOut()
            interactor.didChooseLogOut()
            try await eventually { !presenter.calls.unasserted.isEmpty }
            let question = HomeText.logOut(1, unsent: 1, server: nil)
            presenter.calls.expect(.logOut(text.isEmpty ? question : question.followed(by: RootText.unsaved(text))))
        }
        // A failure is reported, and another attempt is possible.
        services.accountFake.failure = .offline
        interactor.didConfirmLogOut(removesTodos: false)
        try await presenter.calls.expectNext(.notice(Notice(kind: .failure, text: AccountError.offline.text(.english))))
        services.accountFake.failure = nil
        services.syncFake.failure = .isRunning
        interactor.didConfirmLogOut(removesTodos: true)
        try await presenter.calls.expectNext(.notice(Notice(kind: .failure, text: "\(SyncError.isRunning)")))
        #expect(services.accountFake.takeCalls() == [.logout])
        // The server is told after the screen was left, and what it does not learn is reported.
        (services.accountFake.revocation, services.accountFake.isRevocationHeld) = (.onThisMachineOnly, true)
        for _ in 0..<2 { interactor.didConfirmLogOut(removesTodos: false) }
        try await calls.expectNext(.logOut(LogoutResult.everywhere.text))
        #expect(services.accountFake.takeCalls() == [.logout] && services.app.pendingChanges.underWay == ["log out"])
        interactor.deactivate()
        services.accountFake.release()
        try await calls.expectNext(.notice(LogoutResult.onThisMachineOnly.text))
        calls.finish()
        presenter.calls.finish()
    }

    @Test("A link opens the todo, the profile or the picture that it names; what is not there is an error that says so")
    func links() async throws {
        try await activate()
        let todo = try #require(services.store.kept.first)
        let typed = todo.id.description.uppercased().replacing("0", with: "O").replacing("1", with: "l")
        for name in [todo.id.description, typed] {
            try await interactor.open(.todo(name))
            calls.expect(.editor("walk"))
        }
        try await interactor.open(.profile)
        calls.expect(.open(.profile))
        try await interactor.open(.picture(breed: "pug"))
        calls.expect(.picture("pug"))
        await #expect(throws: DeepLinkError.noBreed("unicorn")) {
            try await interactor.open(.picture(breed: "unicorn"))
        }
        calls.expect(.picture("unicorn"))
        await #expect(throws: DeepLinkError.noTodo("zzzz")) { try await interactor.open(.todo("zzzz")) }
        calls.finish()
    }

    @Test("The list's notices are shown as they are")
    func notices() {
        let notice = Notice(kind: .undoable(step: "a"), text: "Deleted: 우유 사기")
        interactor.todoListDidNotice(notice)
        presenter.calls.expect(.notice(notice))
        calls.finish()
    }
}

/// Stands where home's screen would.
@MainActor
final class HomePresenterDouble: HomePresentable {
    func show(context: String?) {}
    /// What was asked of it.
    enum Call: Equatable {
        case notice(Notice)
        case name(String?)
        case banner(String?, Int)
        case text(LocalizedText)
        case logOut(LocalizedText)
    }

    weak var listener: (any HomePresentableListener)?
    let calls: CallJournal<Call> = journal()

    func show(_ notice: Notice) { calls.record(.notice(notice)) }
    func show(name: String?) { calls.record(.name(name)) }
    func show(banner: String?, more: Int) { calls.record(.banner(banner, more)) }
    func show(notice: LocalizedText) { calls.record(.text(notice)) }
    func confirmLogOut(_ message: LocalizedText) { calls.record(.logOut(message)) }
    func show(sync: SyncState) { self.sync = sync }
    /// The state of the sync that was shown last.
    private(set) var sync = SyncState()
}
