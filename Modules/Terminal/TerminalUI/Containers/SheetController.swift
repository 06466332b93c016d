internal import NeedleKit

/// Presents another view controller in a framed panel over dimmed content; Escape or a click outside dismisses it.
///
///     controller.present(SheetController(content: editor, title: "New todo"))
public final class SheetController: ViewController {
    /// The content of the panel.
    public let content: ViewController
    /// The largest size of the panel, border included; it is smaller in a small window.
    public let maximumSize: GridSize
    /// The number of free cells above and below the panel where the window is lower than it.
    public let margin: Int
    /// Called when the user closes the sheet. Returns whether it closes; false leaves it open, as with unsaved changes.
    public var onClose: (() -> Bool)?
    /// The framed panel, for its detail and its footer.
    public let pane: Pane

    /// Creates a sheet.
    ///
    /// - Parameters:
    ///   - content: The content of the panel.
    ///   - title: The text in the upper border.
    ///   - maximumSize: The largest size of the panel, border included.
    ///   - margin: The number of free cells above and below the panel where the window is lower than it.
    public init(
        content: ViewController,
        title: String = "",
        maximumSize: GridSize = GridSize(width: 64, height: 18),
        margin: Int = 0
    ) {
        self.content = content
        self.maximumSize = maximumSize
        self.margin = margin
        pane = Pane(title: title)
        super.init()
        self.title = title
        addChild(content)
    }

    /// Shows the title in the upper border.
    public override func titleDidChange() { pane.title = title ?? "" }

    /// Creates the panel.
    public override func loadView() -> View {
        let scrim = ScrimView()
        scrim.onOutside = { [weak self] in self?.close() }
        return scrim
    }

    /// Adds the content to the panel.
    public override func viewDidLoad() {
        view.addSubview(pane)
        pane.surface = \.panel
        pane.ndl.makeConstraints { make in
            make.center.equalTo(view)
            make.width.lessThanOrEqualTo(view)
            make.height.lessThanOrEqualTo(view)
            make.height.lessThanOrEqualTo(view).offset(-2 * Double(margin)).priority(750)
            make.width.equalTo(Double(maximumSize.width)).priority(700)
            make.height.equalTo(Double(maximumSize.height)).priority(700)
        }
        pane.contentView.fill(with: content.view)
    }

    /// Escape closes the sheet.
    public override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return false }
        close()
        return true
    }

    private func close() {
        if onClose?() ?? true { dismiss() }
    }
}
