extension LayoutDSL {
    /// How strongly the item refuses to be larger than its content, along one axis or both.
    ///
    /// - Parameters:
    ///   - priority: 1 to 1000; 250 by default.
    ///   - axis: the axis; both when `nil`.
    public func setHugging(_ priority: LayoutPriority, _ axis: LayoutAxis? = nil) {
        if axis != .vertical { item.layoutNode.horizontalHugging = priority }
        if axis != .horizontal { item.layoutNode.verticalHugging = priority }
    }

    /// How strongly the item refuses to be smaller than its content, along one axis or both.
    ///
    /// - Parameters:
    ///   - priority: 1 to 1000; 750 by default.
    ///   - axis: the axis; both when `nil`.
    public func setCompressionResistance(_ priority: LayoutPriority, _ axis: LayoutAxis? = nil) {
        if axis != .vertical { item.layoutNode.horizontalCompressionResistance = priority }
        if axis != .horizontal { item.layoutNode.verticalCompressionResistance = priority }
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
