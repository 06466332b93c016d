/// An object that can be started for an interactor and works while the interactor is active.
@MainActor
public protocol Working: AnyObject {
    /// Whether the worker is started. It works only while its scope is active, too.
    var isStarted: Bool { get }

    /// Starts the worker for a scope; does nothing if it is started.
    func start(_ scope: any InteractorScope)

    /// Stops the worker; does nothing if it is stopped.
    func stop()
}

/// A piece of business logic with its own lifetime, which follows the activity of an interactor.
///
/// Once the worker is started, ``didStart(_:)`` is called when the scope is or becomes active, and ``didStop()`` when the
/// scope becomes inactive or is deallocated, and when the worker is stopped. The two calls alternate.
@MainActor
open class Worker: Working {
    private let started = StateSignal<Bool>(false)
    private let bound = CancelBag()
    private var token: ObservationToken?
    /// The number of starts and stops, so that a scope of an earlier start has no effect.
    private var changeCount = 0
    private var isWorking = false

    /// Creates a worker that is not started.
    public init() {}

    #if canImport(Darwin)
        deinit { onMainThread { willDeallocate() } }
    #else
        isolated deinit { willDeallocate() }
    #endif

    private func willDeallocate() {
        stop()
        started.finish()
    }

    /// Whether the worker is started.
    public final var isStarted: Bool { started.value == true }

    /// Whether the worker is started, as a stream for one consumer: the current state, each change, and the end.
    public final var isStartedStream: AsyncStream<Bool> { started.stream() }

    /// Starts the worker for a scope, usually the interactor, which it holds weakly; does nothing if it is started.
    public final func start(_ scope: any InteractorScope) {
        guard !isStarted else { return }
        changeCount += 1
        let count = changeCount
        started.send(true)
        let weakScope = WeakInteractorScope(scope)
        let token = scope.observeActivity(
            { [weak self] isActive in
                guard let self, changeCount == count else { return }
                if isActive { beginWork(weakScope) } else { endWork() }
            },
            end: { [weak self] in
                guard let self, changeCount == count else { return }
                endWork()
            }
        )
        // `didStart` may have stopped the worker, and started it for another scope.
        guard changeCount == count else { return token.cancel() }
        self.token = token
    }

    /// Stops the worker; does nothing if it is stopped.
    public final func stop() {
        guard isStarted else { return }
        changeCount += 1
        token?.cancel()
        token = nil
        started.send(false)
        endWork()
    }

    /// Called when the work begins: the worker is started and its scope is active.
    ///
    /// - Parameter scope: the scope. The worker may store it: it does not retain the interactor.
    open func didStart(_ scope: any InteractorScope) {}

    /// Called when the work ends; the tasks of the worker are cancelled already.
    open func didStop() {}

    /// Starts a task that is cancelled when the work ends, or at once if the worker is not working.
    ///
    /// - Returns: the task.
    @discardableResult
    public final func task(_ operation: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        let task = bound.task(operation)
        if !isWorking { bound.cancelAll() }
        return task
    }

    private func beginWork(_ scope: WeakInteractorScope) {
        guard !isWorking else { return }
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

/// A scope that does not retain the one it forwards to, so that a worker may store it.
@MainActor
private final class WeakInteractorScope: InteractorScope {
    private weak var scope: (any InteractorScope)?

    init(_ scope: any InteractorScope) { self.scope = scope }

    var isActive: Bool { scope?.isActive ?? false }

    func observeActivity(
        _ receive: @escaping @MainActor (Bool) -> Void,
        end: (@MainActor () -> Void)?
    ) -> ObservationToken {
        if let scope { return scope.observeActivity(receive, end: end) }
        receive(false)
        end?()
        return ObservationToken {}
    }
}
