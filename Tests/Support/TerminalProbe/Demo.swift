import NeedleKit
import TerminalUI

/// Nested containers with a login, a list and a picture, for trying the module in a real terminal.
@MainActor
enum Demo {
    static func root() -> ViewController {
        let navigation = NavigationController(root: LoginDemo())
        let snackbar = SnackbarController(content: navigation)
        let toolbar = ToolbarController(content: snackbar, title: "PRESS START")
        let drawer = DrawerController(
            content: toolbar,
            left: MenuDemo(["Todos", "사진", "Profile"]),
            right: MenuDemo(["Theme", "Language"])
        )
        toolbar.toolbar.setLeft("≡ Menu") { [weak drawer] in drawer?.toggle(.left) }
        toolbar.toolbar.setRight("Settings") { [weak drawer] in drawer?.toggle(.right) }
        return drawer
    }
}

/// A drawer's content.
final class MenuDemo: ViewController {
    private let names: [String]

    init(_ names: [String]) {
        self.names = names
        super.init()
    }

    override func viewDidLoad() {
        var above: View?
        for name in names {
            let button = Button(name, kind: .bar) { [weak self] in self?.drawerController?.close() }
            view.addSubview(button)
            button.ndl.makeConstraints { make in
                make.left.equalTo(view)
                if let above { make.top.equalTo(above.ndl.bottom).offset(1) } else { make.top.equalTo(view) }
            }
            above = button
        }
    }
}
