import AppUI
import NeedleKit
import RIBs
import TerminalUI

/// The containers around every screen: a toolbar over a snackbar over a navigation stack.
@MainActor
final class RootViewController: ViewController, RootPresentable, RootViewControllable {
    weak var listener: (any RootPresentableListener)?

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
        // Keys that the bars do not handle are for the screen between them.
        navigation.topViewController?.keyDown(key) ?? false
    }

    func show(_ child: any ViewControllable) {
        guard let controller = child as? ViewController else { return }
        navigation.setViewControllers([controller])
    }

    func confirmQuit(unsaved text: [String]) {
        let alert = AlertController(
            title: "Quit and discard the text?",
            message: "Not saved: " + text.joined(separator: ", ")
        )
        alert.addAction("Stay", kind: .cancel) { [weak self] in self?.listener?.didDeclineQuit() }
        alert.addAction("Quit", kind: .destructive) { [weak self] in self?.listener?.didConfirmQuit() }
        present(alert)
    }
}
