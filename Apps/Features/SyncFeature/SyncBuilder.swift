package import AppUI
package import RIBs

/// The dependencies of Sync.
@MainActor
package protocol SyncDependency: Dependency {
    /// The look of the screen.
    var appearance: Appearance { get }
}

/// Creates Sync.
@MainActor
package final class SyncBuilder: Builder<any SyncDependency> {
    /// Creates the RIB.
    package func build(withListener listener: any SyncListener) -> any ViewableRouting {
        let viewController = SyncViewController(appearance: dependency.appearance)
        let interactor = SyncInteractor(presenter: viewController)
        interactor.listener = listener
        let router = SyncRouter(interactor: interactor, viewController: viewController)
        interactor.router = router
        return router
    }
}

/// The parent of Sync.
@MainActor
package protocol SyncListener: AnyObject {
    /// Called when the screen is to be closed.
    func syncDidClose()
}
