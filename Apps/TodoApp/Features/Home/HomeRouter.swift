import RIBs

/// Holds the list and the picture for as long as it lives, and the profile while it is open.
@MainActor
final class HomeRouter: ViewableRouter<HomeInteractor, any HomeViewControllable>, HomeRouting {
    private let listBuilder: TodoListBuilder
    private let pictureBuilder: PictureBuilder
    private let profileBuilder: ProfileBuilder
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
}
