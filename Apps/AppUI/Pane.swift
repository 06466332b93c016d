import NeedleKit
package import TerminalUI

/// A frame with a title around a view.
///
/// The frame is in the tint colour while a view inside has the focus. Where the room is short the frame can be omitted.
@MainActor
package final class Pane: View {
    /// The text at the left of the upper edge.
    package var heading = "" { didSet { if heading != oldValue { setNeedsDisplay() } } }
    /// The text at the right of the upper edge, such as the order of a list; omitted if there is no room.
    package var detail = "" { didSet { if detail != oldValue { setNeedsDisplay() } } }
    /// Called when the user clicks the detail.
    package var onDetail: (@MainActor () -> Void)?
    /// Whether the frame is drawn. Without it the content fills the pane.
    package var isFramed = true {
        didSet { if isFramed != oldValue { place() } }
    }

    private let content: View
    private var detailColumns = 0..<0

    /// Creates a pane around a view, which becomes its subview.
    package init(_ content: View) {
        self.content = content
        super.init()
        addSubview(content)
        place()
    }

    private func place() {
        let inset = isFramed ? 1.0 : 0
        content.ndl.remakeConstraints { make in
            make.top.equalTo(self).offset(inset)
            make.left.equalTo(self).offset(inset)
            make.right.equalTo(self).offset(-inset)
            make.bottom.equalTo(self).offset(-inset)
        }
        setNeedsDisplay()
    }

    package override func draw(in canvas: Canvas) {
        detailColumns = 0..<0
        guard isFramed, bounds.width >= 2, bounds.height >= 2 else { return }
        let isFocused = containsFirstResponder
        let border =
            isFocused ? Style(foreground: effectiveTint, attributes: theme.isMonochrome ? .bold : []) : theme.border
        canvas.frame(bounds, style: border)
        let room = bounds.width - 4
        guard room > 0 else { return }
        let title = TextLayout.truncate(heading, to: room - 2)
        var end = 2
        if !title.isEmpty {
            end = canvas.text(" \(title) ", x: 2, y: 0, style: isFocused ? theme.title : theme.secondary)
        }
        let width = DisplayWidth.of(detail) + 2
        guard !detail.isEmpty, end + 1 + width <= bounds.width - 2 else { return }
        let start = bounds.width - 2 - width
        canvas.text(" \(detail) ", x: start, y: 0, style: theme.secondary)
        detailColumns = start..<start + width
    }

    package override func mouse(_ event: MouseEvent) -> Bool {
        guard isFramed, case .down(.left) = event.kind, event.location.y == 0,
            detailColumns.contains(event.location.x), let onDetail
        else { return false }
        onDetail()
        return true
    }
}
