package import PictureCore
package import RIBs

/// The parent of the favourites.
@MainActor
package protocol FavouritesListener: AnyObject {
    /// Called when the screen is to be closed.
    func favouritesDidClose()

    /// Called when a favourite is to be shown beside the todos.
    func favouritesDidChoose(_ picture: PictureReference)
}

/// Creates the favourites: a list with the breed, the source and a preview of each picture.
@MainActor
package final class FavouritesBuilder: Builder<any PictureDependency> {
    /// Creates the RIB.
    package func build(withListener listener: any FavouritesListener) -> any ViewableRouting {
        let viewController = FavouritesViewController(
            appearance: dependency.appearance,
            keys: dependency.pictureKeys
        )
        let interactor = FavouritesInteractor(
            presenter: viewController,
            favourites: dependency.favourites,
            service: dependency.pictureService
        )
        interactor.listener = listener
        return FavouritesRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the favourites, which has no children.
@MainActor
final class FavouritesRouter: ViewableRouter<FavouritesInteractor, FavouritesViewController>, RestorableRouting {
    private static let selected = "selected"

    let restorationID = "favourites"

    /// The address of the selected picture.
    var restorationState: [String: String] { interactor.selectedAddress.map { [Self.selected: $0] } ?? [:] }

    func restore(state: [String: String]) {
        if let address = state[Self.selected] { interactor.restoreSelection(of: address) }
    }
}
