public import NeedleKit

/// A rectangle of the screen that draws itself, holds other views and answers input.
///
/// Where it stands is decided by constraints alone (`view.ndl.makeConstraints`); `frame` tells the outcome, in cells of
/// its superview. A view draws and receives the mouse only inside its bounds.
@MainActor
open class View: Responder, LayoutItem {
    /// The view's variables and constraints.
    public let layoutNode = LayoutNode()
    /// The view that this one stands in.
    public private(set) weak var superview: View?
    /// The views in this one; later ones are drawn over earlier ones.
    public private(set) var subviews: [View] = []
    /// The rectangle that layout gave it, in cells of its superview.
    public internal(set) var frame = Rect.zero
    /// The colour behind what it draws; nil lets what is beneath show through.
    public var background: Style? { didSet { setNeedsDisplay() } }
    /// The colour of what it draws attention with; nil takes the superview's, and at the top the theme's.
    public var tintColor: Color? { didSet { setNeedsDisplay() } }
    /// Whether the focus stays among the views inside while it is shown, as in an alert.
    public var trapsFocus = false { didSet { setNeedsDisplay() } }
    /// What the view shows, in words; nil where its text says it.
    public var accessibilityLabel: String?
    /// Whether it is neither drawn nor asked; it keeps its place, unless `layoutNode.collapsesWhenHidden`.
    public var isHidden = false {
        didSet {
            guard isHidden != oldValue else { return }
            layoutNode.isHidden = isHidden
            setNeedsLayout()
        }
    }

    /// The view controller whose view this is.
    weak var viewController: ViewController?
    /// Within a view that traps the focus: what had it last.
    weak var rememberedFocus: View?

    /// A view without subviews.
    public override init() {
        super.init()
    }

    /// The size it wants by its content, in cells; nil in a direction in which it wants none.
    open var intrinsicContentSize: IntrinsicSize { .none }

    /// Draws the view's own content; its background stands already, its subviews follow.
    open func draw(in canvas: Canvas) {}

    /// Called when layout has given it another size; constraints may be changed here, and layout goes on.
    open func layoutSubviews() {}

    /// Called when it came into a window (`window` is set) or left it (nil).
    open func didMoveToWindow() {}

    /// Called when its window's room changed its class.
    open func traitsDidChange() {}

    /// Whether it can have the focus.
    open var canBecomeFirstResponder: Bool { false }

    /// Called when it got or lost the focus.
    open func focusDidChange() { setNeedsDisplay() }

    /// Where the real cursor stands while it has the focus, in its cells; nil hides it.
    open var caret: Point? { nil }

    /// The mouse did something inside; `location` is in its cells. Returns whether it was handled; what was not goes to
    /// the superview.
    open func mouse(_ event: MouseEvent) -> Bool { false }

    /// The view controller whose view it is, or else its superview.
    open override var next: Responder? { viewController ?? superview }

    /// The window's theme, suited to the terminal's colours; the standard theme outside a window.
    public var theme: Theme { window?.suitedTheme ?? Theme() }

    /// The room of the window; that of 80 x 24 outside one.
    public var traits: Traits { Traits(size: window?.frame.size ?? Size(width: 80, height: 24)) }

    // MARK: - The tree

    /// The window at the top, where there is one.
    open var window: Window? { superview?.window }

    /// Adds a view above the others; it leaves the superview that it had.
    public func addSubview(_ view: View) {
        insertSubview(view, at: subviews.count)
    }

    /// Adds a view at a place in the order of drawing.
    public func insertSubview(_ view: View, at index: Int) {
        guard view !== self, !isDescendant(of: view) else { return }
        view.removeFromSuperview()
        subviews.insert(view, at: max(0, min(index, subviews.count)))
        view.superview = self
        if let window { window.subtreeDidEnter(view) }
        setNeedsLayout()
    }

    /// Takes it out of its superview; its constraints stay with it.
    public func removeFromSuperview() {
        guard let superview else { return }
        let window = superview.window
        window?.subtreeWillLeave(self)
        superview.subviews.removeAll { $0 === self }
        superview.setNeedsLayout()
        self.superview = nil
        window?.subtreeDidLeave(self)
    }

