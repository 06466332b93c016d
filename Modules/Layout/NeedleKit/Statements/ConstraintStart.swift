/// The left side of a statement: `make.top`, or chained, `make.top.left`. A relation such as `equalTo` completes it.
@MainActor
public struct ConstraintStart<Kind: AnchorKind> {
    let maker: ConstraintMaker
    let attributes: [LayoutAttribute]

    init(_ maker: ConstraintMaker, _ attributes: [LayoutAttribute]) {
        self.maker = maker
        self.attributes = attributes
    }

    /// Adds a constraint for each attribute to the maker.
    func relate(
        _ relation: LayoutRelation,
        to right: ConstraintRightSide,
        _ file: StaticString,
        _ line: UInt
    ) -> ConstraintEditor<Kind> {
        let file = "\(file)"
        let constraints = attributes.map { attribute in
            let (target, constant) = right.resolve(attribute)
            return Constraint(
                item: maker.item,
                attribute: attribute,
                relation: relation,
                target: target,
                constant: constant,
                file: file,
                line: line
            )
        }
        maker.constraints += constraints
        return ConstraintEditor(constraints: constraints)
    }

    // MARK: - Chained attributes

    /// Adds the top edge.
    public var top: ConstraintStart<Mixed> { adding([.top]) }
    /// Adds the bottom edge.
    public var bottom: ConstraintStart<Mixed> { adding([.bottom]) }
    /// Adds the left edge.
    public var left: ConstraintStart<Mixed> { adding([.left]) }
    /// Adds the right edge.
    public var right: ConstraintStart<Mixed> { adding([.right]) }
    /// Adds the edge where lines begin.
    public var leading: ConstraintStart<Mixed> { adding([.leading]) }
    /// Adds the edge where lines end.
    public var trailing: ConstraintStart<Mixed> { adding([.trailing]) }
    /// Adds the middle between left and right.
    public var centerX: ConstraintStart<Mixed> { adding([.centerX]) }
    /// Adds the middle between top and bottom.
    public var centerY: ConstraintStart<Mixed> { adding([.centerY]) }
    /// Adds the baseline of the first line of text.
    public var firstBaseline: ConstraintStart<Mixed> { adding([.firstBaseline]) }
    /// Adds the baseline of the last line of text.
    public var lastBaseline: ConstraintStart<Mixed> { adding([.lastBaseline]) }
    /// Adds the width.
    public var width: ConstraintStart<Mixed> { adding([.width]) }
    /// Adds the height.
    public var height: ConstraintStart<Mixed> { adding([.height]) }
    /// Adds the four edges.
    public var edges: ConstraintStart<Mixed> { adding([.top, .left, .bottom, .right]) }
    /// Adds the four edges, the horizontal ones by reading direction.
    public var directionalEdges: ConstraintStart<Mixed> { adding([.top, .leading, .bottom, .trailing]) }
    /// Adds the left and right edges.
    public var horizontal: ConstraintStart<Mixed> { adding([.left, .right]) }
    /// Adds the top and bottom edges.
    public var vertical: ConstraintStart<Mixed> { adding([.top, .bottom]) }
    /// Adds the width and height.
    public var size: ConstraintStart<Mixed> { adding([.width, .height]) }
    /// Adds both centers.
    public var center: ConstraintStart<Mixed> { adding([.centerX, .centerY]) }

    private func adding(_ more: [LayoutAttribute]) -> ConstraintStart<Mixed> {
        ConstraintStart<Mixed>(maker, attributes + more)
    }
}
