public import NeedleKit

/// Shows a toolbar above another view controller.
public final class ToolbarController: ViewController {
    /// The toolbar.
    public let toolbar = Toolbar()
    /// The content below the toolbar.
    public let content: ViewController

    /// Creates a toolbar controller. The toolbar shows its title, and without one the content's title.
    public init(content: ViewController, title: String? = nil) {
        self.content = content
        super.init()
        self.title = title
        addChild(content)
        showTitle()
    }

    /// Shows the title.
    public override func titleDidChange() { showTitle() }
    override func titleOfChildDidChange() { showTitle() }

    private func showTitle() { toolbar.titleLabel.text = title ?? content.title ?? "" }

    /// Hides the toolbar where there is one row only, which the content needs.
    public override func viewDidLayoutSubviews() { toolbar.isHidden = view.bounds.height < 2 }

    /// Adds the toolbar in the top row and the content below it.
    public override func viewDidLoad() {
        view.addSubview(content.view)
        view.addSubview(toolbar)
        toolbar.layoutNode.collapsesWhenHidden = true
        toolbar.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(view)
            make.height.equalTo(1)
        }
        content.view.ndl.remakeConstraints { make in
            make.top.equalTo(toolbar.ndl.bottom)
            make.bottom.horizontal.equalTo(view)
        }
    }
}

extension ViewController {
    /// The nearest enclosing toolbar controller, if any.
    public var toolbarController: ToolbarController? { container() }
    /// The nearest enclosing navigation controller, if any.
    public var navigationController: NavigationController? { container() }
    /// The nearest enclosing drawer controller, if any.
    public var drawerController: DrawerController? { container() }
    /// The nearest enclosing snackbar controller, if any.
    public var snackbarController: SnackbarController? { container() }
}

/// A bar of one row with a title in the centre and a button at each end.
public final class Toolbar: View {
    /// The title in the centre.
    public let titleLabel = Label("", role: .title)
    /// The button at the left; hidden until it has a title.
    public let leftButton = Button("", kind: .bar)
    /// The button at the right; hidden until it has a title.
    public let rightButton = Button("", kind: .bar)

    override var isBar: Bool { true }

    /// Creates a bar without buttons.
    public init(title: String = "") {
        super.init()
        surface = \.bar
        titleLabel.text = title
        titleLabel.alignment = .center
        titleLabel.style = TextStyle(attributes: .bold)
        for view in [leftButton, titleLabel, rightButton] { addSubview(view) }
        leftButton.ndl.makeConstraints { $0.left.centerY.equalTo(self) }
        rightButton.ndl.makeConstraints { $0.right.centerY.equalTo(self) }
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

    /// Sets the left button's title and action; `nil` hides it.
    public func setLeft(_ title: String?, onTap: (() -> Void)? = nil) { set(leftButton, title, onTap) }

    /// Sets the right button's title and action; `nil` hides it.
    public func setRight(_ title: String?, onTap: (() -> Void)? = nil) { set(rightButton, title, onTap) }

    /// One row, without a preferred width.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: nil, height: 1) }

    private func set(_ button: Button, _ title: String?, _ onTap: (() -> Void)?) {
        button.title = title ?? ""
        button.onTap = onTap
        button.isHidden = title == nil
    }
}
