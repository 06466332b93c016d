/// A node of the tree of RIBs.
@MainActor
public protocol Routing: AnyObject {
    /// The interactor of the node.
    var interactable: any Interactable { get }

    /// The attached children, in the order of attachment.
    var children: [any Routing] { get }

    /// Completes the setup of the node, once. The parent calls it when it attaches the node.
    func load()

    /// Adds a child: the child becomes active, then loads; while the node is inactive, both wait until it is active.
    func attachChild(_ child: any Routing)

    /// Deactivates a child with all nodes below it, then removes it. Its views are not changed.
    func detachChild(_ child: any Routing)
}

/// A node with a view, which its parent shows and dismisses.
@MainActor
public protocol ViewableRouting: Routing {
    /// The view controller of the node.
    var viewControllable: any ViewControllable { get }
}

/// A node without a view, which shows the views of others through a view controller of its parent.
///
/// Its parent only attaches and detaches it. The node dismisses the views that it shows in ``cleanUpViews()``, which its interactor
/// calls from ``Interactor/willResignActive()``.
@MainActor
public protocol ViewlessRouting: Routing {
    /// Dismisses everything that this node has shown.
    func cleanUpViews()
}

/// The root of a tree.
@MainActor
public protocol LaunchRouting: ViewableRouting {
    /// Shows the root's view in a window, then activates the tree.
    func launch(in window: any RootWindow)
}

/// A view controller of any user interface toolkit, as routers retain and show it.
@MainActor
public protocol ViewControllable: AnyObject {
    /// Whether the view is on screen, for the leak detector; `false` by default.
    ///
    /// Implement it, for instance as `viewIfLoaded?.window != nil`, and a view that stays on screen after its router was
    /// detached is reported.
    var isOnScreen: Bool { get }
}

extension ViewControllable {
    /// `false`: the view is not watched.
    public var isOnScreen: Bool { false }
}

/// The place of the root view: a window, or the screen of a terminal.
@MainActor
public protocol RootWindow: AnyObject {
    /// Sets the root view controller, which need not be visible yet.
    func setRootViewController(_ viewController: any ViewControllable)

    /// Shows the root.
    func makeVisible()
}
