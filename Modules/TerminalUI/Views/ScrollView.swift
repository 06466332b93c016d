internal import NeedleKit

/// Shows a part of a content that is higher than the room.
///
/// The content fills the room where it is lower, and otherwise takes the height that its constraints need. The focused
/// view inside stays visible, the wheel and the page keys scroll, and a bar at the right shows where one is.
public final class ScrollView: View {
    /// Where the content stands; it is as wide as the scroll view, less the bar's column.
    public let contentView = View()
    /// The content's row at the top.
    public private(set) var contentOffset = 0

    private var laidOut = Size.zero

    /// A scroll view of an empty content.
    public override init() {
        super.init()
        addSubview(contentView)
        contentView.ndl.makeConstraints { make in
            make.left.equalTo(self)
            make.right.equalTo(self).offset(-1)
            make.top.equalTo(self)
            make.height.greaterThanOrEqualTo(self)
            make.height.equalTo(self).priority(1)
        }
    }

    /// The content's height, in rows.
    public var contentHeight: Int { contentView.frame.height }

    /// Scrolls so that a row of the content stands at the top, as far as there is content.
    public func scroll(to offset: Int) {
        let offset = max(0, min(offset, contentHeight - bounds.height))
        guard offset != contentOffset else { return }
        contentOffset = offset
        contentView.ndl.updateConstraints { $0.top.equalTo(self).offset(-Double(offset)) }
        setNeedsLayout()
        setNeedsDisplay()
    }

    /// Scrolls as little as shows a rectangle of the content.
    public func scrollToVisible(_ rect: Rect) {
        if rect.minY < contentOffset {
            scroll(to: rect.minY)
        } else if rect.maxY > contentOffset + bounds.height {
            scroll(to: min(rect.minY, rect.maxY - bounds.height))
        }
    }

    /// Keeps the offset within the content and, where the room has changed, what has the focus in sight.
    public override func layoutSubviews() {
        scroll(to: contentOffset)
        // The user may scroll the focused view away; a change of the room brings it back.
        guard laidOut != bounds.size else { return }
        laidOut = bounds.size
        if let view = window?.firstResponder, view.isDescendant(of: contentView) {
            scrollToVisible(view.convert(view.bounds, to: contentView))
        }
    }

    /// Page Up and Page Down scroll by a page less one row; at an end the key goes on.
    public override func keyDown(_ key: Key) -> Bool {
        let before = contentOffset
        switch key.code {
        case .pageUp: scroll(to: contentOffset - max(1, bounds.height - 1))
        case .pageDown: scroll(to: contentOffset + max(1, bounds.height - 1))
        default: return false
        }
        return contentOffset != before
    }

    /// The wheel scrolls by three rows.
    public override func mouse(_ event: MouseEvent) -> Bool {
        switch event.kind {
        case .wheelUp: scroll(to: contentOffset - 3)
        case .wheelDown: scroll(to: contentOffset + 3)
        default: return false
        }
        return true
    }

    /// Draws the scroll bar in the last column.
    public override func draw(in canvas: Canvas) {
        canvas.scrollBar(
            x: bounds.width - 1,
            height: bounds.height,
            offset: contentOffset,
            content: contentHeight,
            style: theme.border
        )
    }
}

extension View {
    /// Scrolls what it stands in so that it can be seen.
    func scrollIntoView() {
        for view in sequence(first: self, next: { $0.superview }) {
            guard let scrollView = view as? ScrollView, isDescendant(of: scrollView.contentView) else { continue }
            scrollView.scrollToVisible(convert(bounds, to: scrollView.contentView))
        }
    }
}
