public import NeedleKit

/// A rectangle of the screen that draws itself, contains subviews and handles input.
///
/// Constraints alone decide its position (`view.ndl.makeConstraints`); ``frame`` is the result, in cells of the
/// superview. A view draws and receives mouse events only within its bounds.
///
/// Its part in the focus and in the responder chain is in the files on these; a few views add what they need of every view.
@MainActor
open class View: Responder, LayoutItem {
    /// The view's layout variables and constraints.
    public let layoutNode = LayoutNode()
    /// The view that contains this one.
    public private(set) weak var superview: View?
    /// The subviews, drawn in order.
    public private(set) var subviews: [View] = []
    /// The rectangle that layout assigned, in cells of the superview; zero outside of a window.
    public var frame: GridRect { GridRect(layoutNode.frame) }
    /// The background; `nil` is that of ``surface``.
    public var background: TextStyle? { didSet { setNeedsDisplay() } }
    /// The style of the theme that is the background, such as `\.panel`; `nil` is transparent.
    public var surface: KeyPath<Theme, TextStyle>? { didSet { setNeedsDisplay() } }
    /// The accent colour of the view and its subviews; `nil` inherits the superview's and finally the theme's.
    public var tintColor: Color? { didSet { setNeedsDisplay() } }
    /// Whether the focus stays inside while the view is visible, as in an alert.
    public var trapsFocus = false { didSet { setNeedsDisplay() } }
    /// A description of the view in words; `nil` if its text is the description.
    public var accessibilityLabel: String?
    /// Whether the view is neither drawn nor receives events. It still occupies its place in the layout, unless
    /// `layoutNode.collapsesWhenHidden` is set.
    public var isHidden: Bool {
        get { layoutNode.isHidden }
        set {
            guard isHidden != newValue else { return }
            layoutNode.isHidden = newValue
            setNeedsLayout()
        }
    }

    /// Whether the view is above the others and receives mouse events before a focus trap, as a list of suggestions.
    var isOverlay = false
    /// Whether the view is a bar beside a content: only Tab, a click or a call moves the focus to a view in it, so that the
    /// keys of a content that has nothing focusable remain its own.
    var isBar: Bool { false }
    /// Whether the view receives the focus only where no other view can have it, unless Tab, a click or a call moves it.
    var isFocusedLast: Bool { false }
    /// Whether the view is transparent for the pointer.
    var ignoresPointer: Bool { false }
    /// Whether a click on the view moves the focus to it.
    var takesFocusOnClick: Bool { true }
    /// The cell that represents the view's focus, for a screen reader.
    var focusPoint: GridPoint { .zero }
    /// Whether the view looks different below the pointer.
    var showsHover: Bool { false }
    /// Whether the pointer is above the view.
    var isHovered: Bool { window?.hoveredView === self }

    /// The view controller that manages this view.
    weak var viewController: ViewController?
    /// The views that last had the focus inside this focus trap, the latest first.
    var rememberedFocus: [WeakView] = []

    /// Creates a view without subviews.
    public override init() { super.init() }

    /// The natural size of the content in cells; `nil` in a direction without one.
    open var intrinsicContentSize: IntrinsicSize { .none }

    /// The view in words, for output without a screen; the lines of the subviews follow. By default it is the
    /// accessibility label, if there is one.
    open var plainText: [String] { accessibilityLabel.map { [$0] } ?? [] }

    /// Draws the content, after the background and before the subviews.
    open func draw(in canvas: Canvas) {}

    /// Called when layout has changed the view's size. Constraints may be changed here; layout then runs again.
    open func layoutSubviews() {}

    /// Called when the view has entered a window (`window` is set) or left it (`nil`).
    open func didMoveToWindow() {}

    /// Called when the window's traits or theme have changed.
    open func traitsDidChange() {}

    /// Whether the view can have the focus.
    open var canBecomeFirstResponder: Bool { false }

    /// Whether the view types characters while it has the focus. Otherwise they are keys: a letter of Hangul is the Latin letter
    /// of the same key.
    open var acceptsText: Bool { false }

    /// Called when the view has received or lost the focus.
    open func focusDidChange() { setNeedsDisplay() }

    /// The position of the hardware cursor while the view has the focus; `nil` hides the cursor.
    open var caret: GridPoint? { nil }

    /// Handles a mouse event whose `location` is in the view's coordinates.
    ///
    /// - Returns: Whether the event was handled; otherwise the superview receives it.
    open func mouse(_ event: MouseEvent) -> Bool { false }

    /// The view controller that manages the view, or else the superview.
    open override var next: Responder? { viewController ?? superview }

    /// The window's theme for the terminal's colours; the standard theme outside a window.
    public var theme: Theme { window?.suitedTheme ?? Theme() }

    /// The size classes of the window; those of 80 x 24 outside a window.
    public var traits: Traits { Traits(size: window?.frame.size ?? GridSize(width: 80, height: 24)) }

    // MARK: - View hierarchy

    /// The window that contains the view.
    open var window: Window? { superview?.window }

    /// Adds a subview in front of the others; it is removed from its previous superview.
    public func addSubview(_ view: View) { insertSubview(view, at: subviews.count) }

    /// Adds a subview that fills the view; its constraints are replaced.
    public func fill(with view: View) {
        addSubview(view)
        view.ndl.remakeConstraints { $0.edges.equalTo(self) }
    }

