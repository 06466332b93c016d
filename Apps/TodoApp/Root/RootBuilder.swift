import AccountCore
import AppUI
import RIBs
import TutorialFeature

/// What the root adds to the services for its children: its own view controller, over which the tutorial shows its pages.
@MainActor
final class RootComponent: Component<AppServices>, TutorialDependency {
    let tutorialRootViewController: any TutorialRootViewControllable

    init(dependency: AppServices, rootViewController: any TutorialRootViewControllable) {
        tutorialRootViewController = rootViewController
        super.init(dependency: dependency)
    }

    var appearance: Appearance { dependency.appearance }
    var pictureKeys: PictureKeys { dependency.pictureKeys }
}

/// Creates the root of the app's tree.
@MainActor
final class RootBuilder: Builder<AppServices> {
    /// Creates the RIB.
    ///
    /// - Parameters:
    ///   - branch: where the root before has continued, of which this one takes the place; `nil` to check the version and
    ///     restore the session.
    ///   - quit: called with the exit code when the app is to end.
    /// - Returns: the root, to be launched in a window.
    func build(resuming branch: LaunchBranch? = nil, quit: @escaping @MainActor (Int32) -> Void) -> any RootRouting {
        let viewController = RootViewController(appearance: dependency.appearance, keyMap: dependency.keyMap)
        let interactor = RootInteractor(presenter: viewController, services: dependency, quit: quit)
        let router = RootRouter(
            interactor: interactor,
            viewController: viewController,
            builders: RootRouter.Builders(RootComponent(dependency: dependency, rootViewController: viewController)),
            resuming: branch
        )
        interactor.router = router
        return router
    }
}
