internal import NeedleKit

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
