internal import NeedleKit

/// Scrolls content that is higher than the view.
///
/// The content is at least as high as the view, or as high as its constraints require. The focused view inside stays
/// visible; the wheel and the page keys scroll; a bar at the right shows the position.
public final class ScrollView: View {
    /// The container of the content, one column narrower than the scroll view.
    public let contentView = View()
    /// The first visible row of the content.
    public private(set) var contentOffset = 0

    private var laidOut = Size.zero

    /// Creates a scroll view with empty content.
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

    /// The height of the content in rows.
    public var contentHeight: Int { contentView.frame.height }

    /// Scrolls to a row of the content, within the content's bounds.
    public func scroll(to offset: Int) {
        let offset = max(0, min(offset, contentHeight - bounds.height))
        guard offset != contentOffset else { return }
        contentOffset = offset
        contentView.ndl.updateConstraints { $0.top.equalTo(self).offset(-Double(offset)) }
    }

    /// Scrolls by the smallest distance that makes a rectangle of the content visible.
    public func scrollToVisible(_ rect: Rect) {
        if rect.minY < contentOffset {
            scroll(to: rect.minY)
        } else if rect.maxY > contentOffset + bounds.height {
            scroll(to: min(rect.minY, rect.maxY - bounds.height))
        }
    }

    /// Limits the offset to the content and, after a change of size, scrolls to the focused view.
    public override func layoutSubviews() {
        scroll(to: contentOffset)
        // The user may scroll the focused view out of sight; only a change of size scrolls back to it.
        guard laidOut != bounds.size else { return }
        laidOut = bounds.size
        if let view = window?.firstResponder, view.isDescendant(of: contentView) {
            scrollToVisible(view.convert(view.bounds, to: contentView))
        }
    }

    /// Page Up and Page Down scroll by a page less one row. At an end the key is not handled.
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
    /// Scrolls all enclosing scroll views so that the view is visible.
    func scrollIntoView() {
        for view in sequence(first: self, next: { $0.superview }) {
            guard let scrollView = view as? ScrollView, isDescendant(of: scrollView.contentView) else { continue }
            scrollView.scrollToVisible(convert(bounds, to: scrollView.contentView))
        }
    }
}
