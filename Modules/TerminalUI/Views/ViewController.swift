internal import NeedleKit

/// Manages a view and what it shows; the place for what happens between views and the rest of an application.
///
/// The view is loaded when it is first asked for. A view controller appears when its view comes into a window and
/// disappears when it leaves: containers need to forward nothing.
@MainActor
open class ViewController: Responder {
    /// The view, once loaded.
    public private(set) var viewIfLoaded: View?
    /// The view controller that contains this one.
    public private(set) weak var parent: ViewController?
    /// The view controllers in this one.
    public private(set) var children: [ViewController] = []
    /// What it shows, in words, for bars.
    public var title: String? { didSet { titleDidChange() } }
    /// The view controller that it presents over the window.
    public private(set) var presented: ViewController?
    /// The view controller that presents it.
    public private(set) weak var presenting: ViewController?

    /// A view controller whose view is not loaded yet.
    public override init() {
        super.init()
    }

    /// The view; loads it.
    public var view: View {
        if let viewIfLoaded { return viewIfLoaded }
        let view = loadView()
        viewIfLoaded = view
        view.viewController = self
        viewDidLoad()
        return view
    }

    /// Whether the view is loaded and in a window.
    public var isOnScreen: Bool { viewIfLoaded?.window != nil }

    /// Makes the view; an empty one by default.
    open func loadView() -> View { View() }
    /// Called once, when the view has been loaded.
    open func viewDidLoad() {}
    /// Called when the view is about to be laid out in a window.
    open func viewWillAppear() {}
    /// Called when the view has been laid out in a window.
    open func viewDidAppear() {}
    /// Called before the view leaves its window.
    open func viewWillDisappear() {}
    /// Called when the view has left its window.
    open func viewDidDisappear() {}
    /// Called when layout has given the view another size.
    open func viewDidLayoutSubviews() {}
    /// Called when the room has changed its class; `view.traits` holds the new one.
    open func traitsDidChange(from before: Traits) {}
    /// Called when the title changes.
    open func titleDidChange() {}

    /// Who presents it, or else what its view stands in, or else its parent.
    open override var next: Responder? { presenting ?? viewIfLoaded?.superview ?? parent }

    // MARK: - Containers

    /// Takes a view controller in; its view is added by the caller.
    public func addChild(_ child: ViewController) {
        child.removeFromParent()
        children.append(child)
        child.parent = self
    }

    /// Leaves the parent, and its view the window.
    public func removeFromParent() {
        viewIfLoaded?.removeFromSuperview()
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    /// The nearest container of a kind around it.
    public func container<Container: ViewController>(_ kind: Container.Type = Container.self) -> Container? {
        var controller = parent ?? presenting
        while let current = controller {
            if let found = current as? Container { return found }
            controller = current.parent ?? current.presenting
        }
        return nil
    }

    // MARK: - Presenting

    /// Shows a view controller over the whole window; the focus stays in it until it is dismissed.
    ///
    /// Does nothing while this one is in no window or presents another already.
    public func present(_ controller: ViewController) {
        guard presented == nil, let window = viewIfLoaded?.window else { return }
        presented = controller
        controller.presenting = self
        let view = controller.view
        view.trapsFocus = true
        window.addSubview(view)
        view.ndl.remakeConstraints { $0.edges.equalTo(window) }
    }

    /// Takes away what it presents, or itself where it is presented.
    public func dismiss() {
        guard let controller = presented else {
            if let presenting, presenting.presented === self { presenting.dismiss() }
            return
        }
        controller.presented.map { _ in controller.dismiss() }
        presented = nil
        controller.presenting = nil
        controller.viewIfLoaded?.removeFromSuperview()
    }
}
