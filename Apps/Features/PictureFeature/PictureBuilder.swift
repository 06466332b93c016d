package import RIBs

/// Makes the picture's RIB.
@MainActor
package final class PictureBuilder: Builder<any PictureDependency> {
    /// Makes the RIB.
    package func build() -> any PictureRouting {
        let viewController = PictureViewController(appearance: dependency.appearance)
        let interactor = PictureInteractor(
            presenter: viewController,
            service: dependency.pictureService,
            settings: dependency.settings
        )
        return PictureRouter(interactor: interactor, viewController: viewController)
    }
}

/// A leaf: it has no children.
@MainActor
final class PictureRouter: ViewableRouter<PictureInteractor, PictureViewController>, PictureRouting {
    var hasSettled: Bool { interactor.hasSettled }

    func showNext() {
        interactor.didChooseNext()
    }
}
