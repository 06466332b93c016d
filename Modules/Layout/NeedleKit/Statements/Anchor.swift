/// A part of an item to which constraints refer: `title.ndl.bottom`.
///
/// The kind of an anchor is part of its type, so that an X position cannot be related to a Y position or an extent: such code
/// does not compile.
@MainActor
public struct Anchor<Kind: AnchorKind> {
    let item: any LayoutItem
    let attributes: [LayoutAttribute]
    let area: LayoutArea

    init(_ item: any LayoutItem, _ attributes: [LayoutAttribute], area: LayoutArea) {
        self.item = item
        self.attributes = attributes
        self.area = area
    }

    /// The anchor's attribute that a statement on another attribute refers to: the same attribute, otherwise the anchor's only
    /// attribute on the same axis. Without such an attribute the first one, which the check of the axes then rejects.
    func attribute(for other: LayoutAttribute) -> LayoutAttribute {
        if attributes.contains(other) { return other }
        let candidates = attributes.filter { other.canRefer(to: $0) }
        if candidates.count == 1 { return candidates[0] }
        return attributes.first { !other.canRefer(to: $0) } ?? other.unrelated
    }
}

extension LayoutAttribute {
    /// An attribute that this attribute cannot refer to.
    var unrelated: LayoutAttribute { isExtent ? .left : .width }
}

/// The kind of an anchor: a type without values that separates anchors of different kinds at compile time.
public protocol AnchorKind {}

/// A position along x: left, right, leading, trailing, centerX.
public enum XPosition: AnchorKind {}
/// A position along y: top, bottom, centerY, firstBaseline, lastBaseline.
public enum YPosition: AnchorKind {}
/// An extent: width or height, which can refer to each other.
public enum Extent: AnchorKind {}
/// Several edges by side, which accept insets.
public protocol SideEdges: AnchorKind {}

/// The four edges.
public enum AllEdges: SideEdges {}
/// The top, leading, bottom and trailing edges.
public enum AllDirectionalEdges: AnchorKind {}
/// The left and right edges.
public enum HorizontalEdges: SideEdges {}
/// The top and bottom edges.
public enum VerticalEdges: SideEdges {}
/// The width and height.
public enum Extents: AnchorKind {}
/// Both centers.
public enum Centers: AnchorKind {}
/// Chained attributes, such as `make.top.left`. Their axes are checked when the constraints are made.
public enum Mixed: SideEdges {}

/// A source of anchors: an item through `ndl`, its safe area or its margins.
@MainActor
public protocol AnchorSource: ConstraintOperand where OperandKind == Any {
    /// The item.
    var item: any LayoutItem { get }
    /// The rectangle of the item on which the anchors lie.
    var area: LayoutArea { get }
}

extension AnchorSource {
    /// The top edge.
    public var top: Anchor<YPosition> { anchor([.top]) }
    /// The bottom edge.
    public var bottom: Anchor<YPosition> { anchor([.bottom]) }
    /// The left edge.
    public var left: Anchor<XPosition> { anchor([.left]) }
    /// The right edge.
    public var right: Anchor<XPosition> { anchor([.right]) }
    /// The edge where lines begin.
    public var leading: Anchor<XPosition> { anchor([.leading]) }
    /// The edge where lines end.
    public var trailing: Anchor<XPosition> { anchor([.trailing]) }
    /// The middle between left and right.
    public var centerX: Anchor<XPosition> { anchor([.centerX]) }
    /// The middle between top and bottom.
    public var centerY: Anchor<YPosition> { anchor([.centerY]) }
    /// The baseline of the first line of text.
    public var firstBaseline: Anchor<YPosition> { anchor([.firstBaseline]) }
    /// The baseline of the last line of text.
    public var lastBaseline: Anchor<YPosition> { anchor([.lastBaseline]) }
    /// The width.
    public var width: Anchor<Extent> { anchor([.width]) }
    /// The height.
    public var height: Anchor<Extent> { anchor([.height]) }
    /// The four edges.
    public var edges: Anchor<AllEdges> { anchor([.top, .left, .bottom, .right]) }
    /// The four edges, the horizontal ones by reading direction.
    public var directionalEdges: Anchor<AllDirectionalEdges> { anchor([.top, .leading, .bottom, .trailing]) }
    /// The left and right edges.
    public var horizontal: Anchor<HorizontalEdges> { anchor([.left, .right]) }
    /// The top and bottom edges.
    public var vertical: Anchor<VerticalEdges> { anchor([.top, .bottom]) }
    /// The width and height.
    public var size: Anchor<Extents> { anchor([.width, .height]) }
    /// Both centers.
    public var center: Anchor<Centers> { anchor([.centerX, .centerY]) }

    private func anchor<Kind>(_ attributes: [LayoutAttribute]) -> Anchor<Kind> {
        Anchor(item, attributes, area: area)
    }
}

/// The anchors of an item's safe area or margins: `item.ndl.safeArea`, `item.ndl.margins`.
@MainActor
public struct AreaAnchors: AnchorSource {
    /// The item.
    public let item: any LayoutItem
    /// The rectangle of the item on which the anchors lie.
    public let area: LayoutArea
}
