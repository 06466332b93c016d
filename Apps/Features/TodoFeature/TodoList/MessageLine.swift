import NeedleKit
import TerminalUI

/// A line with a message, which a click accepts. It has no height while there is no message.
@MainActor
final class MessageLine: View {
    /// Called when the line is clicked.
    var onTap: (@MainActor () -> Void)?
    private var text: String?
    private var isProblem = false

    override init() {
        super.init()
        layoutNode.collapsesWhenHidden = true
        isHidden = true
        layoutNode.verticalHugging = .required
    }

    override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: nil, height: 1) }

    /// Shows a message; `nil` removes the line.
    func show(_ text: String?, isProblem: Bool) {
        (self.text, self.isProblem) = (text, isProblem)
        isHidden = text == nil
        setNeedsDisplay()
    }

    override func draw(in canvas: Canvas) {
        guard let text else { return }
        let style = isProblem ? TodoStyles(theme: theme).problem : theme.warning
        canvas.text(TextLayout.truncate(text, to: bounds.width - 2), x: 1, y: 0, style: style)
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind, let onTap else { return false }
        onTap()
        return true
    }
}
