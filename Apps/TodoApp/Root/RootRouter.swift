import AccountCore
import LaunchFeature
import LoginFeature
import RIBs
import SignUpFeature
import TerminalUI
import TutorialFeature

/// The root's router, as the program uses it.
@MainActor
protocol RootRouting: LaunchRouting {
    /// Opens the place of a link once the main screen is shown.
    ///
    /// - Returns: a task that throws ``DeepLinkError`` if the place is not there, and `CancellationError` if the app ends before.
    func open(_ link: DeepLink) -> Task<Void, any Error>

    /// The text in any field that is not saved.
    var unsavedText: [String] { get }

    /// The place of the user with its drafts; `nil` until the stored one has been restored, which it must not replace.
    var place: RouterSnapshot? { get }

    /// Where the app is now, for a root that takes the place of this one; `nil` before the launch has ended.
    var branch: LaunchBranch? { get }

    /// Shows all keys of what is presented over the screen, such as a sheet, whose keys do not reach the screen.
    ///
    /// - Returns: whether the key is the one of the list of all keys, and something is presented.
    func showKeys(for key: Key) -> Bool

    /// Quits, after asking if there is text that is not saved. A second request quits without asking.
    func requestQuit(code: Int32)
}

/// The transitions that the root's interactor requests.
@MainActor
protocol RootInternalRouting: RootRouting, RestorableRouting {
    /// The main screen, while it is attached.
    var home: (any HomeRouting)? { get }

    /// The logged-out screen, while it is attached.
    var loggedOut: (any LoggedOutRouting)? { get }

    /// Shows the splash screen until the branch is known.
    func routeToLaunch()

    /// Attaches the tutorial, which shows itself.
    func routeToTutorial()

    /// Closes the tutorial, so that the splash screen below it is visible.
    func closeTutorial()

    /// Shows the logged-out screen, in place of every other one.
    func routeToLoggedOut()

    /// Opens the sign-up over the logged-out screen or the main screen, at the details if the telephone number is verified.
    func routeToSignUp(isVerified: Bool)

    /// Closes the sign-up.
    func closeSignUp()

    /// Closes the sign-up, after asking if there is text that is not saved, and then calls a closure; at once without a
    /// sign-up.
    func leaveSignUp(then completion: @escaping @MainActor () -> Void)

    /// Shows the main screen, in place of every other one.
    func routeToHome()

    /// Opens the panel of the restored state. Call it after the screens below the panel have been restored.
    func openRestoredPanel()
}

/// Shows one of launch, logged-out and main screen at a time; tutorial and sign-up over them.
@MainActor
final class RootRouter: LaunchRouter<RootInteractor, any RootViewControllable>, RootInternalRouting {
    /// The builders of the children.
    @MainActor
    struct Builders {
        let launch: LaunchBuilder
        let tutorial: TutorialBuilder
        let loggedOut: LoggedOutBuilder
        let signUp: SignUpBuilder
        let home: HomeBuilder

        /// Creates the builders over the root's component.
        init(_ component: RootComponent) {
            let services = component.dependency
            launch = LaunchBuilder(dependency: services)
            tutorial = TutorialBuilder(dependency: component)
            loggedOut = LoggedOutBuilder(dependency: services)
            signUp = SignUpBuilder(dependency: services)
            home = HomeBuilder(dependency: services)
        }
    }

    private let builders: Builders
    private let resumed: LaunchBranch?
    /// The child whose view is at the root of the navigation.
    private var shown: (any ViewableRouting)?
    private var tutorial: (any ViewlessRouting)?
    private var signUp: (any SignUpRouting)?
    private(set) var home: (any HomeRouting)?
    private(set) var loggedOut: (any LoggedOutRouting)?
    private var restoredPanel: RootPanel?

    init(
        interactor: RootInteractor,
        viewController: any RootViewControllable,
        builders: Builders,
        resuming branch: LaunchBranch? = nil
    ) {
        self.builders = builders
        resumed = branch
        super.init(interactor: interactor, viewController: viewController)
    }

    var unsavedText: [String] {
        (home?.unsavedText ?? []) + (loggedOut?.unsavedText ?? []) + (signUp?.unsavedText ?? [])
    }

    var place: RouterSnapshot? { interactor.place }

    var branch: LaunchBranch? { home != nil ? .main(interactor.profile) : loggedOut != nil ? .login : nil }

    override func didLoad() {
        super.didLoad()
        if let resumed { interactor.launchDidFinish(resumed, notices: []) } else { routeToLaunch() }
    }

    func showKeys(for key: Key) -> Bool { viewController.showKeys(for: key) }

    func requestQuit(code: Int32) { interactor.requestQuit(code: code) }

    func open(_ link: DeepLink) -> Task<Void, any Error> {
        OpenLinkWorkflow(link, root: interactor).start(on: interactor)
    }

    func routeToLaunch() {
        guard shown == nil else { return }
        replace(by: builders.launch.build(withListener: interactor))
    }

    func routeToTutorial() {
        guard tutorial == nil else { return }
        let tutorial = builders.tutorial.build(withListener: interactor)
        self.tutorial = tutorial
        attachChild(tutorial)
    }

    func routeToLoggedOut() {
        guard loggedOut == nil else { return }
        let loggedOut = builders.loggedOut.build(withListener: interactor)
        replace(by: loggedOut)
        self.loggedOut = loggedOut
        closeTutorial()
    }

    func routeToHome() {
        guard home == nil else { return }
        let home = builders.home.build(withListener: interactor)
        replace(by: home)
        self.home = home
        closeTutorial()
    }

    func routeToSignUp(isVerified: Bool) {
        guard signUp == nil else { return }
        let signUp = builders.signUp.build(withListener: interactor, isVerified: isVerified)
        self.signUp = signUp
        attachChild(signUp, show: viewController.push)
    }

    func closeSignUp() { detachChild(signUp.take(), hide: viewController.pop) }

    func leaveSignUp(then completion: @escaping @MainActor () -> Void) {
        if let signUp { signUp.leave(then: completion) } else { completion() }
    }

    func closeTutorial() {
        if let router = tutorial.take() { detachChild(router) }
    }

    /// Shows a child at the root of the navigation, then detaches the one before.
    private func replace(by child: any ViewableRouting) {
        closeSignUp()
        let before = shown
        shown = child
        home = nil
        loggedOut = nil
        viewController.show(child.viewControllable)
        attachChild(child)
        if let before { detachChild(before) }
    }
}

extension RootRouter {
    private static let panel = "panel"

    var restorationID: String { "root" }

    /// The menu, the settings or the list of the keys, while it is open.
    var restorationState: [String: String] {
        viewController.openPanel.map { [Self.panel: $0.rawValue] } ?? [:]
    }

    func restore(state: [String: String]) { restoredPanel = state[Self.panel].flatMap(RootPanel.init(rawValue:)) }

    func openRestoredPanel() {
        if let restoredPanel { viewController.open(restoredPanel) }
        restoredPanel = nil
    }

    func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)? {
        // The launch has attached the main screen or the logged-out one, whatever was stored.
        guard id == "signUp", loggedOut != nil || home != nil && interactor.profile == nil else { return nil }
        routeToSignUp(isVerified: false)
        return signUp as? any RestorableRouting
    }
}