    /// Constrains the view to a rectangle of its superview.
    func place(in rect: GridRect) {
        guard let superview else { return }
        ndl.remakeConstraints { make in
            make.left.equalTo(superview).offset(Double(rect.minX))
            make.top.equalTo(superview).offset(Double(rect.minY))
            make.width.equalTo(Double(rect.width))
            make.height.equalTo(Double(rect.height))
        }
    }

    /// Inserts a subview at an index of the drawing order.
    public func insertSubview(_ view: View, at index: Int) {
        guard view !== self, !isDescendant(of: view) else { return }
        view.removeFromSuperview()
        subviews.insert(view, at: max(0, min(index, subviews.count)))
        view.superview = self
        if let window { window.subtreeDidEnter(view) }
        setNeedsLayout()
    }

    /// Removes the view from its superview. Its constraints are retained.
    public func removeFromSuperview() {
        guard let superview else { return }
        let window = superview.window
        window?.subtreeWillLeave(self)
        superview.subviews.removeAll { $0 === self }
        superview.setNeedsLayout()
        self.superview = nil
        window?.subtreeDidLeave(self)
    }

    /// Returns whether the view is `view` or a descendant of it.
    public func isDescendant(of view: View) -> Bool {
        sequence(first: self) { $0.superview }.contains { $0 === view }
    }

    /// Calls `body` with this view, then with those below it.
    func visit(_ body: (View) -> Void) {
        body(self)
        for view in subviews { view.visit(body) }
    }

    // MARK: - Layout

    /// The superview.
    public var layoutParent: (any LayoutItem)? { superview }

    /// The subviews.
    public var layoutChildren: [any LayoutItem] { subviews }

    /// The intrinsic content size.
    public var intrinsicLayoutSize: IntrinsicSize { intrinsicContentSize }

    /// Returns the height of the content at a width, in cells; `nil` if it does not depend on the width.
    open func intrinsicLayoutHeight(forWidth width: Double) -> Double? { nil }

    /// The distance from the top to the first baseline, in cells; `nil` means the bottom.
    open var firstBaselineFromTop: Double? { nil }

    /// The distance from the bottom to the last baseline, in cells; 0 by default.
    open var lastBaselineFromBottom: Double { 0 }

    /// The view's rectangle in its own coordinates.
    public var bounds: GridRect { GridRect(origin: .zero, size: frame.size) }

    /// Requests a layout before the next frame. A change of constraints requests it automatically.
    open func setNeedsLayout() { window?.requestLayout(of: self) }

    /// Requests a new frame; several requests produce one frame.
    public func setNeedsDisplay() { window?.setNeedsUpdate() }

    /// Reports that the intrinsic content size has changed.
    public func invalidateIntrinsicContentSize() { layoutNode.setNeedsIntrinsicSize() }
}

extension View {
    /// Converts a point of this view to the window's coordinates.
    public func convertToWindow(_ point: GridPoint) -> GridPoint {
        var result = point
        var view: View? = self
        while let current = view, current.superview != nil {
            result = GridPoint(x: result.x + current.frame.minX, y: result.y + current.frame.minY)
            view = current.superview
        }
        return result
    }

    /// Converts a point of the window to this view's coordinates.
    public func convertFromWindow(_ point: GridPoint) -> GridPoint {
        let origin = convertToWindow(.zero)
        return GridPoint(x: point.x - origin.x, y: point.y - origin.y)
    }

    /// Converts a rectangle of this view to the coordinates of an ancestor.
    public func convert(_ rect: GridRect, to ancestor: View) -> GridRect {
        let own = convertToWindow(rect.origin)
        let other = ancestor.convertToWindow(.zero)
        return GridRect(origin: GridPoint(x: own.x - other.x, y: own.y - other.y), size: rect.size)
    }

    /// Returns the deepest visible view at a point; `nil` outside of the view.
    public func hitTest(_ point: GridPoint) -> View? {
        guard !isHidden && !ignoresPointer && bounds.contains(point) else { return nil }
        for view in subviews.reversed() {
            let inside = GridPoint(x: point.x - view.frame.minX, y: point.y - view.frame.minY)
            if let hit = view.hitTest(inside) { return hit }
        }
        return self
    }

    /// The part of the window in which the view is visible.
    var visibleArea: GridRect {
        var area = GridRect(origin: convertToWindow(.zero), size: frame.size)
        var view = superview
        while let current = view {
            area = area.intersection(GridRect(origin: current.convertToWindow(.zero), size: current.frame.size))
            view = current.superview
        }
        return area
    }

    /// Draws the view and its subviews.
    func render(on canvas: Canvas) {
        guard !isHidden else { return }
        canvas.within(frame) {
            if canvas.isClippedAway { return }
            if let backdrop { canvas.cover(with: backdrop, size: bounds.size) }
            draw(in: canvas)
            for view in subviews { view.render(on: canvas) }
        }
    }
}

extension View {
    /// The background that is drawn: the view's own, or that of its surface.
    var backdrop: TextStyle? { background ?? surface.map { theme[keyPath: $0] } }

    /// The tint that applies to the view: its own, the superview's or the theme's.
    public var effectiveTint: Color { tintColor ?? superview?.effectiveTint ?? theme.tint }
}
