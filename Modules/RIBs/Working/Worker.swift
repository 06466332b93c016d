/// What can be started for an interactor and works while it is active.
@MainActor
public protocol Working: AnyObject {
    /// Whether the worker has been started and not stopped; it works only while its scope is active, too.
    var isStarted: Bool { get }

    /// Starts the worker for a scope. Does nothing when it is started.
    func start(_ scope: any InteractorScope)

    /// Stops the worker. Does nothing when it is stopped.
    func stop()
}

/// A piece of business logic with a life of its own that follows an interactor's activity.
///
/// Once started, ``didStart(_:)`` is called whenever the scope is or becomes active, ``didStop()`` whenever it becomes
/// inactive or goes, and when the worker is stopped; they alternate.
@MainActor
open class Worker: Working {
    private let started = StateSignal<Bool>(false)
    private let bound = CancelBag()
    private var token: ObservationToken?
    private var isWorking = false

    /// Creates a worker that is not started.
    public init() {}

    isolated deinit {
        stop()
        started.finish()
    }

    /// Whether the worker has been started and not stopped.
    public final var isStarted: Bool { started.value == true }

    /// Whether the worker is started, as a stream for one consumer: the current state, each change, and the end.
    public final var isStartedStream: AsyncStream<Bool> { started.stream() }

    /// Starts the worker for a scope; does nothing when it is started.
    ///
    /// - Parameter scope: Usually the interactor; held weakly.
    public final func start(_ scope: any InteractorScope) {
        guard !isStarted else { return }
        started.send(true)
        let weakScope = WeakInteractorScope(scope)
        token = scope.observeActivity(
            { [weak self] isActive in
                if isActive { self?.beginWork(weakScope) } else { self?.endWork() }
            },
            end: { [weak self] in self?.endWork() }
        )
    }

    /// Stops the worker; does nothing when it is stopped.
    public final func stop() {
        guard isStarted else { return }
        token?.cancel()
        token = nil
        started.send(false)
        endWork()
    }

    /// Called when the worker is to work: it is started and its scope is active.
    ///
    /// - Parameter scope: The scope, which may be kept: it does not hold the interactor.
    open func didStart(_ scope: any InteractorScope) {}

    /// Called when the worker is to work no longer; its tasks are cancelled already.
    open func didStop() {}

    /// Starts a task that is cancelled when the work ends; at once when the worker is not working.
    ///
    /// - Returns: The task, for who waits for its end.
    @discardableResult
    public final func task(_ operation: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        let task = bound.task(operation)
        if !isWorking { bound.cancelAll() }
        return task
    }

    private func beginWork(_ scope: WeakInteractorScope) {
        guard isStarted, !isWorking else { return }
        isWorking = true
        didStart(scope)
    }

    private func endWork() {
        guard isWorking else { return }
        isWorking = false
        bound.cancelAll()
        didStop()
    }
}
