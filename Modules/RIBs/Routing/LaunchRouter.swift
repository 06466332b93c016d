/// The router at the root of a tree.
@MainActor
open class LaunchRouter<InteractorType, ViewControllerType>: ViewableRouter<InteractorType, ViewControllerType>,
    LaunchRouting
{
    /// Sets the root view and makes it visible, then activates the interactor, then loads the router.
    ///
    /// The root's `didBecomeActive` so precedes its `didLoad`, as a child's does.
    public final func launch(in window: any RootWindow) {
        window.setRootViewController(viewControllable)
        window.makeVisible()
        interactable.activate()
        load()
    }
}
