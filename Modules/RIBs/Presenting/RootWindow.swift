/// The place of the root view: a window, a terminal's screen.
@MainActor
public protocol RootWindow: AnyObject {
    /// Puts a view controller at the root; it need not be visible yet.
    func setRootViewController(_ viewController: any ViewControllable)

    /// Shows the root.
    func makeVisible()
}
