internal import NeedleKit

/// A toolbar over another view controller.
public final class ToolbarController: ViewController {
    /// The bar.
    public let toolbar = Toolbar()
    /// What stands below it.
    public let content: ViewController

    /// A toolbar over a view controller, whose title it shows until it is given one.
    public init(content: ViewController, title: String? = nil) {
        self.content = content
        super.init()
        toolbar.titleLabel.text = title ?? content.title ?? ""
        addChild(content)
    }

    /// Puts the toolbar into the top row and the content below it.
    public override func viewDidLoad() {
        view.addSubview(content.view)
        view.addSubview(toolbar)
        toolbar.ndl.makeConstraints { make in
            make.top.equalTo(view)
            make.left.equalTo(view)
            make.right.equalTo(view)
            make.height.equalTo(1)
        }
        content.view.ndl.remakeConstraints { make in
            make.top.equalTo(toolbar.ndl.bottom)
            make.left.equalTo(view)
            make.right.equalTo(view)
            make.bottom.equalTo(view)
        }
    }
}

extension ViewController {
    /// The toolbar's controller around this one, where there is one.
    public var toolbarController: ToolbarController? { container() }
    /// The navigation controller around this one, where there is one.
    public var navigationController: NavigationController? { container() }
    /// The drawers around this one, where there are some.
    public var drawerController: DrawerController? { container() }
    /// The snackbar's controller around this one, where there is one.
    public var snackbarController: SnackbarController? { container() }
    /// The tabs around this one, where there are some.
    public var tabBarController: TabBarController? { container() }
}
