internal import NeedleKit

/// Manages a view and connects it with the rest of the application.
///
/// The view is loaded on first access. A view controller appears when its view enters a window and disappears when it
/// leaves; containers do not forward these calls.
///
/// A view controller receives a key after the focused view and the views around it. In a window without a focused view,
/// keys go to the topmost visible view controller first.
@MainActor
open class ViewController: Responder {
    /// The view, if it has been loaded.
    public private(set) var viewIfLoaded: View?
    /// The containing view controller.
    public private(set) weak var parent: ViewController?
    /// The contained view controllers.
    public private(set) var children: [ViewController] = []
    /// The title that bars show.
    public var title: String? {
        didSet {
            titleDidChange()
            parent?.titleOfChildDidChange()
        }
    }
    /// The view controller that this one presents over the window.
    public private(set) var presented: ViewController?
    /// The view controller that presents this one.
    public private(set) weak var presenting: ViewController?

    /// Creates a view controller; its view is loaded later.
    public override init() { super.init() }

    /// Creates a view controller whose view is filled by another view.
    public convenience init(filledBy content: View) {
        self.init()
        view.fill(with: content)
    }

    /// The view, loaded on first access.
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

    /// Creates the view; an empty one by default.
    open func loadView() -> View { View() }
    /// Called once when the view has been loaded.
    open func viewDidLoad() {}
    /// Called when the view has entered a window, before its first layout.
    open func viewWillAppear() {}
    /// Called when the view has been laid out in a window.
    open func viewDidAppear() {}
    /// Called before the view leaves its window.
    open func viewWillDisappear() {}
    /// Called when the view has left its window.
    open func viewDidDisappear() {}
    /// Called when layout has changed the view's size.
    open func viewDidLayoutSubviews() {}
    /// Called when the window's size classes have changed; `view.traits` has the new ones.
    open func traitsDidChange(from before: Traits) {}
    /// Called when the title has changed.
    open func titleDidChange() {}
    /// Called when the title of a child has changed.
    func titleOfChildDidChange() {}

    /// The presenting view controller, or else the superview of its view, or else the parent.
    open override var next: Responder? { presenting ?? viewIfLoaded?.superview ?? parent }

    // MARK: - Containers

    /// Adds a child view controller. The caller adds the child's view.
    public func addChild(_ child: ViewController) {
        child.removeFromParent()
        children.append(child)
        child.parent = self
    }

    /// Removes the view controller from its parent and its view from the window, with what it and its children present.
    public func removeFromParent() {
        dismissAll()
        viewIfLoaded?.removeFromSuperview()
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    /// Returns the nearest enclosing or presenting view controller of a type.
    public func container<Container: ViewController>(_ kind: Container.Type = Container.self) -> Container? {
        var controller = parent ?? presenting
        while let current = controller {
            if let found = current as? Container { return found }
            controller = current.parent ?? current.presenting
        }
        return nil
    }

    // MARK: - Presenting

    /// Presents a view controller over the whole window; the focus stays inside until it is dismissed.
    ///
    /// Does nothing if this view controller is not in a window or already presents another, or if the other is presented.
    public func present(_ controller: ViewController) {
        guard presented == nil, controller.presenting == nil, let window = viewIfLoaded?.window else { return }
        presented = controller
        controller.presenting = self
        let view = controller.view
        // It may dismiss itself when its view is loaded.
        guard presented === controller else { return }
        view.trapsFocus = true
        window.fill(with: view)
    }

    /// Presents a view controller over this one and whatever it presents already, such as a question over a sheet.
    public func presentOnTop(_ controller: ViewController) {
        var top = self
        while let next = top.presented { top = next }
        top.present(controller)
    }

    /// Dismisses the presented view controller with what it and its children present; without one, this view controller or the
    /// one around it that is presented.
    public func dismiss() {
        guard let controller = presented else {
            let outer = sequence(first: self) { $0.parent }.first { $0.presenting != nil }
            if let outer, let presenting = outer.presenting, presenting.presented === outer { presenting.dismiss() }
            return
        }
        controller.dismissAll()
        presented = nil
        controller.presenting = nil
        controller.viewIfLoaded?.removeFromSuperview()
    }

    /// Dismisses what this view controller and its children present.
    func dismissAll() {
        for child in children { child.dismissAll() }
        if presented != nil { dismiss() }
    }
}
