/// A node of the tree of RIBs.
@MainActor
public protocol Routing: AnyObject {
    /// The node's interactor.
    var interactable: any Interactable { get }

    /// The attached children, in the order of attaching.
    var children: [any Routing] { get }

    /// Finishes the node's set-up, once; the parent calls it on attaching.
    func load()

    /// Adds a child: it becomes active, then loads. Does nothing when it is attached already.
    func attachChild(_ child: any Routing)

    /// Makes a child inactive, with all below it, then removes it. Its views are left alone.
    func detachChild(_ child: any Routing)
}

/// A node that has a view, which its parent shows and dismisses.
@MainActor
public protocol ViewableRouting: Routing {
    /// The node's view controller.
    var viewControllable: any ViewControllable { get }
}

/// A node without a view of its own, which shows others' views through what its parent lends it.
///
/// Its parent only attaches and detaches it. It dismisses what it has shown by itself, in ``cleanUpViews()``, which its
/// interactor calls from ``Interactor/willResignActive()``.
@MainActor
public protocol ViewlessRouting: Routing {
    /// Dismisses everything this node has shown.
    func cleanUpViews()
}

/// The root of a tree.
@MainActor
public protocol LaunchRouting: ViewableRouting {
    /// Shows the root's view in a window, then makes the tree active.
    func launch(in window: any RootWindow)
}
