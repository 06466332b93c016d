/// The parameter of a `makeConstraints` closure: each statement begins with one of its attributes.
@MainActor
public final class ConstraintMaker {
    let item: any LayoutItem
    /// The constraints stated so far, in order.
    var constraints: [Constraint] = []

    init(_ item: any LayoutItem) {
        self.item = item
    }

    private func start<Kind>(_ attributes: [LayoutAttribute]) -> ConstraintStart<Kind> {
        ConstraintStart(maker: self, attributes: attributes)
    }

    /// The top edge.
    public var top: ConstraintStart<YPosition> { start([.top]) }
    /// The bottom edge.
    public var bottom: ConstraintStart<YPosition> { start([.bottom]) }
    /// The left edge.
    public var left: ConstraintStart<XPosition> { start([.left]) }
    /// The right edge.
    public var right: ConstraintStart<XPosition> { start([.right]) }
    /// The edge where lines begin.
    public var leading: ConstraintStart<XPosition> { start([.leading]) }
    /// The edge where lines end.
    public var trailing: ConstraintStart<XPosition> { start([.trailing]) }
    /// The middle between left and right.
    public var centerX: ConstraintStart<XPosition> { start([.centerX]) }
    /// The middle between top and bottom.
    public var centerY: ConstraintStart<YPosition> { start([.centerY]) }
    /// The baseline of the first line of text.
    public var firstBaseline: ConstraintStart<YPosition> { start([.firstBaseline]) }
    /// The baseline of the last line of text.
    public var lastBaseline: ConstraintStart<YPosition> { start([.lastBaseline]) }
    /// The width.
    public var width: ConstraintStart<Extent> { start([.width]) }
    /// The height.
    public var height: ConstraintStart<Extent> { start([.height]) }
    /// The four edges.
    public var edges: ConstraintStart<AllEdges> { start([.top, .left, .bottom, .right]) }
    /// The four edges, the horizontal ones by reading direction.
    public var directionalEdges: ConstraintStart<AllDirectionalEdges> { start([.top, .leading, .bottom, .trailing]) }
    /// The left and right edges.
    public var horizontal: ConstraintStart<HorizontalEdges> { start([.left, .right]) }
    /// The top and bottom edges.
    public var vertical: ConstraintStart<VerticalEdges> { start([.top, .bottom]) }
    /// The width and height.
    public var size: ConstraintStart<Extents> { start([.width, .height]) }
    /// Both centers.
    public var center: ConstraintStart<Centers> { start([.centerX, .centerY]) }

    /// Makes the width a multiple of the height.
    ///
    /// - Parameters:
    ///   - ratio: width divided by height.
    ///   - file: the file of the statement.
    ///   - line: the line of the statement.
    /// - Returns: modifiers for the statement.
    @discardableResult
    public func aspectRatio(
        _ ratio: some LayoutNumber,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Extent> {
        width.equalTo(item.ndl.height, file: file, line: line).multipliedBy(ratio)
    }
}
