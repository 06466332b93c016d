import AccountCore
import LoginFeature
import PictureCore
import PictureFeature
import ProfileFeature
import RIBs
import TodoCore
import TodoFeature

/// Attaches the list and the picture for its lifetime, profile and login while they are open.
@MainActor
final class HomeRouter: ViewableRouter<HomeInteractor, any HomeViewControllable>, HomeRouting {
    private let listBuilder: TodoListBuilder
    private let pictureBuilder: PictureBuilder
    private let profileBuilder: ProfileBuilder
    private let loginBuilder: LoginBuilder
    private let favouritesBuilder: FavouritesBuilder
    private var list: (any TodoListRouting)?
    private var picture: (any PictureRouting)?
    private var profile: (any ProfileRouting)?
    private var login: (any LoginRouting)?
    private var favourites: (any ViewableRouting)?

    init(
        interactor: HomeInteractor,
        viewController: any HomeViewControllable,
        listBuilder: TodoListBuilder,
        pictureBuilder: PictureBuilder,
        profileBuilder: ProfileBuilder,
        loginBuilder: LoginBuilder,
        favouritesBuilder: FavouritesBuilder
    ) {
        self.listBuilder = listBuilder
        self.pictureBuilder = pictureBuilder
        self.profileBuilder = profileBuilder
        self.loginBuilder = loginBuilder
        self.favouritesBuilder = favouritesBuilder
        super.init(interactor: interactor, viewController: viewController)
    }

    var unsavedText: [String] { (list?.unsavedText ?? []) + (profile?.unsavedText ?? []) }

    override func didLoad() {
        super.didLoad()
        let list = listBuilder.build(withListener: interactor)
        let picture = pictureBuilder.build(withListener: interactor)
        self.list = list
        self.picture = picture
        // The views are embedded before their interactors fill them.
        viewController.embed(list: list.viewControllable, picture: picture.viewControllable)
        attachChild(list)
        attachChild(picture)
    }

    func routeToProfile() {
        guard profile == nil else { return }
        closeFavourites()
        let router = profileBuilder.build(withListener: interactor)
        profile = router
        attachChild(router, show: viewController.push)
    }

    func closeProfile() {
        closeLogin()
        detachChild(profile.take(), hide: viewController.pop)
    }

    var actionable: any HomeActionable { interactor }

    func routeToEditor(of todo: Todo) {
        returnToTodos()
        list?.routeToEditor(of: todo)
    }

    func showPicture(of breed: String) async -> Bool {
        returnToTodos()
        return await picture?.show(breed: breed) ?? true
    }

    func routeToLogin() {
        guard login == nil else { return }
        let router = loginBuilder.build(withListener: interactor)
        login = router
        attachChild(router, show: viewController.push)
    }

    func closeLogin() {
        detachChild(login.take(), hide: viewController.pop)
    }

    func routeToFavourites() {
        guard favourites == nil else { return }
        returnToTodos()
        let router = favouritesBuilder.build(withListener: interactor)
        favourites = router
        attachChild(router, show: viewController.push)
    }

    func closeFavourites() {
        detachChild(favourites.take(), hide: viewController.pop)
    }

    func returnToTodos() {
        closeLogin()
        closeProfile()
        closeFavourites()
    }

    func saveFavourite() { picture?.saveFavourite() }

    func show(_ picture: PictureReference) { self.picture?.show(picture) }

    func logOut() {
        interactor.didChooseLogOut()
    }

    func showNextPicture() {
        picture?.showNext()
    }

    func undo(step: String) {
        list?.undo(step: step)
    }
}

extension HomeRouter: RestorableRouting {
    private static let share = "share"

    var restorationID: String { "home" }

    /// The list's share of the width, if the user has changed it.
    var restorationState: [String: String] { viewController.chosenShare.map { [Self.share: "\($0)"] } ?? [:] }

    func restore(state: [String: String]) {
        guard let share = state[Self.share].flatMap({ Double($0) }), (0...1).contains(share) else { return }
        viewController.chosenShare = share
    }

    func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)? {
        switch id {
        case "profile":
            routeToProfile()
            return profile as? any RestorableRouting
        case "favourites":
            routeToFavourites()
            return favourites as? any RestorableRouting
        case "login":
            routeToLogin()
            return login as? any RestorableRouting
        default: return nil
        }
    }
}
