package import AppUI
package import RIBs
package import TodoCore
package import TodoSync

/// The dependencies of the sync screen.
@MainActor
package protocol SyncDependency: Dependency {
    /// The sync.
    var sync: any SyncServing { get }
    /// Returns the current day.
    var today: @Sendable () -> Day { get }
    /// The look of the screen.
    var appearance: Appearance { get }
}

/// Creates the sync screen.
@MainActor
package final class SyncBuilder: Builder<any SyncDependency> {
    /// Creates the RIB.
    package func build(withListener listener: any SyncListener) -> any ViewableRouting {
        let viewController = SyncViewController(appearance: dependency.appearance, today: dependency.today)
        let interactor = SyncInteractor(presenter: viewController, sync: dependency.sync)
        interactor.listener = listener
        return SyncRouter(interactor: interactor, viewController: viewController)
    }
}

/// The parent of the sync screen.
@MainActor
package protocol SyncListener: AnyObject {
    /// Called when the screen is to be closed.
    func syncDidClose()

    /// Called when a sync is to be made.
    func syncDidRequest(_ request: SyncRequest)
}

/// The router of the sync screen, which has no children.
@MainActor
final class SyncRouter: ViewableRouter<SyncInteractor, any ViewControllable>, RestorableRouting {
    let restorationID = "sync"

    /// The address and the user that were typed. The password is not stored.
    var restorationState: [String: String] { interactor.draft }

    func restore(state: [String: String]) { interactor.restore(state) }
}
