internal import NeedleKit

/// A stack of view controllers that shows the topmost one; Escape goes back.
public final class NavigationController: ViewController {
    /// The stack, root first.
    public private(set) var viewControllers: [ViewController] = []
    /// Called after the top view controller has changed.
    public var onTopChange: ((ViewController?) -> Void)?

    private var transition: Task<Void, Never>?
    private let departure = Departure()

    /// Creates a navigation controller, with a root view controller or an empty stack.
    public init(root: ViewController? = nil) {
        super.init()
        if let root {
            viewControllers = [root]
            addChild(root)
        }
    }

    /// The visible view controller.
    public var topViewController: ViewController? { viewControllers.last }

    /// Shows the top view controller.
    public override func viewDidLoad() { showTop() }

    /// Pushes a view controller onto the stack and shows it.
    public func push(_ controller: ViewController) {
        guard !viewControllers.contains(where: { $0 === controller }) else { return }
        setViewControllers(viewControllers + [controller])
    }

    /// Removes the top view controller and returns it. The root cannot be popped.
    @discardableResult
    public func pop() -> ViewController? {
        guard viewControllers.count > 1, let top = topViewController else { return nil }
        setViewControllers(Array(viewControllers.dropLast()))
        return top
    }

    /// Replaces the stack. View controllers that are no longer in it are removed from their parent.
    public func setViewControllers(_ controllers: [ViewController]) {
        let before = topViewController
        let isBack = controllers.count < viewControllers.count
        departure.end()
        if before !== controllers.last, let leaving = before?.viewIfLoaded {
            if isBack, let view = viewIfLoaded, leaving.superview === view {
                // Moves out to the right, above the view that comes back.
                let width = view.bounds.width
                departure.run(leaving, in: view, by: GridSize(width: width, height: 0)) {
                    replace(controllers, isBack)
                }
                return
            }
            leaving.removeFromSuperview()
        }
        replace(controllers, isBack)
    }

    private func replace(_ controllers: [ViewController], _ isBack: Bool) {
        let before = topViewController
        if before !== controllers.last { before?.viewIfLoaded?.removeFromSuperview() }
        for controller in viewControllers where !controllers.contains(where: { $0 === controller }) {
            controller.removeFromParent()
        }
        for controller in controllers where controller.parent !== self { addChild(controller) }
        viewControllers = controllers
        guard before !== topViewController else { return }
        if viewIfLoaded != nil { showTop(from: before == nil ? nil : isBack ? -1 : 1) }
        onTopChange?(topViewController)
    }

    /// Escape goes back by one; at the root the key is not handled.
    public override func keyDown(_ key: Key) -> Bool { key == Key(.escape) && pop() != nil }

    /// Shows the top view controller, moving in from a side: 1 from the right, -1 from the left, `nil` without a
    /// movement.
    private func showTop(from distance: Double? = nil) {
        guard let top = topViewController else { return }
        view.addSubview(top.view)
        top.view.ndl.remakeConstraints { make in
            make.left.vertical.equalTo(view)
            make.width.equalTo(view)
        }
        transition?.cancel()
        guard let distance, view.window?.animationsEnabled == true else { return }
        let columns = distance * Double(view.bounds.width) / 4
        transition = Transition.run(in: view.window) { [view] remaining in
            guard top.view.superview === view else { return }
            top.view.ndl.updateConstraints { $0.left.equalTo(view).offset((columns * remaining).rounded()) }
        }
    }
}
