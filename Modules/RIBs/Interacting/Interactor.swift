/// The business logic of a RIB: active while its router is attached.
///
/// | Call | Order |
/// |---|---|
/// | ``activate()`` | active becomes true and is told, then ``didBecomeActive()`` |
/// | ``deactivate()`` | ``willResignActive()`` while still active, then what is bound is cancelled, then active becomes false and is told |
@MainActor
open class Interactor: Interactable {
    private let activity = StateSignal<Bool>(false)
    private let bound = CancelBag()

    /// Creates an inactive interactor.
    public init() {}

    isolated deinit {
        deactivate()
        activity.finish()
    }

    /// Whether the interactor is active: attached, with every router above it attached too.
    public final var isActive: Bool { activity.value == true }

    /// Makes the interactor active; does nothing when it is active.
    public final func activate() {
        guard !isActive else { return }
        activity.send(true)
        // An observer may have made it inactive again.
        guard isActive else { return }
        didBecomeActive()
    }

    /// Makes the interactor inactive; does nothing when it is inactive.
    public final func deactivate() {
        guard isActive else { return }
        willResignActive()
        bound.cancelAll()
        activity.send(false)
    }

    /// Called when the interactor has become active: the place to attach children and to start tasks.
    open func didBecomeActive() {}

    /// Called when the interactor is about to resign, while it is still active: the place to undo what
    /// ``didBecomeActive()`` did; a viewless RIB cleans up its views here.
    open func willResignActive() {}

    /// Tells `receive` whether the interactor is active: now, then at each change, never the same twice running.
    ///
    /// - Parameters:
    ///   - receive: Gets the state, synchronously. It must not hold the interactor strongly.
    ///   - end: Called once, when the interactor is deallocated.
    /// - Returns: The token that keeps the observation alive.
    public final func observeActivity(
        _ receive: @escaping @MainActor (Bool) -> Void,
        end: (@MainActor () -> Void)?
    ) -> ObservationToken {
        activity.observe(receive, end: end)
    }

    /// Calls `cancel` when the interactor resigns; at once when it is inactive.
    ///
    /// What is bound is cancelled in the order of binding, after ``willResignActive()``.
    public final func onDeactivate(_ cancel: @escaping @MainActor () -> Void) {
        guard isActive else { return cancel() }
        bound.insert(cancel)
    }

    /// Starts a task that is cancelled when the interactor resigns; at once when it is inactive.
    ///
    /// - Parameter operation: Runs on the main actor. Hold the interactor weakly in it, or a task that ignores its
    ///   cancellation keeps the interactor alive.
    /// - Returns: The task, for who waits for its end.
    @discardableResult
    public final func task(_ operation: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        let task = bound.task(operation)
        if !isActive { bound.cancelAll() }
        return task
    }

    /// How many cancellations are bound, for tests.
    package final var boundCount: Int { bound.count }
}

extension Task {
    /// Cancels the task when the interactor resigns; at once when it is inactive.
    ///
    /// - Returns: The task itself.
    @MainActor
    @discardableResult
    public func cancelOnDeactivate(of interactor: Interactor) -> Self {
        interactor.onDeactivate { self.cancel() }
        return self
    }
}
