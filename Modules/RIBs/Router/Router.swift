/// A moment in the life of a router.
public enum RouterLifecycle: Equatable, Sendable {
    /// The router is about to call ``Router/didLoad()``.
    case didLoad
}

/// A node of the tree of RIBs. It owns its interactor and its children, and attaches and detaches them.
///
/// ``attachChild(_:)`` appends the child, activates its interactor, then loads it; if this router is inactive, both wait until
/// it is active. ``detachChild(_:)`` deactivates the child with all nodes below it, parents first, then removes it. The children of a detached child stay attached to it, and become
/// active again with it. Views are never changed: the parent of a viewable child shows and dismisses its view, a viewless
/// RIB does so itself.
@MainActor
open class Router<InteractorType>: Routing {
    /// The interactor, as the protocol that this router needs.
    public final let interactor: InteractorType
    /// The same interactor, as an object that can be activated.
    public final let interactable: any Interactable
    /// The attached children, in the order of attachment.
    public private(set) final var children: [any Routing] = []

    final weak var attachedParent: (any Routing)?
    final var isResigning = false
    private let lifecycle = StateSignal<RouterLifecycle>()
    private let leakDetector: LeakDetector
    private var activityToken: ObservationToken?
    private var isBound = false
    private var hasLoaded = false

    /// Creates a router that is not attached.
    ///
    /// - Parameters:
    ///   - interactor: the interactor; its type must be `Interactable`, or a protocol that refines it.
    ///   - leakDetector: expects the interactor to be deallocated within a second of the router.
    public init(interactor: InteractorType, leakDetector: LeakDetector = .current) {
        guard let interactable = interactor as? any Interactable else {
            preconditionFailure("\(InteractorType.self) is not Interactable: let it refine Interactable or Interactor")
        }
        self.interactor = interactor
        self.interactable = interactable
        self.leakDetector = leakDetector
    }

    #if canImport(Darwin)
        deinit { onMainThread { willDeallocate() } }
    #else
        isolated deinit { willDeallocate() }
    #endif

    /// Called on the main actor before the router is deallocated.
    func willDeallocate() {
        interactable.deactivate()
        for child in children.reversed() { detachChild(child) }
        lifecycle.finish()
        leakDetector.expectDeallocation(
            of: interactable,
            within: LeakDetector.objectTime,
            because: "its router, \(type(of: self)), is deallocated"
        )
    }

    /// Called once, when the router is attached for the first time and its interactor is active.
    open func didLoad() {}

    /// Binds the nodes below to the activity of the interactor, reports the lifecycle, then calls ``didLoad()``; once.
    public final func load() {
        guard !hasLoaded else { return }
        hasLoaded = true
        bind()
        lifecycle.send(.didLoad)
        didLoad()
    }

    /// Binds the nodes below to the activity of the interactor, and so starts them if it is active; once.
    private func bind() {
        guard !isBound else { return }
        isBound = true
        activityToken = interactable.observeActivity { [weak self] in self?.activityDidChange(isActive: $0) }
    }

    /// Adds a child: appends it, activates it, then loads it. While this router is inactive, the child is only appended; it is
    /// activated and loaded when this router becomes active. A child that is detached or deactivated while it becomes active is
    /// not loaded.
    ///
    /// A child that is attached already, here or to another router, or that a router is deactivating, and this router itself or
    /// one above it are not attached: a ``Misuse`` is reported.
    public final func attachChild(_ child: any Routing) {
        if let misuse = misuse(ofAttaching: child) { return Misuse.report(misuse) }
        children.append(child)
        child.attachable?.attachedParent = self
        guard interactable.isActive else { return }
        // The interactor may attach a child in its hook, before this router loads: both end together nevertheless.
        if isBound { start(child) } else { bind() }
    }

    private func start(_ child: any Routing) {
        guard child.attachable?.isResigning != true else { return }
        child.interactable.activate()
        // The child may have closed or deactivated itself in its hook.
        if child.interactable.isActive, isAttached(child) { child.load() }
    }

    /// Deactivates a child with all nodes below it. Their hooks cannot start or attach it again meanwhile.
    private func stop(_ child: any Routing) {
        let node = child.attachable
        guard node?.isResigning != true else { return }
        node?.isResigning = true
        child.interactable.deactivate()
        node?.isResigning = false
    }

    private func isAttached(_ child: any Routing) -> Bool { children.contains { $0 === child } }

    /// Deactivates a child with all nodes below it, then removes it; does nothing if it is not attached.
    public final func detachChild(_ child: any Routing) {
        guard isAttached(child) else { return }
        stop(child)
        children.removeAll { $0 === child }
        child.attachable?.attachedParent = nil
    }

    /// Calls `receive` with each moment in the life of this router, those of the past first.
    ///
    /// - Parameter receive: receives the moment, synchronously, before the router's own hook runs.
    /// - Returns: the token; the observation ends when it is deallocated.
    public final func observeLifecycle(_ receive: @escaping @MainActor (RouterLifecycle) -> Void) -> ObservationToken {
        lifecycle.observe(receive)
    }

    /// The moments in the life of this router as a stream for one consumer; it finishes with the router.
    public final var lifecycleStream: AsyncStream<RouterLifecycle> { lifecycle.stream() }

    /// Called when the interactor becomes active or inactive, and with the current state when the router loads.
    func activityDidChange(isActive: Bool) {
        for child in children {
            // The hook of one child may detach another, or change the activity of this router.
            guard interactable.isActive == isActive else { return }
            guard isAttached(child) else { continue }
            // A child with active nodes below it observes its interactor, and so passes the change on to them.
            if isActive {
                start(child)
            } else {
                stop(child)
                // A hook may have activated this router again, which has started all children but this one.
                if interactable.isActive, isAttached(child) { start(child) }
            }
        }
    }

    private func misuse(ofAttaching child: any Routing) -> Misuse? {
        let (childName, name) = ("\(type(of: child))", "\(type(of: self))")
        if child === self { return .attachedToItself(router: name) }
        if isAttached(child) { return .attachedTwice(child: childName, parent: name) }
        guard let node = child.attachable else { return nil }
        if let other = node.attachedParent {
            return .attachedElsewhere(child: childName, parent: name, otherParent: "\(type(of: other))")
        }
        if node.isResigning { return .attachedWhileResigning(child: childName, parent: name) }
        var ancestor = attachedParent
        while let router = ancestor {
            if router === child { return .attachedAncestor(child: childName, parent: name) }
            ancestor = router.attachable?.attachedParent
        }
        return nil
    }
}

/// A router that knows where it is attached.
@MainActor
protocol AttachableRouting: Routing {
    var attachedParent: (any Routing)? { get set }
    /// Whether a router is deactivating this one and the nodes below it.
    var isResigning: Bool { get set }
}

extension Router: AttachableRouting {}

extension Routing {
    /// This router, if it knows where it is attached; a mock does not.
    var attachable: (any AttachableRouting)? { self as? any AttachableRouting }
}
