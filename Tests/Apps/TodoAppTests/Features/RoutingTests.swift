import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import LoginFeature
import PictureCore
import PictureFeature
import ProfileFeature
import RIBs
import TerminalUI
import TestSupport
import Testing
import TodoCore
import TodoFeature
import TutorialFeature

@testable import TodoApp

@Suite("Routing")
@MainActor
struct RoutingTests {
    /// What routers ask of views, and what becomes active.
    enum Call: Equatable {
        case rootWindow
        case visible
        case show(String)
        case embed(String, String)
        case push(String)
        case pop(String)
        case present(String)
        case dismiss(String)
    }

    /// A view controller that takes notes, of every kind that a router may hold.
    final class Views: RootViewControllable, HomeViewControllable, RootWindow {
        var chosenShare: Double?
        let calls: CallJournal<Call> = journal()
        /// Looks at the tree in the midst of a call.
        var onCall: (Call) -> Void = { _ in }

        private func record(_ call: Call) {
            calls.record(call)
            onCall(call)
        }

        var openPanel: RootPanel?

        func open(_ panel: RootPanel) { openPanel = panel }
        func showKeys(for key: Key) -> Bool { false }
        func setRootViewController(_ viewController: any ViewControllable) { record(.rootWindow) }
        func makeVisible() { record(.visible) }
        func show(_ child: any ViewControllable) { record(.show(name(child))) }
        func embed(list: any ViewControllable, picture: (any ViewControllable)?) {
            record(.embed(name(list), picture.map(name) ?? "none"))
        }
        func push(_ child: any ViewControllable) { record(.push(name(child))) }
        func pop(_ child: any ViewControllable) { record(.pop(name(child))) }
        func present(tutorial: any ViewControllable) { record(.present(name(tutorial))) }
        func dismiss(tutorial: any ViewControllable) { record(.dismiss(name(tutorial))) }

        private func name(_ child: any ViewControllable) -> String { "\(type(of: child))" }
    }

    private let views = Views()
    private let services: FakeServices

    init() throws { services = try FakeServices(todos: ["walk"], pictures: FakePictureService(.later)) }

    private func home() -> HomeRouter {
        let screen = HomeViewController(appearance: .dog(), keyMap: .standard)
        let interactor = HomeInteractor(presenter: screen, services: services.app)
        let router = HomeRouter(interactor: interactor, viewController: views, services: services.app)
        interactor.router = router
        return router
    }

    /// Returns an active home whose view is loaded.
    private func loadedHome() -> HomeRouter {
        let router = home()
        router.interactable.activate()
        router.load()
        views.calls.expect(.embed("TodoListViewController", "PictureViewController"))
        return router
    }

    private func root(_ interactor: RootInteractor, resuming branch: LaunchBranch? = nil) -> RootRouter {
        let router = RootRouter(
            interactor: interactor,
            viewController: views,
            builders: RootRouter.Builders(RootComponent(dependency: services.app, rootViewController: views)),
            resuming: branch
        )
        interactor.router = router
        return router
    }

    private func interactor(
        _ presenter: RootPresenterDouble = RootPresenterDouble(),
        _ quit: @escaping @MainActor (Int32) -> Void = { _ in }
    ) -> RootInteractor {
        RootInteractor(presenter: presenter, services: services.app, quit: quit)
    }

    /// Lets every request of a picture succeed, whenever it comes after home was attached.
    private func repeatPictures() { (services.pictures.answers, services.pictures.repeated) = ([], .sample("Pug")) }

