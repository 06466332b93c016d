package import AccountCore
package import AppLanguage
package import AppUI
package import PictureCore
package import RIBs

/// Creates the picture.
@MainActor
package final class PictureBuilder: Builder<any PictureDependency> {
    /// Creates the RIB.
    package func build(withListener listener: any PictureListener) -> any PictureRouting {
        let viewController = PictureViewController(appearance: dependency.appearance)
        let interactor = PictureInteractor(presenter: viewController, dependency: dependency)
        interactor.listener = listener
        return PictureRouter(interactor: interactor, viewController: viewController)
    }
}

/// The dependencies of the picture.
@MainActor
package protocol PictureDependency: Dependency {
    /// The source of the pictures.
    var pictureService: any PictureServing { get }
    /// The favourite pictures.
    var favourites: any FavouriteStoring { get }
    /// The favourite breed, read again for each picture.
    var settings: any SettingsStoring { get }
    /// The names of its keys.
    var pictureKeys: PictureKeys { get }
    /// The look of the screen.
    var appearance: Appearance { get }
}

/// The parent of the picture.
@MainActor
package protocol PictureListener: AnyObject {
    /// Called when there is something that the user should know, such as that a favourite was saved.
    func pictureDidNotice(_ text: LocalizedText)
}

/// The router of the picture, as its parent uses it.
@MainActor
package protocol PictureRouting: ViewableRouting {
    /// Fetches another picture, unless one is being fetched.
    func showNext()

    /// Fetches another picture in place of the one that is being fetched, as after a change of the breed.
    func reload()

    /// Saves the picture as a favourite.
    func saveFavourite()

    /// Shows a picture that was fetched before.
    func show(_ reference: PictureReference)

    /// Fetches a picture of a breed.
    ///
    /// - Returns: `false` if the service knows no such breed.
    func show(breed: String) async -> Bool

    /// Whether a new picture has arrived, or could not be fetched.
    var hasSettled: Bool { get }
}
