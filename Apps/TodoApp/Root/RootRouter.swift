import AccountCore
import AppUI
import PictureCore
import RIBs
import TodoCore

/// The services that the screens of the app use.
@MainActor
protocol AppDependency: Dependency {
    /// The store of the todos.
    var todoStore: any TodoStoring { get }
    /// The source of the pictures.
    var pictureService: any PictureServing { get }
    /// The store of the settings.
    var settings: any SettingsStoring { get }
    /// The changes that are not saved yet.
    var pendingChanges: PendingChanges { get }
    /// The clock of delays.
    var clock: any Clock<Duration> { get }
    /// The folder of all files.
    var dataDirectory: String { get }
    /// The program's name and version.
    var version: String { get }
    /// Returns the current day.
    var today: @Sendable () -> Day { get }
    /// The look of the screen.
    var appearance: Appearance { get }
}

/// Creates the root of the app's tree.
@MainActor
final class RootBuilder: Builder<any AppDependency> {
    /// Creates the RIB.
    ///
    /// - Parameter quit: called with the exit code when the app is to end.
    /// - Returns: the root, to be launched in a window.
    func build(quit: @escaping @MainActor (Int32) -> Void) -> any RootRouting {
        let viewController = RootViewController(appearance: dependency.appearance)
        let interactor = RootInteractor(presenter: viewController, quit: quit)
        let router = RootRouter(
            interactor: interactor,
            viewController: viewController,
            homeBuilder: HomeBuilder(dependency: dependency)
        )
        interactor.router = router
        return router
    }
}

/// The root's router, as the program uses it.
@MainActor
protocol RootRouting: LaunchRouting {
    /// The text in any field that is not saved.
    var unsavedText: [String] { get }

    /// Quits, after asking if there is text that is not saved. A second request quits without asking.
    func requestQuit(code: Int32)
}

/// Shows the main screen as long as the app runs.
@MainActor
final class RootRouter: LaunchRouter<RootInteractor, any RootViewControllable>, RootRouting {
    private let homeBuilder: HomeBuilder
    private var home: (any HomeRouting)?

    init(interactor: RootInteractor, viewController: any RootViewControllable, homeBuilder: HomeBuilder) {
        self.homeBuilder = homeBuilder
        super.init(interactor: interactor, viewController: viewController)
    }

    var unsavedText: [String] { home?.unsavedText ?? [] }

    override func didLoad() {
        super.didLoad()
        let home = homeBuilder.build(withListener: interactor)
        self.home = home
        viewController.show(home.viewControllable)
        attachChild(home)
    }

    func requestQuit(code: Int32) {
        interactor.requestQuit(code: code)
    }
}

/// The logic of the root: ends the program.
@MainActor
final class RootInteractor: PresentableInteractor<any RootPresentable>, HomeListener, RootPresentableListener {
    weak var router: (any RootRouting)?

    private let quit: @MainActor (Int32) -> Void
    /// The exit code of the request that the user is asked about.
    private var asked: Int32?

    init(presenter: any RootPresentable, quit: @escaping @MainActor (Int32) -> Void) {
        self.quit = quit
        super.init(presenter: presenter)
        presenter.listener = self
    }

    func homeDidQuit() {
        requestQuit(code: 0)
    }

    func requestQuit(code: Int32) {
        guard asked == nil, let text = router?.unsavedText, !text.isEmpty else { return quit(code) }
        asked = code
        presenter.confirmQuit(unsaved: text)
    }

    func didConfirmQuit() {
        if let asked { quit(asked) }
    }

    func didDeclineQuit() {
        asked = nil
    }
}

/// The view controller of the root, as its router uses it.
@MainActor
protocol RootViewControllable: ViewControllable {
    /// Fills the screen with a child's view.
    func show(_ child: any ViewControllable)
}

/// The screen of the root, as its interactor uses it.
@MainActor
protocol RootPresentable: Presentable {
    var listener: (any RootPresentableListener)? { get set }

    /// Asks whether to quit although text is not saved.
    func confirmQuit(unsaved text: [String])
}

/// The user's reply to the question of the root.
@MainActor
protocol RootPresentableListener: AnyObject {
    /// The app is to end.
    func didConfirmQuit()

    /// The app is to continue.
    func didDeclineQuit()
}
