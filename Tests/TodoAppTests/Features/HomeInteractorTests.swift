import AccountCore
import AppTestSupport
import AppUI
import RIBs
import TestSupport
import Testing

@testable import TodoApp

@Suite("Home's logic")
@MainActor
struct HomeInteractorTests {
    enum Call: Equatable {
        case openProfile
        case closeProfile
        case nextPicture
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

        init(_ calls: CallJournal<Call>) { self.calls = calls }

        func routeToProfile() { calls.record(.openProfile) }
        func closeProfile() { calls.record(.closeProfile) }
        func showNextPicture() { calls.record(.nextPicture) }
        func undo(step: String) { calls.record(.undo(step)) }
        var unsavedText: [String] { [] }
        func load() { Issue.record("load was not expected") }
        func attachChild(_ child: any Routing) { Issue.record("attachChild was not expected") }
        func detachChild(_ child: any Routing) { Issue.record("detachChild was not expected") }
    }

    @MainActor
    final class Listener: HomeListener {
        let calls: CallJournal<Call>

        init(_ calls: CallJournal<Call>) { self.calls = calls }

        func homeDidQuit() { calls.record(.quit) }
    }

    private let calls: CallJournal<Call> = journal()
    private let presenter = HomePresenterDouble()
    private let router: Router
    private let listener: Listener
    private let interactor: HomeInteractor

    init() {
        router = Router(calls)
        listener = Listener(calls)
        interactor = HomeInteractor(presenter: presenter, settings: FakeSettings(Settings(name: "지수")))
        interactor.router = router
        interactor.listener = listener
    }

    @Test("The user's name is shown once it is known")
    func name() async throws {
        interactor.activate()
        try await eventually { presenter.calls.unasserted.count == 2 }
        presenter.calls.expect(.name("지수"))
        presenter.calls.expect(.banner(nil))
    }

    @Test("What the user chooses goes to the router or to the parent, once each")
    func choices() {
        interactor.didChooseProfile()
        calls.expect(.openProfile)
        interactor.didChooseNextPicture()
        calls.expect(.nextPicture)
        interactor.didChooseUndo(step: "a")
        calls.expect(.undo("a"))
        interactor.didChooseQuit()
        calls.expect(.quit)
        interactor.profileDidClose()
        calls.expect(.closeProfile)
        calls.finish()
    }

    @Test("A saved profile closes, reports it, shows the name and fetches a picture of the breed")
    func profileSaved() {
        interactor.profileDidSave(Settings(name: "민지", favouriteBreed: "pug"))
        calls.expect(.closeProfile)
        calls.expect(.nextPicture)
        calls.finish()
        presenter.calls.expect(.name("민지"))
        presenter.calls.expect(.notice(Notice(kind: .information, text: "The profile is saved")))
        presenter.calls.finish()
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
    /// What was asked of it.
    enum Call: Equatable {
        case notice(Notice)
        case name(String?)
        case banner(String?)
    }

    weak var listener: (any HomePresentableListener)?
    let calls: CallJournal<Call> = journal()

    func show(_ notice: Notice) { calls.record(.notice(notice)) }
    func show(name: String?) { calls.record(.name(name)) }
    func show(banner: String?) { calls.record(.banner(banner)) }
}
