extension ConstraintStart {
    /// Adds: the top edge.
    public var top: ConstraintStart<Mixed> { joined([.top]) }
    /// Adds: the bottom edge.
    public var bottom: ConstraintStart<Mixed> { joined([.bottom]) }
    /// Adds: the left edge.
    public var left: ConstraintStart<Mixed> { joined([.left]) }
    /// Adds: the right edge.
    public var right: ConstraintStart<Mixed> { joined([.right]) }
    /// Adds: the edge where lines begin.
    public var leading: ConstraintStart<Mixed> { joined([.leading]) }
    /// Adds: the edge where lines end.
    public var trailing: ConstraintStart<Mixed> { joined([.trailing]) }
    /// Adds: the middle between left and right.
    public var centerX: ConstraintStart<Mixed> { joined([.centerX]) }
    /// Adds: the middle between top and bottom.
    public var centerY: ConstraintStart<Mixed> { joined([.centerY]) }
    /// Adds: the baseline of the first line of text.
    public var firstBaseline: ConstraintStart<Mixed> { joined([.firstBaseline]) }
    /// Adds: the baseline of the last line of text.
    public var lastBaseline: ConstraintStart<Mixed> { joined([.lastBaseline]) }
    /// Adds: the width.
    public var width: ConstraintStart<Mixed> { joined([.width]) }
    /// Adds: the height.
    public var height: ConstraintStart<Mixed> { joined([.height]) }
    /// Adds: the four edges.
    public var edges: ConstraintStart<Mixed> { joined([.top, .left, .bottom, .right]) }
    /// Adds: the four edges, the horizontal ones by reading direction.
    public var directionalEdges: ConstraintStart<Mixed> { joined([.top, .leading, .bottom, .trailing]) }
    /// Adds: the left and the right edge.
    public var horizontal: ConstraintStart<Mixed> { joined([.left, .right]) }
    /// Adds: the top and the bottom edge.
    public var vertical: ConstraintStart<Mixed> { joined([.top, .bottom]) }
    /// Adds: the width and the height.
    public var size: ConstraintStart<Mixed> { joined([.width, .height]) }
    /// Adds: both centers.
    public var center: ConstraintStart<Mixed> { joined([.centerX, .centerY]) }

    private func joined(_ more: [LayoutAttribute]) -> ConstraintStart<Mixed> {
        ConstraintStart<Mixed>(maker: maker, attributes: attributes + more)
    }
}
