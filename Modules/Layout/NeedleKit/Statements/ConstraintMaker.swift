/// The parameter of a `makeConstraints` closure: each statement begins with one of its attributes.
@MainActor
public final class ConstraintMaker {
    let item: any LayoutItem
    /// The constraints stated so far, in order.
    var constraints: [Constraint] = []

    init(_ item: any LayoutItem) { self.item = item }

    /// The top edge.
    public var top: ConstraintStart<YPosition> { ConstraintStart(self, [.top]) }
    /// The bottom edge.
    public var bottom: ConstraintStart<YPosition> { ConstraintStart(self, [.bottom]) }
    /// The left edge.
    public var left: ConstraintStart<XPosition> { ConstraintStart(self, [.left]) }
    /// The right edge.
    public var right: ConstraintStart<XPosition> { ConstraintStart(self, [.right]) }
    /// The edge where lines begin.
    public var leading: ConstraintStart<XPosition> { ConstraintStart(self, [.leading]) }
    /// The edge where lines end.
    public var trailing: ConstraintStart<XPosition> { ConstraintStart(self, [.trailing]) }
    /// The middle between left and right.
    public var centerX: ConstraintStart<XPosition> { ConstraintStart(self, [.centerX]) }
    /// The middle between top and bottom.
    public var centerY: ConstraintStart<YPosition> { ConstraintStart(self, [.centerY]) }
    /// The baseline of the first line of text.
    public var firstBaseline: ConstraintStart<YPosition> { ConstraintStart(self, [.firstBaseline]) }
    /// The baseline of the last line of text.
    public var lastBaseline: ConstraintStart<YPosition> { ConstraintStart(self, [.lastBaseline]) }
    /// The width.
    public var width: ConstraintStart<Extent> { ConstraintStart(self, [.width]) }
    /// The height.
    public var height: ConstraintStart<Extent> { ConstraintStart(self, [.height]) }
    /// The four edges.
    public var edges: ConstraintStart<AllEdges> { ConstraintStart(self, [.top, .left, .bottom, .right]) }
    /// The four edges, the horizontal ones by reading direction.
    public var directionalEdges: ConstraintStart<AllDirectionalEdges> {
        ConstraintStart(self, [.top, .leading, .bottom, .trailing])
    }
    /// The left and right edges.
    public var horizontal: ConstraintStart<HorizontalEdges> { ConstraintStart(self, [.left, .right]) }
    /// The top and bottom edges.
    public var vertical: ConstraintStart<VerticalEdges> { ConstraintStart(self, [.top, .bottom]) }
    /// The width and height.
    public var size: ConstraintStart<Extents> { ConstraintStart(self, [.width, .height]) }
    /// Both centers.
    public var center: ConstraintStart<Centers> { ConstraintStart(self, [.centerX, .centerY]) }

    /// Makes the width a multiple of the height.
    @discardableResult
    public func aspectRatio(
        _ ratio: some LayoutNumber,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Extent> {
        width.equalTo(item.ndl.height, file: file, line: line).multipliedBy(ratio)
    }
}
