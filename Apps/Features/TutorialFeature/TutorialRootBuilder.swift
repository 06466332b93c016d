package import AppUI
import NeedleKit
package import RIBs
import TerminalUI

/// The dependencies of the tutorial.
@MainActor
package protocol TutorialDependency: Dependency {
    /// The view controller of the parent, over which the tutorial shows its pages.
    var tutorialRootViewController: any TutorialRootViewControllable { get }
    /// The look of the screen.
    var appearance: Appearance { get }
    /// The names of the keys of the picture.
    var pictureKeys: PictureKeys { get }
}

/// The parent's view controller, as the tutorial uses it. The tutorial has no view and shows its pages over the parent's.
@MainActor
package protocol TutorialRootViewControllable: ViewControllable {
    /// Presents a view controller over this one.
    func present(tutorial: any ViewControllable)

    /// Dismisses the view controller that ``present(tutorial:)`` has presented.
    func dismiss(tutorial: any ViewControllable)
}

/// The parent of the tutorial.
@MainActor
package protocol TutorialListener: AnyObject {
    /// Called when the user has seen the tutorial or skipped it.
    ///
    /// - Parameter signUp: whether the user wants to sign up.
    func tutorialDidFinish(signUp: Bool)
}

/// Creates the tutorial: three pages under a node without a view.
@MainActor
package final class TutorialBuilder: Builder<any TutorialDependency> {
    /// Creates the RIB. It presents its first page when it is attached.
    package func build(withListener listener: any TutorialListener) -> any ViewlessRouting {
        let interactor = TutorialRootInteractor()
        interactor.listener = listener
        let router = TutorialRootRouter(
            interactor: interactor,
            root: dependency.tutorialRootViewController,
            navigation: TutorialNavigationController(),
            pageBuilder: TutorialPageBuilder(dependency: dependency)
        )
        interactor.router = router
        return router
    }
}

/// The stack of pages, which the tutorial presents.
@MainActor
protocol TutorialNavigating: ViewControllable {
    /// Shows the first page.
    func setRoot(_ page: any ViewControllable)

    /// Shows a further page.
    func push(_ page: any ViewControllable)

    /// Returns to the page before.
    func popPage()
}

/// The stack of pages on the screen.
@MainActor
final class TutorialNavigationController: ViewController, TutorialNavigating {
    private let stack = NavigationController()

    override init() {
        super.init()
        addChild(stack)
    }

    override func loadView() -> View { TutorialBackdrop() }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(stack.view)
        stack.view.ndl.makeConstraints { $0.edges.equalTo(view) }
    }

    // Every key is handled here: none may reach the screen behind the tutorial.
    override func keyDown(_ key: Key) -> Bool { key.code != .tab && !key.isArrow && key != .control("c") }

    func setRoot(_ page: any ViewControllable) {
        if let page = page as? ViewController { stack.setViewControllers([page]) }
    }

    func push(_ page: any ViewControllable) {
        if let page = page as? ViewController { stack.push(page) }
    }

    func popPage() { stack.pop() }
}

/// Hides the screen behind the tutorial.
private final class TutorialBackdrop: View {
    override func draw(in canvas: Canvas) { canvas.fill(bounds, style: .plain) }
}

extension Key {
    /// Whether the key is an arrow, which moves the focus.
    fileprivate var isArrow: Bool { [.up, .down, .left, .right].contains(code) }
}
