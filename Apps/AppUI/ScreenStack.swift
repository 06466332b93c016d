package import TerminalUI

extension ViewController {
    /// Opens a screen over this one.
    package func pushScreen(_ child: AnyObject) {
        if let child = child as? ViewController { navigationController?.push(child) }
    }

    /// Closes a screen that was opened over this one, also if others are above it.
    package func popScreen(_ child: AnyObject) {
        guard let stack = navigationController, stack.viewControllers.contains(where: { $0 === child }) else { return }
        if stack.topViewController === child {
            stack.pop()
        } else {
            stack.setViewControllers(stack.viewControllers.filter { $0 !== child })
        }
    }
}

/// A view controller with a line that can be above everything beside it.
@MainActor
package protocol HeaderProviding: ViewController {
    /// Removes the line from the view controller's view and returns it, for the view around both.
    func takeHeader() -> View
}
