/// A router with a view, which its parent shows and dismisses.
@MainActor
open class ViewableRouter<InteractorType, ViewControllerType>: Router<InteractorType>, ViewableRouting {
    /// The view controller, as the protocol that this router needs.
    public final let viewController: ViewControllerType
    /// The same view controller, as a parent shows it.
    public final let viewControllable: any ViewControllable

    private let leakDetector: LeakDetector
    private var wasActive = false
    private var disappearance: LeakExpectation?

    /// Creates a router that is not attached.
    ///
    /// - Parameters:
    ///   - interactor: the interactor; its type must be `Interactable`, or a protocol that refines it.
    ///   - viewController: the view controller; its type must be `ViewControllable`, or a protocol that refines it.
    ///   - leakDetector: expects the interactor and the view controller to be deallocated soon after the router, and the
    ///     view to leave the screen soon after the router became inactive.
    public init(interactor: InteractorType, viewController: ViewControllerType, leakDetector: LeakDetector = .current) {
        guard let viewControllable = viewController as? any ViewControllable else {
            preconditionFailure("\(ViewControllerType.self) is not ViewControllable: let it refine ViewControllable")
        }
        self.viewController = viewController
        self.viewControllable = viewControllable
        self.leakDetector = leakDetector
        super.init(interactor: interactor, leakDetector: leakDetector)
    }

    override func willDeallocate() {
        disappearance?.cancel()
        // An animation may retain the view longer than the router.
        leakDetector.expectDeallocation(
            of: viewControllable,
            within: LeakDetector.viewTime,
            because: "its router, \(type(of: self)), is deallocated"
        )
        super.willDeallocate()
    }

    override func activityDidChange(isActive: Bool) {
        disappearance?.cancel()
        disappearance = nil
        if !isActive, wasActive {
            disappearance = leakDetector.expectDisappearance(
                of: viewControllable,
                within: LeakDetector.viewTime,
                because: "its router, \(type(of: self)), is inactive"
            )
        }
        wasActive = isActive
        super.activityDidChange(isActive: isActive)
    }
}

extension Routing {
    /// Attaches a child, then shows its view, unless the child has been detached meanwhile, as by closing itself.
    ///
    /// - Parameters:
    ///   - child: a child that is not attached.
    ///   - show: shows the view, such as by pushing or presenting it.
    public func attachChild(_ child: any ViewableRouting, show: (any ViewControllable) -> Void) {
        attachChild(child)
        // A mock does not list the children that it attaches.
        guard attachable == nil || children.contains(where: { $0 === child }) else { return }
        show(child.viewControllable)
    }

    /// Removes the view of a child from the screen, then detaches the child. Does nothing without a child.
    ///
    ///     detachChild(login.take(), hide: viewController.pop)
    ///
    /// - Parameters:
    ///   - child: an attached child; `nil` if none is open.
    ///   - hide: removes the view, such as by popping or dismissing it.
    public func detachChild(_ child: (any ViewableRouting)?, hide: (any ViewControllable) -> Void) {
        guard let child else { return }
        hide(child.viewControllable)
        detachChild(child)
    }
}

/// The router at the root of a tree.
@MainActor
open class LaunchRouter<InteractorType, ViewControllerType>: ViewableRouter<InteractorType, ViewControllerType>,
    LaunchRouting
{
    /// Sets the root view and makes it visible, then activates the interactor, then loads the router.
    ///
    /// The root's `didBecomeActive` thus precedes its `didLoad`, as that of a child does.
    public final func launch(in window: any RootWindow) {
        window.setRootViewController(viewControllable)
        window.makeVisible()
        interactable.activate()
        load()
    }
}
