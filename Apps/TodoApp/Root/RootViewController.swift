import AppUI
import NeedleKit
import RIBs
import TerminalUI

/// The containers around everything: a toolbar over a snackbar over a navigation stack.
@MainActor
final class RootViewController: ViewController, RootViewControllable {
    private let navigation = NavigationController()
    private let bars: ToolbarController

    init(appearance: Appearance) {
        bars = ToolbarController(
            content: SnackbarController(content: navigation),
            title: "\(appearance.symbol) \(appearance.title)"
        )
        super.init()
        addChild(bars)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(bars.view)
        bars.view.ndl.makeConstraints { $0.edges.equalTo(view) }
    }

    override func keyDown(_ key: Key) -> Bool {
        // A key pressed in the bars means the screen beneath them, too.
        navigation.topViewController?.keyDown(key) ?? false
    }

    func show(_ child: any ViewControllable) {
        guard let controller = child as? ViewController else { return }
        navigation.setViewControllers([controller])
    }
}
