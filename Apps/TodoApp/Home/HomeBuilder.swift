import AccountCore
import AppUI
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
        ProfileDependency
    {
        var todoStore: any TodoStoring { dependency.todoStore }
        var pictureService: any PictureServing { dependency.pictureService }
        var settings: any SettingsStoring { dependency.settings }
        var pendingChanges: PendingChanges { dependency.pendingChanges }
        var clock: any Clock<Duration> { dependency.clock }
        var dataDirectory: String { dependency.dataDirectory }
        var version: String { dependency.version }
        var today: @Sendable () -> Day { dependency.today }
        var appearance: Appearance { dependency.appearance }
    }

    /// Creates the RIB.
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

/// Attaches the list and the picture for its lifetime, and the profile while it is open.
@MainActor
final class HomeRouter: ViewableRouter<HomeInteractor, any HomeViewControllable>, HomeRouting {
    private let listBuilder: TodoListBuilder
    private let pictureBuilder: PictureBuilder
    private let profileBuilder: ProfileBuilder
    private var list: (any TodoListRouting)?
    private var picture: (any PictureRouting)?
    private var profile: (any ProfileRouting)?

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

    var unsavedText: [String] { (list?.unsavedText ?? []) + (profile?.unsavedText ?? []) }

    override func didLoad() {
        super.didLoad()
        let list = listBuilder.build(withListener: interactor)
        let picture = pictureBuilder.build()
        self.list = list
        self.picture = picture
        // The views are embedded before their interactors fill them.
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

    func undo(step: String) {
        list?.undo(step: step)
    }
}

// MARK: - Protocols

/// The parent of the main screen.
@MainActor
protocol HomeListener: AnyObject {
    /// Called when the user quits.
    func homeDidQuit()
}

/// The router of the main screen, as its interactor and its parent use it.
@MainActor
protocol HomeRouting: ViewableRouting {
    /// The text in any field that is not saved.
    var unsavedText: [String] { get }

    /// Opens the profile.
    func routeToProfile()

    /// Closes the profile.
    func closeProfile()

    /// Fetches another picture.
    func showNextPicture()

    /// Undoes the change that a notice reported.
    func undo(step: String)
}

/// The main screen, as its interactor uses it.
@MainActor
protocol HomePresentable: Presentable {
    var listener: (any HomePresentableListener)? { get set }

    /// Shows a short message.
    func show(_ notice: Notice)

    /// Shows the user's name.
    func show(name: String?)

    /// Shows a message that stays; `nil` removes it.
    func show(banner: String?)
}

/// The user's actions on the main screen.
@MainActor
protocol HomePresentableListener: AnyObject {
    /// The profile is to be opened.
    func didChooseProfile()

    /// Another picture is to be fetched.
    func didChooseNextPicture()

    /// The change that a notice reported is to be undone.
    func didChooseUndo(step: String)

    /// The user quits.
    func didChooseQuit()
}

/// The view controller of the main screen, as its router uses it.
@MainActor
protocol HomeViewControllable: ViewControllable {
    /// Shows the list and the picture side by side, or one above the other on a narrow screen.
    func embed(list: any ViewControllable, picture: any ViewControllable)

    /// Opens a screen over the main screen.
    func push(_ child: any ViewControllable)

    /// Closes the screen that was opened last.
    func pop(_ child: any ViewControllable)
}
