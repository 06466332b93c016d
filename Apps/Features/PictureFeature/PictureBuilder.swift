package import AccountCore
package import AppUI
package import PictureCore
package import RIBs

/// Creates the picture.
@MainActor
package final class PictureBuilder: Builder<any PictureDependency> {
    /// Creates the RIB.
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

/// The dependencies of the picture.
@MainActor
package protocol PictureDependency: Dependency {
    /// The source of the pictures.
    var pictureService: any PictureServing { get }
    /// The favourite breed, read again for each picture.
    var settings: any SettingsStoring { get }
    /// The look of the screen.
    var appearance: Appearance { get }
}

/// The router of the picture, as its parent uses it.
@MainActor
package protocol PictureRouting: ViewableRouting {
    /// Fetches another picture.
    func showNext()

    /// Whether a new picture has arrived, or could not be fetched.
    var hasSettled: Bool { get }
}
