/// An object whose constraints are stated through ``ndl``: a ``LayoutItem``, or on Apple platforms a view or a layout guide of
/// the system, to which it adds no other member.
@MainActor
public protocol Constrainable: AnyObject {
    /// The item's constraints and anchors.
    var ndl: LayoutDSL { get }
}

/// An object that a ``LayoutEngine`` lays out: a view, or a ``LayoutGuide``.
///
/// An item stores its ``LayoutNode`` and provides its parent, its children and the size of its content.
@MainActor
public protocol LayoutItem: Constrainable {
    /// The item's layout state: one object for the item's whole life.
    var layoutNode: LayoutNode { get }
    /// The item to which this item's frame is relative; `nil` for a root and outside any tree.
    var layoutParent: (any LayoutItem)? { get }
    /// The items whose frames are relative to this item; empty by default.
    var layoutChildren: [any LayoutItem] { get }
    /// The size that fits the content; none by default. When it changes, or when the baselines move, call
    /// ``LayoutEngine/invalidateIntrinsicSize(of:)`` or ``LayoutNode/setNeedsIntrinsicSize()``.
    var intrinsicLayoutSize: IntrinsicSize { get }
    /// Returns the height that fits the content at a width, for content that wraps; `nil` (the default) for content whose
    /// height does not depend on its width. Called during layout, with whole widths.
    func intrinsicLayoutHeight(forWidth width: Double) -> Double?
    /// The distance from the top edge to the first line's baseline; `nil` (the default) places it at the bottom edge. Read
    /// when a constraint first refers to it, and again after each ``LayoutNode/setNeedsIntrinsicSize()``.
    var firstBaselineFromTop: Double? { get }
    /// The distance from the bottom edge up to the last line's baseline; 0 by default. Read at the same times.
    var lastBaselineFromBottom: Double { get }
}

extension LayoutItem {
    /// No children.
    public var layoutChildren: [any LayoutItem] { [] }
    /// No size along either axis.
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

    /// Makes the constraints that a closure states on the item.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    @available(*, deprecated, renamed: "ndl.makeConstraints(_:)")
    public func ndl_makeConstraints(_ closure: (_ make: ConstraintMaker) -> Void) {
        ndl.makeConstraints(closure)
    }
}

/// A rectangle without content that takes part in a layout: to align items to, to space them or to group them.
@MainActor
public final class LayoutGuide: LayoutItem {
    /// The guide's layout state.
    public let layoutNode = LayoutNode()
    /// The item that the guide belongs to.
    public private(set) weak var owner: (any LayoutItem)?

    /// Creates a guide that belongs to an item until ``remove()`` is called or the item is released.
    ///
    /// - Parameters:
    ///   - owner: the item in whose coordinates the guide lies.
    ///   - name: the guide's name in diagnostics.
    public init(in owner: any Constrainable, name: String? = nil) {
        let owner = owner.ndl.item
        self.owner = owner
        layoutNode.item = self
        layoutNode.name = name
        owner.layoutNode.guides.append(self)
        owner.layoutNode.backend?.guideAdded(self, to: owner.layoutNode)
    }

    /// The owner.
    public var layoutParent: (any LayoutItem)? { owner }

    /// Removes the guide, its constraints and the guides that belong to it from its owner.
    public func remove() {
        for guide in layoutNode.guides { guide.remove() }
        layoutNode.backend?.guideRemoved(self)
        owner?.layoutNode.guides.removeAll { $0 === self }
        owner = nil
    }
}
