internal import NeedleKit

/// A view controller with a panel at the left and one at the right that come over it; Escape or a click beside closes.
public final class DrawerController: ViewController {
    /// What the panels come over.
    public let content: ViewController
    /// What the left panel holds.
    public let left: ViewController?
    /// What the right panel holds.
    public let right: ViewController?
    /// The side that is open.
    public private(set) var openSide: Side?
    /// Called when a panel opened or closed.
    public var onChange: ((Side?) -> Void)?
    /// The most columns of a panel; narrow windows leave six columns of the content to be seen.
    public var panelWidth = 32

    private var panel: DrawerPanel?
    private let scrim = ScrimView()

    /// Panels around a view controller.
    public init(content: ViewController, left: ViewController? = nil, right: ViewController? = nil) {
        self.content = content
        self.left = left
        self.right = right
        super.init()
        addChild(content)
        for controller in [left, right].compactMap(\.self) { addChild(controller) }
    }

    /// The sides of the window.
    public enum Side: Hashable, Sendable {
        /// The menu's.
        case left
        /// The settings'.
        case right
    }

    /// Puts the content in, at the full size of the view.
    public override func viewDidLoad() {
        view.addSubview(content.view)
        content.view.ndl.remakeConstraints { $0.edges.equalTo(view) }
    }

    /// Opens a side, or closes it where it is open.
    public func toggle(_ side: Side) {
        openSide == side ? close() : open(side)
    }

    /// Opens a side; the other one closes. Nothing where the side holds nothing.
    public func open(_ side: Side) {
        guard openSide != side, let controller = side == .left ? left : right else { return }
        removePanel()
        let panel = DrawerPanel(side: side, content: controller.view)
        panel.onOutside = { [weak self] in self?.close() }
        self.panel = panel
        view.addSubview(scrim)
        scrim.ndl.remakeConstraints { $0.edges.equalTo(view) }
        view.addSubview(panel)
        panel.ndl.makeConstraints { make in
            make.top.equalTo(view)
            make.bottom.equalTo(view)
            make.width.equalTo(Double(panelWidth)).priority(700)
            make.width.lessThanOrEqualTo(view).offset(-6)
            if side == .left { make.left.equalTo(view) } else { make.right.equalTo(view) }
        }
        openSide = side
        onChange?(side)
    }

    /// Closes what is open; the focus goes back to where it was.
    public func close() {
        guard openSide != nil else { return }
        removePanel()
        openSide = nil
        onChange?(nil)
    }

    /// Escape closes the panel that is open.
    public override func keyDown(_ key: Key) -> Bool {
        guard openSide != nil, key == Key(.escape) else { return false }
        close()
        return true
    }

    private func removePanel() {
        scrim.removeFromSuperview()
        panel?.removeFromSuperview()
        panel = nil
    }
}

/// The panel of a drawer: a surface with a line at its inner edge.
final class DrawerPanel: View {
    var onOutside: (() -> Void)?
    private let side: DrawerController.Side

    init(side: DrawerController.Side, content: View) {
        self.side = side
        super.init()
        trapsFocus = true
        addSubview(content)
        content.ndl.remakeConstraints { make in
            make.top.equalTo(self).offset(1)
            make.bottom.equalTo(self)
            make.left.equalTo(self).offset(2)
            make.right.equalTo(self).offset(-2)
        }
    }

    override func didMoveToWindow() { background = theme.panel }
    override func traitsDidChange() { background = theme.panel }

    override func draw(in canvas: Canvas) {
        let x = side == .left ? bounds.width - 1 : 0
        for y in 0..<bounds.height { canvas.text("│", x: x, y: y, style: theme.border) }
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down = event.kind, !bounds.contains(event.location) else { return false }
        onOutside?()
        return true
    }
}

/// Makes what is behind it step back.
final class ScrimView: View {
    override func draw(in canvas: Canvas) {
        canvas.dim(bounds)
    }
}
