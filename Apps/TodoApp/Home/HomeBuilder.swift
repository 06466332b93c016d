import AccountCore
import AppUI
import PictureCore
import PictureFeature
import ProfileFeature
import RIBs
import TodoCore
import TodoFeature

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
        var version: String { dependency.version }
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

/// Holds the list and the picture for as long as it lives, and the profile while it is open.
@MainActor
final class HomeRouter: ViewableRouter<HomeInteractor, any HomeViewControllable>, HomeRouting {
    private let listBuilder: TodoListBuilder
    private let pictureBuilder: PictureBuilder
    private let profileBuilder: ProfileBuilder
    private var list: (any TodoListRouting)?
    private var picture: (any PictureRouting)?
    private var profile: (any ViewableRouting)?

    init(
        interactor: HomeInteractor,
        viewController: any HomeViewControllable,
        listBuilder: TodoListBuilder,
        pictureBuilder: PictureBuilder,
        profileBuilder: ProfileBuilder
    ) {
        self.listBuilder = listBuilder
        self.pictureBuilder = pictureBuilder
        self.profileBuilder = profileBuilder
        super.init(interactor: interactor, viewController: viewController)
    }

    override func didLoad() {
        super.didLoad()
        let list = listBuilder.build(withListener: interactor)
        let picture = pictureBuilder.build()
        self.list = list
        self.picture = picture
        // The views stand before their interactors fill them.
        viewController.embed(list: list.viewControllable, picture: picture.viewControllable)
        attachChild(list)
        attachChild(picture)
    }

    func routeToProfile() {
        guard profile == nil else { return }
        let router = profileBuilder.build(withListener: interactor)
        profile = router
        attachChild(router)
        viewController.push(router.viewControllable)
    }

    func closeProfile() {
        guard let router = profile else { return }
        profile = nil
        viewController.pop(router.viewControllable)
        detachChild(router)
    }

    func showNextPicture() {
        picture?.showNext()
    }

    func undo() {
        list?.undo()
    }
}