    /// Draws a subview above the others.
    public func bringSubviewToFront(_ view: View) {
        guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.append(subviews.remove(at: index))
        setNeedsDisplay()
    }

    /// Whether it is `view` or stands somewhere inside it.
    public func isDescendant(of view: View) -> Bool {
        sequence(first: self) { $0.superview }.contains { $0 === view }
    }

    // MARK: - Layout

    /// The superview, for the layout.
    public var layoutParent: (any LayoutItem)? { superview }

    /// The subviews, for the layout.
    public var layoutChildren: [any LayoutItem] { subviews }

    /// The intrinsic content size, for the layout.
    public var intrinsicLayoutSize: IntrinsicSize { intrinsicContentSize }

    /// The height that the content needs at a width, in cells; nil where it does not depend on it.
    open func intrinsicLayoutHeight(forWidth width: Double) -> Double? { nil }

    /// How far below the top the first line of text ends, in cells; nil, as at first, puts its baseline at the bottom.
    open var firstBaselineFromTop: Double? { nil }

    /// How far above the bottom the last line of text ends, in cells; 0 at first.
    open var lastBaselineFromBottom: Double { 0 }

    /// The view's rectangle in its own coordinates.
    public var bounds: Rect { Rect(origin: .zero, size: frame.size) }

    /// Asks for a layout before the next drawing.
    open func setNeedsLayout() { window?.requestLayout(of: self) }

    /// Asks for a drawing; however often it is asked, one is made.
    public func setNeedsDisplay() { window?.setNeedsUpdate() }

    /// Tells that the content wants another size now.
    public func invalidateIntrinsicContentSize() {
        layoutNode.setNeedsIntrinsicSize()
        window?.setNeedsLayout()
    }
}

extension View {
    /// A cell of this view in the window's coordinates.
    public func convertToWindow(_ point: Point) -> Point {
        var result = point
        var view: View? = self
        while let current = view, current.superview != nil {
            result = Point(x: result.x + current.frame.minX, y: result.y + current.frame.minY)
            view = current.superview
        }
        return result
    }

    /// A cell of the window in this view's coordinates.
    public func convertFromWindow(_ point: Point) -> Point {
        let origin = convertToWindow(.zero)
        return Point(x: point.x - origin.x, y: point.y - origin.y)
    }

    /// A rectangle of this view in the coordinates of one above it.
    public func convert(_ rect: Rect, to ancestor: View) -> Rect {
        let own = convertToWindow(rect.origin)
        let other = ancestor.convertToWindow(.zero)
        return Rect(origin: Point(x: own.x - other.x, y: own.y - other.y), size: rect.size)
    }

    /// The innermost visible view at a cell of this one; nil outside.
    public func hitTest(_ point: Point) -> View? {
        guard !isHidden && bounds.contains(point) else { return nil }
        for view in subviews.reversed() {
            let inside = Point(x: point.x - view.frame.minX, y: point.y - view.frame.minY)
            if let hit = view.hitTest(inside) { return hit }
        }
        return self
    }

    /// The part of the window in which something of this view can be seen.
    var visibleArea: Rect {
        var area = Rect(origin: convertToWindow(.zero), size: frame.size)
        var view = superview
        while let current = view {
            area = area.intersection(Rect(origin: current.convertToWindow(.zero), size: current.frame.size))
            view = current.superview
        }
        return area
    }

    /// Draws the view and what stands in it.
    func render(on canvas: Canvas) {
        guard !isHidden else { return }
        canvas.within(frame) {
            if canvas.isClippedAway { return }
            if let background { canvas.cover(bounds, style: background) }
            draw(in: canvas)
            for view in subviews { view.render(on: canvas) }
        }
    }
}

extension View {
    /// The tint that holds here.
    public var effectiveTint: Color { tintColor ?? superview?.effectiveTint ?? theme.tint }
}
