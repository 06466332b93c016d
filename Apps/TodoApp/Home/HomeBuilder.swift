import AccountCore
import AppUI
import LoginFeature
import PictureCore
import PictureFeature
import ProfileFeature
import RIBs
import TodoCore
import TodoFeature

/// Creates the main screen.
@MainActor
final class HomeBuilder: Builder<any AppDependency> {
    private final class HomeComponent: Component<any AppDependency>, TodoListDependency, PictureDependency,
        ProfileDependency, LoginDependency
    {
        var account: any AccountServing { dependency.account }
        var todoStore: any TodoStoring { dependency.todoStore }
        var pictureService: any PictureServing { dependency.pictureService }
        var favourites: any FavouriteStoring { dependency.favourites }
        var settings: any SettingsStoring { dependency.settings }
        var pendingChanges: PendingChanges { dependency.pendingChanges }
        var clock: any Clock<Duration> { dependency.clock }
        var dataDirectory: String { dependency.dataDirectory }
        var version: String { dependency.version }
        var today: @Sendable () -> Day { dependency.today }
        var time: @Sendable () -> TimeOfDay? { dependency.time }
        var appearance: Appearance { dependency.appearance }
        var keyMap: KeyMap { dependency.keyMap }
    }

    /// Creates the RIB.
    func build(withListener listener: any HomeListener) -> any HomeRouting {
        let component = HomeComponent(dependency: dependency)
        let viewController = HomeViewController(appearance: dependency.appearance, keyMap: dependency.keyMap)
        let interactor = HomeInteractor(
            presenter: viewController,
            settings: dependency.settings,
            account: dependency.account,
            todoStore: dependency.todoStore
        )
        interactor.listener = listener
        let router = HomeRouter(
            interactor: interactor,
            viewController: viewController,
            listBuilder: TodoListBuilder(dependency: component),
            pictureBuilder: PictureBuilder(dependency: component),
            profileBuilder: ProfileBuilder(dependency: component),
            loginBuilder: LoginBuilder(dependency: component),
            favouritesBuilder: FavouritesBuilder(dependency: component)
        )
        interactor.router = router
        return router
    }
}
