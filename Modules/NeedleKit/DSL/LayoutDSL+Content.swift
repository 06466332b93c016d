extension LayoutDSL {
    /// How strongly the item refuses to be larger than its content, along one axis or both.
    ///
    /// - Parameters:
    ///   - priority: 1 to 1000; 250 by default. What content requires holds against what code requires, which is left
    ///     out and told in ``LayoutEngine/diagnostics``; the root's size alone holds against the root's own content.
    ///   - axis: the axis; both when `nil`.
    ///   - file: the stating file.
    ///   - line: the stating line.
    public func setHugging(
        _ priority: LayoutPriority,
        _ axis: LayoutAxis? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let (node, place) = (item.layoutNode, SourcePlace(file: file, line: line))
        if axis != .vertical {
            node.horizontalHugging = priority
            node.contentPlaces[.hugging(.horizontal)] = place
        }
        if axis != .horizontal {
            node.verticalHugging = priority
            node.contentPlaces[.hugging(.vertical)] = place
        }
    }

    /// How strongly the item refuses to be smaller than its content, along one axis or both.
    ///
    /// - Parameters:
    ///   - priority: 1 to 1000; 750 by default. What content requires holds as with
    ///     ``setHugging(_:_:file:line:)``.
    ///   - axis: the axis; both when `nil`.
    ///   - file: the stating file.
    ///   - line: the stating line.
    public func setCompressionResistance(
        _ priority: LayoutPriority,
        _ axis: LayoutAxis? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let (node, place) = (item.layoutNode, SourcePlace(file: file, line: line))
        if axis != .vertical {
            node.horizontalCompressionResistance = priority
            node.contentPlaces[.compressionResistance(.horizontal)] = place
        }
        if axis != .horizontal {
            node.verticalCompressionResistance = priority
            node.contentPlaces[.compressionResistance(.vertical)] = place
        }
    }

    /// Makes the same constraints on each of several items.
    ///
    ///     form.ndl.each([name, mail]) { make in make.height.equalTo(1) }
    ///
    /// - Parameters:
    ///   - items: the items.
    ///   - closure: states the constraints of one.
    /// - Returns: the constraints of all.
    @discardableResult
    public func each(
        _ items: [any LayoutItem],
        _ closure: (_ make: ConstraintMaker) -> Void
    ) -> ConstraintGroup {
        ConstraintGroup(items.flatMap { $0.ndl.makeConstraints(closure) })
    }
}