    @Test("The root's view is in the window before the root is active, and the splash is shown before it is attached")
    func launch() throws {
        repeatPictures()
        services.accountFake.isHeld = true
        var states: [Bool] = []
        let interactor = interactor()
        let root = root(interactor)
        views.onCall = { [weak root] _ in states.append(interactor.isActive && root?.children.isEmpty == true) }
        root.launch(in: views)
        views.calls.expect(.rootWindow, .visible, .show("LaunchViewController"))
        views.calls.finish()
        #expect(states == [false, false, true])
        #expect(
            root.treeDescription == """
                RootRouter (active)
                └─ LaunchRouter (active)
                """
        )
    }

    @Test("The splash stays until the branch is known; then home is shown, and the splash is detached")
    func launchToHome() async throws {
        repeatPictures()
        services.accountFake.isHeld = true
        let root = root(interactor())
        root.launch(in: views)
        try await eventually { services.accountFake.waitingCount == 1 }
        #expect(root.children.count == 1 && root.home == nil)
        services.accountFake.release()
        try await eventually { root.home != nil }
        views.calls.expect(.rootWindow, .visible, .show("LaunchViewController"), .show("HomeViewController"))
        #expect(
            root.treeDescription == """
                RootRouter (active)
                └─ HomeRouter (active)
                   ├─ TodoListRouter (active)
                   └─ PictureRouter (active)
                """
        )
        #expect(services.accountFake.takeCalls() == [.checkVersion, .restoreSession])
        views.calls.finish()
    }

    @Test("A root in place of another one continues where that was, without the launch")
    func resumed() async throws {
        repeatPictures()
        for branch in [LaunchBranch.login, .main(nil)] {
            let root = root(interactor(), resuming: branch)
            root.launch(in: views)
            views.calls.expect(.rootWindow, .visible)
            let isHome = branch != .login
            views.calls.expect(.show(isHome ? "HomeViewController" : "LoggedOutViewController"))
            #expect(root.branch == branch && services.accountFake.takeCalls().isEmpty)
            if isHome { root.interactor.homeDidLogOut(LocalizedText(verbatim: "out")) } else { root.routeToHome() }
            views.calls.expect(.show(isHome ? "LoggedOutViewController" : "HomeViewController"))
            #expect(root.branch == (isHome ? .login : .main(nil)))
            root.interactable.deactivate()
        }
        views.calls.finish()
    }

    @Test("The root presents no view of the tutorial, which has none; the tutorial presents its pages itself")
    func viewlessTutorial() async throws {
        services.pictures.answers = []
        services.accountFake.decision = LaunchDecision(.tutorial)
        let root = root(interactor())
        root.launch(in: views)
        try await eventually { root.children.count == 2 }
        views.calls.expect(.rootWindow, .visible, .show("LaunchViewController"))
        views.calls.expect(.present("TutorialNavigationController"))
        root.routeToLoggedOut()
        views.calls.expect(.show("LoggedOutViewController"), .dismiss("TutorialNavigationController"))
        #expect(root.treeDescription == "RootRouter (active)\n└─ LoggedOutRouter (active)")
        views.calls.finish()
    }

    @Test("Home embeds the list and the picture at its load, before they are attached, and once")
    func embed() {
        services.pictures.answers = []
        let router = home()
        views.onCall = { [weak router] _ in #expect(router?.children.isEmpty == true) }
        router.interactable.activate()
        router.load()
        router.load()
        views.calls.expect(.embed("TodoListViewController", "PictureViewController"))
        #expect(router.children.count == 2)
        #expect(router.children.allSatisfy { $0.interactable.isActive })
        views.calls.finish()
    }

    @Test("The profile is attached, then pushed; popped, then detached; each once however often it is asked for")
    func profile() {
        services.pictures.answers = []
        let router = loadedHome()
        var attached: [Int] = []
        views.onCall = { [weak router] _ in attached.append(router?.children.count ?? 0) }
        router.close(.profile)
        router.open(.profile)
        router.open(.profile)
        views.calls.expect(.push("ProfileViewController"))
        #expect(router.children.last?.interactable.isActive == true)
        let interactable = router.children.last?.interactable
        router.close(.profile)
        router.close(.profile)
        views.calls.expect(.pop("ProfileViewController"))
        #expect(interactable?.isActive == false)
        #expect(attached == [3, 3])
        #expect(router.children.count == 2)
        views.calls.finish()
    }

    @Test(
        "A screen over another one is closed with it, and a list of the menu closes all; a stored share is one of the width"
    )
    func screens() {
        services.pictures.answers = []
        let router = loadedHome()
        router.open(.favourites)
        views.calls.expect(.push("FavouritesViewController"))
        router.open(.profile)
        views.calls.expect(.pop("FavouritesViewController"), .push("ProfileViewController"))
        router.open(.login)
        views.calls.expect(.push("LoginViewController"))
        router.close(.profile)
        views.calls.expect(.pop("LoginViewController"), .pop("ProfileViewController"))
        // An open one is shown by closing those above it.
        router.open(.sync)
        views.calls.expect(.push("SyncViewController"))
        for _ in 0..<2 {
            router.open(.profile)
            views.calls.expect(.push("ProfileViewController"))
            router.open(.login)
            views.calls.expect(.push("LoginViewController"))
            router.open(.profile)
            views.calls.expect(.pop("LoginViewController"))
            router.open(.sync)
            views.calls.expect(.pop("ProfileViewController"))
        }
        router.close(.sync)
        views.calls.expect(.pop("SyncViewController"))
        router.open(.profile)
        views.calls.expect(.push("ProfileViewController"))
        router.show(list: "all")
        views.calls.expect(.pop("ProfileViewController"))
        for (text, share) in [("5", nil), ("-0.1", nil), ("0.25", 0.25)] {
            router.restore(state: ["share": text])
            #expect(views.chosenShare == share)
        }
        views.calls.finish()
    }

    @Test("A link waits until a guest enters, and is opened once, whoever enters later")
    func waitingLink() async throws {
        repeatPictures()
        services.accountFake.decision = LaunchDecision(.login)
        let interactor = interactor()
        let root = root(interactor)
        root.launch(in: views)
        try await eventually { root.loggedOut != nil }
        let link = Task { _ = try await interactor.waitForHome() }
        // The link's task is before this one in the main actor's queue.
        await Task.yield()
        interactor.loggedOutDidChooseGuest()
        try await link.value
        interactor.homeDidLogOut(LocalizedText(verbatim: "out"))
        interactor.loggedOutDidChooseGuest()
        for call in [Call.rootWindow, .visible, .show("LaunchViewController"), .show("LoggedOutViewController")] {
            views.calls.expect(call)
        }
        views.calls.expect(.show("HomeViewController"), .show("LoggedOutViewController"))
        views.calls.expect(.show("HomeViewController"))
        views.calls.finish()
        var calls: [FakeAccount.Call] = []
        try await eventually {
            calls += services.accountFake.takeCalls()
            return calls.count == 4
        }
        #expect(calls == [.checkVersion, .restoreSession, .continueAsGuest, .continueAsGuest])
    }

    @Test("Home requests another picture from its picture child only")
    func nextPicture() async throws {
        let router = loadedHome()
        try await eventually { services.pictures.isWaiting }
        services.pictures.answer(.success(.sample("Pug")))
        services.pictures.answers = [.picture(.sample("Beagle"))]
        try await eventually {
            if services.pictures.requests.count < 2 { router.showNextPicture() }
            return services.pictures.requests.count == 2
        }
        views.calls.finish()
    }

    @Test("The menus have the consent as it is, also after it was withdrawn, and the items of the session")
    func menus() async throws {
        repeatPictures()
        services.accountFake.decision = LaunchDecision(.main(nil))
        let presenter = RootPresenterDouble()
        let interactor = interactor(presenter)
        let root = root(interactor)
        root.launch(in: views)
        try await eventually { presenter.menus.last?.items.isEmpty == false }
        for isGiven in [true, false, true] {
            interactor.didChangeConsent(isGiven)
            #expect(presenter.menus.last?.hasConsent == isGiven)
            try await eventually { services.accountFake.hasConsent == isGiven }
        }
        // The consent is withdrawn elsewhere; the next session shows it.
        services.accountFake.hasConsent = false
        _ = try await services.accountFake.login(id: "maxdog", password: "secret7")
        try await eventually { presenter.menus.last?.session.profile != nil }
        #expect(presenter.menus.last?.hasConsent == false)
        #expect(presenter.menus.last?.items.contains(.logOut) == true)
        // A sign-up stores it after the session.
        services.accountFake.hasConsent = true
        interactor.signUpDidFinish(services.accountFake.profile)
        try await eventually { presenter.menus.last?.hasConsent == true }
        interactor.homeDidLogOut(LocalizedText(verbatim: "out"))
        #expect(presenter.menus.last?.items.first == .guest && presenter.menus.last?.lists.isEmpty == true)
        interactor.didChoose(.logIn)
        #expect(root.loggedOut?.children.count == 1)
        _ = services.accountFake.takeCalls()
        for call in [Call.rootWindow, .visible, .show("LaunchViewController"), .show("HomeViewController")] {
            views.calls.expect(call)
        }
        views.calls.expect(.show("LoggedOutViewController"))
        views.calls.finish()
    }

    @Test("Quitting ends the program at once if all text is saved")
    func quit() throws {
        services.pictures.answers = []
        var codes: [Int32] = []
        let presenter = RootPresenterDouble()
        let interactor = interactor(presenter) { codes.append($0) }
        interactor.homeDidQuit()
        #expect(codes == [0])
        #expect(presenter.questions.isEmpty)
    }

    @Test("Quitting with unsaved text asks; a second request quits without asking")
    func quitWithText() throws {
        services.pictures.answers = []
        var codes: [Int32] = []
        let presenter = RootPresenterDouble()
        let interactor = interactor(presenter) { codes.append($0) }
        let router = UnsavedRoot()
        interactor.router = router
        interactor.requestQuit(code: 130)
        #expect(codes.isEmpty)
        #expect(presenter.questions == [["milk"]])
        interactor.didDeclineQuit()
        interactor.requestQuit(code: 130)
        #expect(presenter.questions.count == 2)
        interactor.requestQuit(code: 130)
        #expect(codes == [130])
        interactor.didDeclineQuit()
        interactor.homeDidQuit()
        interactor.didConfirmQuit()
        #expect(codes == [130, 0])
    }
}

