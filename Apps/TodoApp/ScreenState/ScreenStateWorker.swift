import RIBs

/// Stores the router tree a moment after the screen has changed, and restores it once after the launch.
@MainActor
final class ScreenStateWorker: Worker {
    /// How long changes are collected before they are stored.
    static let delay = Duration.milliseconds(200)

    private let store: any ScreenStateStoring
    private let clock: any Clock<Duration>
    private weak var router: (any RestorableRouting)?
    private var saved: RouterSnapshot?
    private var isScheduled = false
    private var hasRestored = false

    /// The current place; `nil` until the stored one has been restored.
    var place: RouterSnapshot? { router?.snapshot }

    /// Creates a worker.
    init(store: any ScreenStateStoring, clock: any Clock<Duration>) {
        self.store = store
        self.clock = clock
    }

    /// Restores the stored state below a router, whose first child is attached; later changes of the screen are stored.
    ///
    /// - Parameters:
    ///   - router: the router.
    ///   - completion: called when the router and all nodes below it have been restored.
    func restore(below router: any RestorableRouting, completion: @escaping @MainActor () -> Void = {}) {
        guard !hasRestored else { return }
        hasRestored = true
        let store = store
        task { [weak self, weak router] in
            let snapshot = await store.load()
            guard let self, let router, !Task.isCancelled else { return }
            if let snapshot {
                router.restore(from: snapshot)
                completion()
            }
            self.router = router
            saved = snapshot
        }
    }

    /// Schedules a save. Call it for every frame: a frame in which no node has changed costs one comparison.
    func screenDidChange() {
        guard !isScheduled, isStarted, router != nil else { return }
        isScheduled = true
        let clock = clock
        task { [weak self] in
            try? await clock.sleep(for: Self.delay)
            await self?.save()
        }
    }

    private func save() async {
        isScheduled = false
        guard !Task.isCancelled, let snapshot = place, snapshot != saved else { return }
        saved = snapshot
        await store.save(snapshot)
    }
}
