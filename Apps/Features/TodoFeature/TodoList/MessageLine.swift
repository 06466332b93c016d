import NeedleKit
import TerminalUI

/// A line with a message, which a click accepts. It has no height while there is no message.
@MainActor
final class MessageLine: View {
    /// Called when the line is clicked.
    var onTap: (@MainActor () -> Void)?
    private var text: (@MainActor () -> String)?
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
        if let text { self.text = { text } } else { self.text = nil }
        update(isProblem: isProblem)
    }

    /// Shows a message that is evaluated whenever the line is drawn, such as one that depends on the focus.
    func show(_ text: @escaping @MainActor () -> String) {
        self.text = text
        update(isProblem: false)
    }

    private func update(isProblem: Bool) {
        self.isProblem = isProblem
        isHidden = text == nil
        setNeedsDisplay()
    }

    override func draw(in canvas: Canvas) {
        guard let text = text?() else { return }
        let style = isProblem ? TodoStyles(theme: theme).problem : theme.warning
        canvas.text(TextLayout.truncate(text, to: bounds.width - 2), x: 1, y: 0, style: style)
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind, let onTap else { return false }
        onTap()
        return true
    }
}
