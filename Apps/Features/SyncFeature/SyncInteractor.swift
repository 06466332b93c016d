import RIBs

/// The logic of Sync.
@MainActor
final class SyncInteractor: PresentableInteractor<any SyncPresentable>, SyncPresentableListener {
    weak var router: (any SyncRouting)?
    weak var listener: (any SyncListener)?

    init(presenter: any SyncPresentable) {
        super.init(presenter: presenter)
        presenter.listener = self
    }

    func didClose() { listener?.syncDidClose() }
}

/// The transitions that the interactor requests.
@MainActor
protocol SyncRouting: ViewableRouting {}

/// The screen of Sync, as its interactor uses it.
@MainActor
protocol SyncPresentable: Presentable {
    var listener: (any SyncPresentableListener)? { get set }
}

/// The user's actions on Sync.
@MainActor
protocol SyncPresentableListener: AnyObject {
    /// The screen is to be closed.
    func didClose()
}

/// The view controller of Sync, as its router uses it.
@MainActor
protocol SyncViewControllable: ViewControllable {}

/// The transitions of Sync.
@MainActor
final class SyncRouter: ViewableRouter<SyncInteractor, any SyncViewControllable>, SyncRouting {}

extension SyncRouter: RestorableRouting {
    var restorationID: String { "sync" }
}
