internal import NeedleKit

/// A stack of view controllers, of which the uppermost is seen; Escape goes back.
public final class NavigationController: ViewController {
    /// The stack, from the root up.
    public private(set) var viewControllers: [ViewController] = []
    /// Called when another view controller is on top, after it has been put in.
    public var onTopChange: ((ViewController?) -> Void)?

    /// A stack of one view controller, or of none yet.
    public init(root: ViewController? = nil) {
        super.init()
        if let root {
            viewControllers = [root]
            addChild(root)
        }
    }

    /// The one that is seen.
    public var topViewController: ViewController? { viewControllers.last }

    /// Shows the top view controller.
    public override func viewDidLoad() { showTop() }

    /// Puts a view controller on top.
    public func push(_ controller: ViewController) {
        guard !viewControllers.contains(where: { $0 === controller }) else { return }
        setViewControllers(viewControllers + [controller])
    }

    /// Takes the uppermost away, but for the root; returns it.
    @discardableResult
    public func pop() -> ViewController? {
        guard viewControllers.count > 1, let top = topViewController else { return nil }
        setViewControllers(Array(viewControllers.dropLast()))
        return top
    }

    /// Goes back to the root.
    public func popToRoot() {
        setViewControllers(Array(viewControllers.prefix(1)))
    }

    /// Replaces the stack; what is no longer in it leaves.
    public func setViewControllers(_ controllers: [ViewController]) {
        let before = topViewController
        if before !== controllers.last { before?.viewIfLoaded?.removeFromSuperview() }
        for controller in viewControllers where !controllers.contains(where: { $0 === controller }) {
            controller.removeFromParent()
        }
        for controller in controllers where controller.parent !== self { addChild(controller) }
        viewControllers = controllers
        guard before !== topViewController else { return }
        if viewIfLoaded != nil { showTop() }
        onTopChange?(topViewController)
    }

    /// Escape goes back by one; at the root the key goes on.
    public override func keyDown(_ key: Key) -> Bool {
        key == Key(.escape) && pop() != nil
    }

    private func showTop() {
        guard let top = topViewController else { return }
        view.addSubview(top.view)
        top.view.ndl.remakeConstraints { $0.edges.equalTo(view) }
    }
}
