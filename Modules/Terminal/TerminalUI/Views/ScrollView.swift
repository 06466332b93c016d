internal import NeedleKit

/// Scrolls content that is larger than the view.
///
/// The content is at least as large as the view, or as large as its constraints require. The focused view inside stays
/// visible; the wheel, the page keys and the bars scroll. Content that does not fit and has nothing focusable takes the focus
/// itself: then the arrows, Home and End scroll as well. Content that is wider than the view scrolls to the side if
/// ``scrollsHorizontally`` is set; otherwise it is as wide as the view.
public final class ScrollView: View {
    /// The container of the content, one column narrower than the scroll view.
    public let contentView: View
    /// The first visible row of the content.
    public private(set) var contentOffset = 0
    /// The first visible column of the content.
    public private(set) var horizontalOffset = 0
    /// Whether the content may be wider than the view.
    public var scrollsHorizontally = false { didSet { if scrollsHorizontally != oldValue { constrain() } } }

    /// The area in which content is visible, without the bars.
    private let clip = View()
    private var laidOut = GridSize.zero
    private var laidOutContent = 0
    private var drag: (grip: ScrollBar.Grip, isVertical: Bool)?

    /// Creates a scroll view with empty content.
    public override init() {
        let content = ScrolledContent()
        contentView = content
        super.init()
        content.onLayout = { [weak self] in self?.contentDidChange() }
        addSubview(clip)
        clip.addSubview(contentView)
        constrain()
    }

    private func constrain() {
        clip.ndl.remakeConstraints { make in
            make.top.left.equalTo(self)
            make.right.equalTo(self).offset(-1)
            make.bottom.equalTo(self).offset(scrollsHorizontally ? -1 : 0)
        }
        contentView.ndl.remakeConstraints { make in
            make.top.equalTo(clip).offset(-Double(contentOffset))
            make.height.greaterThanOrEqualTo(clip)
            make.height.equalTo(clip).priority(1)
            make.left.equalTo(clip).offset(-Double(horizontalOffset))
            if scrollsHorizontally {
                make.width.greaterThanOrEqualTo(clip)
                make.width.equalTo(clip).priority(1)
            } else {
                make.right.equalTo(clip)
            }
        }
    }

    /// The height of the content in rows.
    public var contentHeight: Int { contentView.frame.height }
    /// The width of the content in columns.
    public var contentWidth: Int { contentView.frame.width }

    /// Scrolls to a row of the content, within the content's bounds.
    public func scroll(to offset: Int) {
        let offset = max(0, min(offset, contentHeight - visible.height))
        guard offset != contentOffset else { return }
        contentOffset = offset
        contentView.ndl.updateConstraints { $0.top.equalTo(clip).offset(-Double(offset)) }
    }

    /// Scrolls to a column of the content, within the content's bounds.
    public func scroll(toColumn offset: Int) {
        let offset = scrollsHorizontally ? max(0, min(offset, contentWidth - visible.width)) : 0
        guard offset != horizontalOffset else { return }
        horizontalOffset = offset
        contentView.ndl.updateConstraints { $0.left.equalTo(clip).offset(-Double(offset)) }
    }

    /// Scrolls by the smallest distance that makes a rectangle of the content visible.
    public func scrollToVisible(_ rect: GridRect) {
        if rect.minY < contentOffset {
            scroll(to: rect.minY)
        } else if rect.maxY > contentOffset + visible.height {
            scroll(to: min(rect.minY, rect.maxY - visible.height))
        }
        guard scrollsHorizontally else { return }
        if rect.minX < horizontalOffset {
            scroll(toColumn: rect.minX)
        } else if rect.maxX > horizontalOffset + visible.width {
            scroll(toColumn: min(rect.minX, rect.maxX - visible.width))
        }
    }

    /// Limits the offset to the content, which can change without the size of this view, as when a text wraps.
    private func contentDidChange() {
        scroll(to: contentOffset)
        scroll(toColumn: horizontalOffset)
        guard laidOutContent != contentHeight else { return }
        laidOutContent = contentHeight
        scrollToFocus()
    }

    private func scrollToFocus() {
        if let view = window?.firstResponder, view.isDescendant(of: contentView) {
            scrollToVisible(view.convert(view.bounds, to: contentView))
        }
    }

    /// Limits the offset to the content and, after a change of size, scrolls to the focused view.
    public override func layoutSubviews() {
        scroll(to: contentOffset)
        scroll(toColumn: horizontalOffset)
        // The user may scroll the focused view out of sight; only a change of size scrolls back to it.
        guard laidOut != bounds.size else { return }
        laidOut = bounds.size
        scrollToFocus()
    }

