extension LayoutDSL {
    /// Lines items up inside this one, one after the other.
    ///
    ///     box.ndl.stack([title, text, buttons], spacing: 1, insets: LayoutInsets(1))
    ///
    /// An item that is collapsed (``LayoutNode/collapsesWhenHidden``) takes its spacing with it, at either end too. The
    /// constraints belong to the group that is returned: `remakeConstraints` and `removeConstraints` of the items leave
    /// them, ``ConstraintGroup/remove()`` takes them away, ``ConstraintGroup/setSpacing(_:)`` changes the spacing in place. When other items are to be lined up,
    /// remove the group and make another.
    ///
    /// - Parameters:
    ///   - items: the items in their order; usually children of this one.
    ///   - axis: the direction; from the top down, or along the reading direction.
    ///   - spacing: the distance between neighbours.
    ///   - insets: how far inside this item's edges the stack lies; left counts where lines begin, right where they end.
    ///   - alignment: where the items lie across the axis.
    ///   - distribution: how they share the room along it.
    ///   - label: the constraints' name in descriptions and diagnostics.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: the constraints; none when a number is impossible, which ``LayoutEngine/diagnostics`` tells.
    @discardableResult
    public func stack(
        _ items: [any LayoutItem],
        axis: LayoutAxis = .vertical,
        spacing: some LayoutNumber = 0,
        insets: LayoutInsets = .zero,
        alignment: StackAlignment = .fill,
        distribution: StackDistribution = .fill,
        label: String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintGroup {
        let builder = ArrangementBuilder(item, label: label, file: file, line: line)
        builder.line(items, axis, spacing: spacing.layoutValue, insets: insets, distribution: distribution)
        builder.across(items, axis, insets: insets, alignment: alignment)
        return builder.finish()
    }

    /// Spreads items from one edge of this item to the other with the same gap between all; across the axis they stay
    /// as their own constraints place them.
    ///
    /// A collapsed item takes its gap with it. The constraints belong to the group that is returned.
    ///
    /// - Parameters:
    ///   - items: the items in their order.
    ///   - axis: the direction; along the reading direction, or from the top down.
    ///   - spacing: the least gap, where there is room for it.
    ///   - insets: how far inside this item's edges the first and the last lie.
    ///   - label: the constraints' name in descriptions and diagnostics.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: the constraints; none when a number is impossible, which ``LayoutEngine/diagnostics`` tells.
    @discardableResult
    public func distribute(
        _ items: [any LayoutItem],
        axis: LayoutAxis = .horizontal,
        spacing: some LayoutNumber = 0,
        insets: LayoutInsets = .zero,
        label: String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintGroup {
        let builder = ArrangementBuilder(item, label: label, file: file, line: line)
        builder.line(items, axis, spacing: spacing.layoutValue, insets: insets, distribution: .equalSpacing)
        return builder.finish()
    }

    /// Gives items the same edge, center, baseline or extent, wherever that comes to lie.
    ///
    ///     form.ndl.align([name, mail, password], .leading, .width)
    ///
    /// The constraints belong to the group that is returned.
    ///
    /// - Parameters:
    ///   - items: the items.
    ///   - attributes: what is to be the same.
    ///   - label: the constraints' name in descriptions and diagnostics.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: the constraints.
    @discardableResult
    public func align(
        _ items: [any LayoutItem],
        _ attributes: LayoutAttribute...,
        label: String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintGroup {
        let builder = ArrangementBuilder(item, label: label, file: file, line: line)
        guard items.count > 1 else { return ConstraintGroup() }
        for attribute in attributes {
            // A guide holds what is common: any of the items may be collapsed.
            let along = AxisAttributes(attribute.axis)
            let common = builder.guide("common \(attribute)", along: attribute.axis)
            if attribute.isExtent {
                builder.relate(common, along.start, to: item, along.start)
            } else {
                builder.set(common, along.extent, .equal, 0)
            }
            for aligned in items {
                builder.relate(aligned, attribute, to: common, attribute.isExtent ? along.extent : along.start)
            }
        }
        return builder.finish()
    }
}
