/// A node of the tree of RIBs: it owns its interactor and its children, and attaches and detaches them.
///
/// ``attachChild(_:)`` appends the child, activates its interactor, then loads it. ``detachChild(_:)`` deactivates it,
/// with all below it, parents first, then removes it; what hangs below a detached child stays there and becomes active
/// again with it. Views are never touched: the parent of a viewable child shows and dismisses them, a viewless RIB
/// does it itself.
@MainActor
open class Router<InteractorType>: Routing {
    /// The interactor, behind the protocol that this router needs.
    public final let interactor: InteractorType
    /// The same interactor, as what can be made active.
    public final let interactable: any Interactable
    /// The attached children, in the order of attaching.
    public private(set) final var children: [any Routing] = []

    private let lifecycle = StateSignal<RouterLifecycle>()
    private let leakDetector: LeakDetector
    private var subtreeToken: ObservationToken?
    private var hasLoaded = false

    /// Creates a router that is not attached.
    ///
    /// - Parameters:
    ///   - interactor: The interactor; its type must be `Interactable`, or a protocol that refines it.
    ///   - leakDetector: Told to expect the interactor to go, within a second of the router.
    public init(interactor: InteractorType, leakDetector: LeakDetector = .current) {
        guard let interactable = interactor as? any Interactable else {
            preconditionFailure("\(InteractorType.self) is no Interactable: let it refine Interactable or Interactor")
        }
        self.interactor = interactor
        self.interactable = interactable
        self.leakDetector = leakDetector
    }

    isolated deinit {
        interactable.deactivate()
        for child in children.reversed() { detachChild(child) }
        lifecycle.finish()
        leakDetector.expectDeallocation(
            of: interactable,
            within: LeakDetector.objectTime,
            because: "its router, \(type(of: self)), is gone"
        )
    }

    /// Called once, when the router is attached for the first time and its interactor is active.
    open func didLoad() {}

    /// Binds the subtree to the interactor's activity, tells the lifecycle, then calls ``didLoad()``; once.
    public final func load() {
        guard !hasLoaded else { return }
        hasLoaded = true
        subtreeToken = interactable.observeActivity { [weak self] in self?.setSubtree(active: $0) }
        lifecycle.send(.didLoad)
        didLoad()
    }

    /// Adds a child: appends it, makes it active, then loads it. Does nothing when it is attached already.
    public final func attachChild(_ child: any Routing) {
        guard child !== self, !children.contains(where: { $0 === child }) else { return }
        children.append(child)
        child.interactable.activate()
        child.load()
    }

    /// Makes a child inactive, with all below it, then removes it. Does nothing when it is not attached.
    public final func detachChild(_ child: any Routing) {
        guard children.contains(where: { $0 === child }) else { return }
        child.interactable.deactivate()
        children.removeAll { $0 === child }
    }

    /// Tells `receive` of the moments in this router's life: what has been, then what comes.
    ///
    /// - Parameter receive: Gets the moment, synchronously, before the router's own hook runs.
    /// - Returns: The token that keeps the observation alive.
    public final func observeLifecycle(
        _ receive: @escaping @MainActor (RouterLifecycle) -> Void
    ) -> ObservationToken {
        lifecycle.observe(receive)
    }

    /// The moments in this router's life as a stream for one consumer; it ends with the router.
    public final var lifecycleStream: AsyncStream<RouterLifecycle> { lifecycle.stream() }

    /// What a subclass of the module itself expects to go with the router.
    final func expectDeallocation(of object: AnyObject, within time: Duration) {
        leakDetector.expectDeallocation(of: object, within: time, because: "its router, \(type(of: self)), is gone")
    }

    private func setSubtree(active: Bool) {
        for child in children {
            // A hook of one child may detach another, or turn this router's own activity round.
            guard interactable.isActive == active else { return }
            guard children.contains(where: { $0 === child }) else { continue }
            child.setSubtree(active: active)
        }
    }
}

extension Routing {
    /// Makes this node and all below it active or inactive, parents first.
    fileprivate func setSubtree(active: Bool) {
        if active { interactable.activate() } else { interactable.deactivate() }
        for child in children {
            guard interactable.isActive == active else { return }
            guard children.contains(where: { $0 === child }) else { continue }
            child.setSubtree(active: active)
        }
    }
}
