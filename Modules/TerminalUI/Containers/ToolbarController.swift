public import NeedleKit

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

/// A bar of one row: a button at the left, a title in the middle, a button at the right.
public final class Toolbar: View {
    /// What stands in the middle.
    public let titleLabel = Label("", role: .title)
    /// The button at the left; hidden until it has a title.
    public let leftButton = Button("", kind: .bar)
    /// The button at the right; hidden until it has a title.
    public let rightButton = Button("", kind: .bar)

    /// A bar without buttons.
    public init(title: String = "") {
        super.init()
        titleLabel.text = title
        titleLabel.alignment = .center
        titleLabel.style = Style(attributes: .bold)
        for view in [leftButton, titleLabel, rightButton] { addSubview(view) }
        leftButton.ndl.makeConstraints { make in
            make.left.equalTo(self)
            make.centerY.equalTo(self)
        }
        rightButton.ndl.makeConstraints { make in
            make.right.equalTo(self)
            make.centerY.equalTo(self)
        }
        titleLabel.ndl.makeConstraints { make in
            make.centerX.equalTo(self).priority(500)
            make.left.greaterThanOrEqualTo(leftButton.ndl.right).offset(1)
            make.right.lessThanOrEqualTo(rightButton.ndl.left).offset(-1)
            make.centerY.equalTo(self)
        }
        titleLabel.layoutNode.horizontalCompressionResistance = .low
        leftButton.isHidden = true
        rightButton.isHidden = true
    }

    /// Sets the left button's title and what it does; nil takes it away.
    public func setLeft(_ title: String?, onTap: (() -> Void)? = nil) {
        set(leftButton, title, onTap)
    }

    /// Sets the right button's title and what it does; nil takes it away.
    public func setRight(_ title: String?, onTap: (() -> Void)? = nil) {
        set(rightButton, title, onTap)
    }

    /// One row; as wide as it is made.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: nil, height: 1) }

    /// Takes the bars' colours of the window's theme.
    public override func didMoveToWindow() { background = theme.bar }
    /// Takes the bars' colours anew.
    public override func traitsDidChange() { background = theme.bar }

    private func set(_ button: Button, _ title: String?, _ onTap: (() -> Void)?) {
        button.title = title ?? ""
        button.onTap = onTap
        button.isHidden = title == nil
    }
}
