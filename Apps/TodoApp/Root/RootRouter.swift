import AccountCore
import AppUI
import PictureCore
import RIBs
import TodoCore

/// Shows home for as long as the app runs.
@MainActor
final class RootRouter: LaunchRouter<RootInteractor, any RootViewControllable> {
    private let homeBuilder: HomeBuilder

    init(interactor: RootInteractor, viewController: any RootViewControllable, homeBuilder: HomeBuilder) {
        self.homeBuilder = homeBuilder
        super.init(interactor: interactor, viewController: viewController)
    }

    override func didLoad() {
        super.didLoad()
        let home = homeBuilder.build(withListener: interactor)
        viewController.show(home.viewControllable)
        attachChild(home)
    }
}

/// What the root's router asks of its view controller.
@MainActor
protocol RootViewControllable: ViewControllable {
    /// Fills the screen with a child's view.
    func show(_ child: any ViewControllable)
}

/// Makes the root of the app's tree.
@MainActor
final class RootBuilder: Builder<any RootDependency> {
    private final class RootComponent: Component<any RootDependency>, HomeDependency {
        var todoStore: any TodoStoring { dependency.todoStore }
        var pictureService: any PictureServing { dependency.pictureService }
        var settings: any SettingsStoring { dependency.settings }
        var dataDirectory: String { dependency.dataDirectory }
        var version: String { dependency.version }
        var today: @Sendable () -> Day { dependency.today }
        var appearance: Appearance { dependency.appearance }
    }

    /// Makes the RIB.
    ///
    /// - Parameter quit: called when the user leaves the app.
    /// - Returns: the root, to be launched in a window.
    func build(quit: @escaping @MainActor () -> Void) -> any LaunchRouting {
        let viewController = RootViewController(appearance: dependency.appearance)
        let interactor = RootInteractor(quit: quit)
        let router = RootRouter(
            interactor: interactor,
            viewController: viewController,
            homeBuilder: HomeBuilder(dependency: RootComponent(dependency: dependency))
        )
        return router
    }
}

/// What the app's tree needs of the program around it.
@MainActor
protocol RootDependency: HomeDependency {}

/// The root: it ends the program when the user leaves.
@MainActor
final class RootInteractor: Interactor, HomeListener {
    private let quit: @MainActor () -> Void

    init(quit: @escaping @MainActor () -> Void) {
        self.quit = quit
    }

    func homeDidQuit() {
        quit()
    }
}
