import RIBs
import TodoCore

/// Makes home's RIB.
@MainActor
final class HomeBuilder: Builder<any HomeDependency> {
    private final class HomeComponent: Component<any HomeDependency>, TodoListDependency, PictureDependency,
        ProfileDependency
    {
        var todoStore: any TodoStoring { dependency.todoStore }
        var pictureService: any PictureServing { dependency.pictureService }
        var settings: any SettingsStoring { dependency.settings }
        var dataDirectory: String { dependency.dataDirectory }
        var today: @Sendable () -> Day { dependency.today }
        var appearance: Appearance { dependency.appearance }
    }

    /// Makes the RIB.
    func build(withListener listener: any HomeListener) -> any HomeRouting {
        let component = HomeComponent(dependency: dependency)
        let viewController = HomeViewController(appearance: dependency.appearance)
        let interactor = HomeInteractor(presenter: viewController, settings: dependency.settings)
        interactor.listener = listener
        let router = HomeRouter(
            interactor: interactor,
            viewController: viewController,
            listBuilder: TodoListBuilder(dependency: component),
            pictureBuilder: PictureBuilder(dependency: component),
            profileBuilder: ProfileBuilder(dependency: component)
        )
        interactor.router = router
        return router
    }
}