    /// Content without anything that takes the focus is scrolled by keys where it does not fit.
    public override var canBecomeFirstResponder: Bool {
        (vertical.isNeeded || scrollsHorizontally && horizontal.isNeeded) && contentView.focusable.isEmpty
    }
    override var isFocusedLast: Bool { true }

    /// Page Up and Page Down scroll by a page less one row, with Shift to the side; while the view itself has the focus, the
    /// arrows scroll by a cell, and Home and End to the ends. At an end the key is not handled.
    public override func keyDown(_ key: Key) -> Bool {
        let before = GridPoint(x: horizontalOffset, y: contentOffset)
        let page = GridSize(width: max(1, visible.width - 1), height: max(1, visible.height - 1))
        switch (key.code, key.modifiers) {
        case (.up, []) where isFirstResponder: scroll(to: contentOffset - 1)
        case (.down, []) where isFirstResponder: scroll(to: contentOffset + 1)
        case (.left, []) where isFirstResponder: scroll(toColumn: horizontalOffset - 1)
        case (.right, []) where isFirstResponder: scroll(toColumn: horizontalOffset + 1)
        case (.home, []) where isFirstResponder: scroll(to: 0)
        case (.end, []) where isFirstResponder: scroll(to: contentHeight)
        case (.pageUp, .shift): scroll(toColumn: horizontalOffset - page.width)
        case (.pageDown, .shift): scroll(toColumn: horizontalOffset + page.width)
        case (.pageUp, _): scroll(to: contentOffset - page.height)
        case (.pageDown, _): scroll(to: contentOffset + page.height)
        default: return false
        }
        return GridPoint(x: horizontalOffset, y: contentOffset) != before
    }

    /// The wheel scrolls by three cells, with Shift to the side; dragging a bar scrolls to the pointer.
    public override func mouse(_ event: MouseEvent) -> Bool {
        let isSideways = event.modifiers.contains(.shift)
        switch event.kind {
        case .wheelUp where !isSideways: scroll(to: contentOffset - 3)
        case .wheelDown where !isSideways: scroll(to: contentOffset + 3)
        case .wheelLeft, .wheelUp: scroll(toColumn: horizontalOffset - 3)
        case .wheelRight, .wheelDown: scroll(toColumn: horizontalOffset + 3)
        case .down(.left):
            if event.location.x == bounds.width - 1, vertical.isNeeded, event.location.y < visible.height {
                drag = (ScrollBar.Grip(at: event.location.y, of: vertical), true)
            } else if scrollsHorizontally, event.location.y == bounds.height - 1, horizontal.isNeeded {
                drag = (ScrollBar.Grip(at: event.location.x, of: horizontal), false)
            } else {
                return false
            }
            follow(event.location)
        case .drag(.left) where drag != nil: follow(event.location)
        case .up(.left) where drag != nil: drag = nil
        default: return false
        }
        return true
    }

    /// Draws the bars in the last column and, for wider content, the last row.
    public override func draw(in canvas: Canvas) {
        canvas.scrollBar(vertical, x: bounds.width - 1, style: theme.border)
        guard scrollsHorizontally, horizontal.isNeeded else { return }
        let thumb = horizontal.thumb
        for x in 0..<horizontal.length {
            canvas.text(thumb.contains(x) ? "━" : "─", x: x, y: bounds.height - 1, style: theme.border)
        }
    }

    /// The size of the area in which content is visible.
    private var visible: GridSize {
        GridSize(width: max(0, bounds.width - 1), height: max(0, bounds.height - (scrollsHorizontally ? 1 : 0)))
    }

    private var vertical: ScrollBar {
        ScrollBar(length: visible.height, content: contentHeight, offset: contentOffset)
    }

    private var horizontal: ScrollBar {
        ScrollBar(length: visible.width, content: contentWidth, offset: horizontalOffset)
    }

    private func follow(_ pointer: GridPoint) {
        guard let drag else { return }
        if drag.isVertical {
            scroll(to: drag.grip.offset(at: pointer.y, of: vertical))
        } else {
            scroll(toColumn: drag.grip.offset(at: pointer.x, of: horizontal))
        }
        setNeedsDisplay()
    }
}

/// The content of a scroll view, which reports each of its layouts.
private final class ScrolledContent: View {
    var onLayout: (@MainActor () -> Void)?

    override func layoutSubviews() { onLayout?() }
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