/// Records the questions of the root.
@MainActor
final class RootPresenterDouble: RootPresentable {
    weak var listener: (any RootPresentableListener)?
    private(set) var questions: [[String]] = []
    private(set) var menus: [RootMenus] = []

    func confirmQuit(unsaved text: [String]) { questions.append(text) }
    func show(_ menus: RootMenus) { self.menus.append(menus) }
    func show(notice: LocalizedText) {}
    func show(launchNotices notices: [LocalizedText]) {}
    func show(problems: [LocalizedText]) {}
    func showKeys() {}
}

/// A root with text that is not saved.
@MainActor
private final class UnsavedRoot: MockRouter<String>, RootInternalRouting {
    let unsavedText = ["milk"]
    let place: RouterSnapshot? = nil
    let branch: LaunchBranch? = nil
    var home: (any HomeRouting)?
    var loggedOut: (any LoggedOutRouting)?

    init() { super.init(Interactor()) { Issue.record("\($0)") } }

    let restorationID = "root"

    func requestQuit(code: Int32) { record("requestQuit") }
    func open(_ link: DeepLink) -> Task<Void, any Error> {
        record("open")
        return Task {}
    }
    func showKeys(for key: Key) -> Bool { false }
    func routeToLaunch() { record("launch") }
    func openRestoredPanel() { record("panel") }
    func routeToTutorial() { record("tutorial") }
    func closeTutorial() { record("closeTutorial") }
    func routeToLoggedOut() { record("loggedOut") }
    func routeToSignUp(isVerified: Bool) { record("signUp") }
    func closeSignUp() { record("closeSignUp") }
    func leaveSignUp(then completion: @escaping @MainActor () -> Void) { record("leaveSignUp") }
    func routeToHome() { record("home") }
}
