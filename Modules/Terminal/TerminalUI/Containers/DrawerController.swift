internal import NeedleKit

/// A view controller with a panel at each side that slides over its content; Escape or a click outside closes a panel.
public final class DrawerController: ViewController {
    /// The main content.
    public let content: ViewController
    /// The content of the left panel.
    public let left: ViewController?
    /// The content of the right panel.
    public let right: ViewController?
    /// The side of the open panel, `nil` while both are closed.
    public private(set) var openSide: Side?
    /// Called when a panel has opened or closed.
    public var onChange: ((Side?) -> Void)?
    /// The maximum width of a panel, in columns. In a narrow window six columns of the content stay visible.
    public var panelWidth = 32

    /// The open panel, over the dimmed content.
    private var scrim: ScrimView?
    private var transition: Task<Void, Never>?
    private let departure = Departure()

    /// Creates a drawer controller around a content view controller.
    public init(content: ViewController, left: ViewController? = nil, right: ViewController? = nil) {
        self.content = content
        self.left = left
        self.right = right
        super.init()
        addChild(content)
        for controller in [left, right].compactMap(\.self) { addChild(controller) }
    }

    /// A side of the window.
    public enum Side: Hashable, Sendable {
        /// The left side, usually for a menu.
        case left
        /// The right side, usually for settings.
        case right
    }

    /// Adds the content view, which fills the controller's view.
    public override func viewDidLoad() { view.fill(with: content.view) }

    /// Opens the panel at a side, or closes it if it is open.
    public func toggle(_ side: Side) { openSide == side ? close() : open(side) }

    /// Opens the panel at a side and closes the other one. Does nothing if that side has no content.
    public func open(_ side: Side) {
        guard openSide != side, let controller = side == .left ? left : right else { return }
        removePanel()
        let scrim = ScrimView()
        scrim.trapsFocus = true
        scrim.onOutside = { [weak self] in self?.close() }
        self.scrim = scrim
        view.fill(with: scrim)
        let panel = DrawerPanel(side: side, content: controller.view)
        scrim.addSubview(panel)
        panel.ndl.makeConstraints { make in
            make.vertical.equalTo(view)
            make.width.equalTo(Double(panelWidth)).priority(700)
            make.width.lessThanOrEqualTo(view).offset(-6)
            if side == .left { make.left.equalTo(view) } else { make.right.equalTo(view) }
        }
        let distance = Double(panelWidth)
        transition = Transition.run(in: view.window) { [view] remaining in
            guard panel.superview != nil else { return }
            panel.ndl.updateConstraints { make in
                if side == .left {
                    make.left.equalTo(view).offset(-(distance * remaining).rounded())
                } else {
                    make.right.equalTo(view).offset((distance * remaining).rounded())
                }
            }
        }
        openSide = side
        onChange?(side)
    }

    /// Closes the open panel and restores the focus.
    public func close() {
        guard let side = openSide else { return }
        if let panel = scrim?.subviews.first {
            let distance = side == .left ? -panel.frame.maxX : view.bounds.width - panel.frame.minX
            departure.run(panel, in: view, by: GridSize(width: distance, height: 0)) { removePanel() }
        }
        openSide = nil
        onChange?(nil)
    }

    /// Escape closes the open panel.
    public override func keyDown(_ key: Key) -> Bool {
        guard openSide != nil, key == Key(.escape) else { return false }
        close()
        return true
    }

    private func removePanel() {
        departure.end()
        transition?.cancel()
        scrim?.removeFromSuperview()
        scrim = nil
    }
}

/// The panel of a drawer, with a line along its inner edge.
private final class DrawerPanel: View {
    private let side: DrawerController.Side

    init(side: DrawerController.Side, content: View) {
        self.side = side
        super.init()
        surface = \.panel
        addSubview(content)
        content.ndl.remakeConstraints { make in
            make.top.equalTo(self).offset(1)
            make.bottom.equalTo(self)
            make.horizontal.equalTo(self).inset(2)
        }
    }

    override func draw(in canvas: Canvas) {
        let x = side == .left ? bounds.width - 1 : 0
        for y in 0..<bounds.height { canvas.text("│", x: x, y: y, style: theme.border) }
    }
}
