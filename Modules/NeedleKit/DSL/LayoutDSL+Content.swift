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
        let place = SourcePlace(file: file, line: line)
        set(priority, axis, \.horizontalHugging, \.verticalHugging, ContentWish.hugging, place)
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
        let place = SourcePlace(file: file, line: line)
        let wish = ContentWish.compressionResistance
        set(priority, axis, \.horizontalCompressionResistance, \.verticalCompressionResistance, wish, place)
    }

    /// Sets a content priority along one axis or both, and keeps where it was stated.
    private func set(
        _ priority: LayoutPriority,
        _ axis: LayoutAxis?,
        _ horizontal: ReferenceWritableKeyPath<LayoutNode, LayoutPriority>,
        _ vertical: ReferenceWritableKeyPath<LayoutNode, LayoutPriority>,
        _ wish: (LayoutAxis) -> ContentWish,
        _ place: SourcePlace
    ) {
        let node = item.layoutNode
        for (each, property) in [(LayoutAxis.horizontal, horizontal), (.vertical, vertical)]
        where axis == nil || axis == each {
            node[keyPath: property] = priority
            node.contentPlaces[wish(each)] = place
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
