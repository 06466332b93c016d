/// Something that a ``LayoutEngine`` gives a frame: a view, or a ``LayoutGuide``.
///
/// An item stores its ``LayoutNode`` and tells its parent, its children and the size of its content; constraints are made
/// through ``ndl``.
@MainActor
public protocol LayoutItem: AnyObject {
    /// The item's place in layouts: one object for the item's whole life.
    var layoutNode: LayoutNode { get }
    /// The item that this one's frame is relative to; `nil` for a root and outside any tree.
    var layoutParent: (any LayoutItem)? { get }
    /// The items whose frames are relative to this one; none by default.
    var layoutChildren: [any LayoutItem] { get }
    /// The size that the content asks for; none by default. After a change of it, or of where baselines are, call
    /// ``LayoutEngine/invalidateIntrinsicSize(of:)`` or ``LayoutNode/setNeedsIntrinsicSize()``.
    var intrinsicLayoutSize: IntrinsicSize { get }
    /// The height that the content needs at a width, for content that wraps; `nil` (the default) for content whose
    /// height does not depend on its width. Asked while laying out, with whole widths.
    func intrinsicLayoutHeight(forWidth width: Double) -> Double?
    /// How far below the top edge the first line's baseline is; `nil` (the default) puts it at the bottom edge. Asked when
    /// a constraint first refers to it, and again after each ``LayoutNode/setNeedsIntrinsicSize()``.
    var firstBaselineFromTop: Double? { get }
    /// How far above the bottom edge the last line's baseline is; 0 by default. Asked at the same times.
    var lastBaselineFromBottom: Double { get }
}

extension LayoutItem {
    /// No children.
    public var layoutChildren: [any LayoutItem] { [] }
    /// No wish.
    public var intrinsicLayoutSize: IntrinsicSize { .none }
    /// The first baseline at the bottom edge.
    public var firstBaselineFromTop: Double? { nil }
    /// The last baseline at the bottom edge.
    public var lastBaselineFromBottom: Double { 0 }
    /// Content that does not wrap.
    public func intrinsicLayoutHeight(forWidth width: Double) -> Double? { nil }

    /// The item's constraints and anchors.
    public var ndl: LayoutDSL {
        layoutNode.item = self
        return LayoutDSL(item: self)
    }

    /// Makes constraints on the item.
    ///
    /// - Parameter closure: states them.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    @available(*, deprecated, renamed: "ndl.makeConstraints(_:)")
    public func ndl_makeConstraints(_ closure: (_ make: ConstraintMaker) -> Void) {
        ndl.makeConstraints(closure)
    }
}
