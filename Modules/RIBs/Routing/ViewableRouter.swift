/// A router with a view, which its parent shows and dismisses.
@MainActor
open class ViewableRouter<InteractorType, ViewControllerType>: Router<InteractorType>, ViewableRouting {
    /// The view controller, behind the protocol that this router needs.
    public final let viewController: ViewControllerType
    /// The same view controller, as what a parent can show.
    public final let viewControllable: any ViewControllable

    /// Creates a router that is not attached.
    ///
    /// - Parameters:
    ///   - interactor: The interactor; its type must be `Interactable`, or a protocol that refines it.
    ///   - viewController: The view controller; its type must be `ViewControllable`, or a protocol that refines it.
    ///   - leakDetector: Told to expect the interactor and the view controller to go with the router.
    public init(
        interactor: InteractorType,
        viewController: ViewControllerType,
        leakDetector: LeakDetector = .current
    ) {
        guard let viewControllable = viewController as? any ViewControllable else {
            preconditionFailure("\(ViewControllerType.self) is no ViewControllable: let it refine ViewControllable")
        }
        self.viewController = viewController
        self.viewControllable = viewControllable
        super.init(interactor: interactor, leakDetector: leakDetector)
    }

    isolated deinit {
        // An animation may keep the view longer than the router.
        expectDeallocation(of: viewControllable, within: LeakDetector.viewTime)
    }
}
