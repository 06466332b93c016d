import RIBs

/// Makes the picture's RIB.
@MainActor
final class PictureBuilder: Builder<any PictureDependency> {
    /// Makes the RIB.
    func build() -> any PictureRouting {
        let viewController = PictureViewController(appearance: dependency.appearance)
        let interactor = PictureInteractor(
            presenter: viewController,
            service: dependency.pictureService,
            settings: dependency.settings
        )
        return PictureRouter(interactor: interactor, viewController: viewController)
    }
}
