import RIBs
import TodoCore

/// Makes the root of the app's tree.
@MainActor
final class RootBuilder: Builder<any RootDependency> {
    private final class RootComponent: Component<any RootDependency>, HomeDependency {
        var todoStore: any TodoStoring { dependency.todoStore }
        var pictureService: any PictureServing { dependency.pictureService }
        var settings: any SettingsStoring { dependency.settings }
        var dataDirectory: String { dependency.dataDirectory }
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
