/// An interactor as its router uses it: the router activates and deactivates it.
@MainActor
public protocol Interactable: InteractorScope {
    /// Activates the interactor. The router that attaches it calls this.
    func activate()

    /// Deactivates the interactor. The router that detaches it calls this.
    func deactivate()
}

/// The business logic of a RIB. It is active while its router is attached.
///
/// | Call | Order |
/// |---|---|
/// | ``activate()`` | ``isActive`` becomes true, observers are called, then ``didBecomeActive()`` |
/// | ``deactivate()`` | ``willResignActive()`` while still active, then what is bound is cancelled, then ``isActive`` becomes false and observers are called |
@MainActor
open class Interactor: Interactable {
    private let activity = StateSignal<Bool>(false)
    private let bound = CancelBag()
    private var isResigning = false
    /// Whether what is bound is being cancelled, so that a cancellation binds nothing new.
    private var isCancelling = false

    /// Creates an inactive interactor.
    public init() {}

    #if canImport(Darwin)
        deinit { onMainThread { willDeallocate() } }
    #else
        isolated deinit { willDeallocate() }
    #endif

    /// Called on the main actor before the interactor is deallocated.
    func willDeallocate() {
        deactivate()
        activity.finish()
    }

    /// Whether the interactor is active: its router and all routers above it are attached.
    public final var isActive: Bool { activity.value == true }

    /// Activates the interactor; does nothing if it is active, as in ``willResignActive()``.
    public final func activate() {
        guard !isActive else { return }
        activity.send(true)
        // An observer may have deactivated it.
        guard isActive else { return }
        didBecomeActive()
    }

    /// Deactivates the interactor; does nothing if it is inactive or about to resign.
    public final func deactivate() {
        // The hook, or a cancellation, may detach the router of this interactor, which deactivates it again.
        guard isActive, !isResigning else { return }
        isResigning = true
        willResignActive()
        isCancelling = true
        bound.cancelAll()
        (isResigning, isCancelling) = (false, false)
        activity.send(false)
    }

    /// Called when the interactor has become active. Override it to attach children and to start tasks.
    open func didBecomeActive() {}

    /// Called when the interactor is about to resign, while it is still active.
    ///
    /// Override it to undo what ``didBecomeActive()`` did. A viewless RIB cleans up its views here.
    open func willResignActive() {}

    /// Calls `receive` with the current state, then with each new state; never twice in a row with the same one.
    ///
    /// - Parameters:
    ///   - receive: receives the state, synchronously. It must not retain the interactor.
    ///   - end: called once, when the interactor is deallocated.
    /// - Returns: the token; the observation ends when it is deallocated.
    public final func observeActivity(
        _ receive: @escaping @MainActor (Bool) -> Void,
        end: (@MainActor () -> Void)?
    ) -> ObservationToken {
        activity.observe(receive, end: end)
    }

    /// Calls `cancel` when the interactor resigns, or at once if it is inactive.
    ///
    /// The calls are made in the order of registration, after ``willResignActive()``.
    public final func onDeactivate(_ cancel: @escaping @MainActor () -> Void) {
        guard isActive, !isCancelling else { return cancel() }
        bound.insert(cancel)
    }

    /// Starts a task that is cancelled when the interactor resigns, or at once if it is inactive.
    ///
    /// - Parameter operation: runs on the main actor. Capture the interactor weakly: a task that ignores its cancellation
    ///   retains it otherwise.
    /// - Returns: the task.
    @discardableResult
    public final func task(_ operation: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        let task = bound.task(operation)
        if !isActive || isCancelling { bound.cancelAll() }
        return task
    }

    /// The number of registered cancellations, for tests.
    package final var boundCount: Int { bound.count }
}

extension Task {
    /// Cancels the task when the interactor resigns, or at once if it is inactive; returns the task.
    @MainActor
    @discardableResult
    public func cancelOnDeactivate(of interactor: Interactor) -> Self {
        interactor.onDeactivate { self.cancel() }
        return self
    }
}

/// Marks an object through which an interactor displays its state.
@MainActor
public protocol Presentable: AnyObject {}

/// Converts the state of an interactor to what a view controller displays.
@MainActor
open class Presenter<ViewControllerType>: Presentable {
    /// The view controller, as the protocol that this presenter needs.
    public final let viewController: ViewControllerType

    /// Creates a presenter of a view controller.
    public init(viewController: ViewControllerType) { self.viewController = viewController }
}

/// An interactor that displays its state through a presenter.
@MainActor
open class PresentableInteractor<PresenterType>: Interactor {
    /// A presenter, or the view controller itself, as the protocol that this interactor needs.
    public final let presenter: PresenterType

    private let leakDetector: LeakDetector

    /// Creates an inactive interactor.
    ///
    /// - Parameters:
    ///   - presenter: displays the state.
    ///   - leakDetector: expects the presenter to be deallocated within a second of the interactor.
    public init(presenter: PresenterType, leakDetector: LeakDetector = .current) {
        self.presenter = presenter
        self.leakDetector = leakDetector
    }

    override func willDeallocate() {
        leakDetector.expectDeallocation(
            of: presenter as AnyObject,
            within: LeakDetector.objectTime,
            because: "its interactor, \(type(of: self)), is deallocated"
        )
        super.willDeallocate()
    }
}
