package import RIBs
package import TodoCore
package import TodoSync

/// Syncs in the background: at its start, at an interval, two seconds after a change, and on request. Without an account it only
/// looks whether there is one.
@MainActor
package final class SyncWorker: Worker {
    /// Called after each sync with its request and the state.
    package var onSync: (@MainActor (SyncRequest, SyncState) -> Void)?

    /// How long changes are collected before they are sent.
    static let patience = Duration.seconds(2)

    private let sync: any SyncServing
    private let store: any TodoStoring
    private let clock: any Clock<Duration>
    private let interval: Duration?
    /// What waited at the end of the last sync and at its beginning: it is not sent again before the next interval.
    private var attempted: Set<TodoUnsynced> = []
    private var scheduled: Set<Reason> = []

    /// Why a sync is scheduled.
    private enum Reason { case change, pause }

    /// Creates a worker. Without an interval it syncs only at the start, after changes and on request.
    package init(sync: any SyncServing, store: any TodoStoring, clock: any Clock<Duration>, interval: Duration?) {
        (self.sync, self.store, self.clock, self.interval) = (sync, store, clock, interval)
    }

    package override func didStart(_ scope: any InteractorScope) {
        super.didStart(scope)
        let (store, clock, interval) = (store, clock, interval)
        scheduled = []
        task { [weak self] in
            // The stream is opened before the first sync, so that no change is missed between the two.
            let changes = await store.changes()
            await self?.perform(.unasked)
            for await _ in changes { await self?.didChange() }
        }
        guard let interval else { return }
        task { [weak self] in
            while (try? await clock.sleep(for: interval)) != nil { self?.request(.unasked) }
        }
    }

    /// Requests a sync. It does not wait for the interval, and the user's request not for the end of a pause.
    package func request(_ request: SyncRequest) { task { [weak self] in await self?.perform(request) } }

    private func didChange() async {
        let state = await sync.refresh()
        if state.account != nil, !state.waiting.isSubset(of: attempted) { schedule(.change, after: Self.patience) }
    }

    private func schedule(_ reason: Reason, after delay: Duration) {
        guard scheduled.insert(reason).inserted else { return }
        let clock = clock
        task { [weak self] in
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            self?.scheduled.remove(reason)
            await self?.perform(.unasked)
        }
    }

    private func perform(_ request: SyncRequest) async {
        let before = await sync.refresh()
        guard before.account != nil, !Task.isCancelled else { return }
        let outcome = await sync.sync(request)
        guard !Task.isCancelled else { return }
        let after = await sync.refresh()
        onSync?(request, after)
        switch outcome {
        case .isRunning:
            // What has changed since its beginning is sent after it.
            if !before.waiting.isEmpty { schedule(.change, after: Self.patience) }
        case .paused(let pause):
            if interval != nil { schedule(.pause, after: pause) }
        case .done:
            attempted = after.waiting.intersection(before.waiting)
            if after.waiting != attempted { schedule(.change, after: Self.patience) }
        }
    }
}
