/// What has anchors: an item through `ndl`, its safe area and its margins.
@MainActor
public protocol AnchorSource {
    /// The item whose parts the anchors are.
    var item: any LayoutItem { get }
    /// The rectangle of the item that the anchors lie on.
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
    /// The left and the right edge.
    public var horizontal: Anchor<HorizontalEdges> { anchor([.left, .right]) }
    /// The top and the bottom edge.
    public var vertical: Anchor<VerticalEdges> { anchor([.top, .bottom]) }
    /// The width and the height.
    public var size: Anchor<Extents> { anchor([.width, .height]) }
    /// Both centers.
    public var center: Anchor<Centers> { anchor([.centerX, .centerY]) }

    private func anchor<Kind>(_ attributes: [LayoutAttribute]) -> Anchor<Kind> {
        Anchor(item, attributes, area: area)
    }
}
