extension LayoutDSL {
    /// Lines up items inside this item, one after the other.
    ///
    ///     box.ndl.stack([title, text, buttons], spacing: 1, insets: LayoutInsets(1))
    ///
    /// The spacing of a collapsed item (``LayoutNode/collapsesWhenHidden``) collapses with it, also at either end. The
    /// constraints belong to the returned group: `remakeConstraints` and `removeConstraints` of the items do not affect
    /// them, ``ConstraintGroup/remove()`` removes them, ``ConstraintGroup/setSpacing(_:)`` changes the spacing. To line up
    /// other items, remove the group and make another.
    ///
    /// - Parameters:
    ///   - items: the items in their order; usually children of this item.
    ///   - axis: from the top down, or along the reading direction.
    ///   - spacing: the distance between neighbours.
    ///   - insets: the insets of the stack inside this item; left applies where lines begin, right where they end.
    ///   - alignment: the position of the items across the axis.
    ///   - distribution: the distribution of the items along the axis.
    ///   - label: the constraints' label in descriptions and diagnostics.
    ///   - file: the file of the statement.
    ///   - line: the line of the statement.
    /// - Returns: the constraints; none if a number is invalid, which ``LayoutEngine/diagnostics`` reports.
    @discardableResult
    public func stack(
        _ items: [any Constrainable],
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
        let items = items.map(\.ndl.item)
        let arrangement = Arrangement(items.map { [$0] })
        builder.line(items, axis, arrangement, spacing: spacing.layoutValue, insets: insets, distribution: distribution)
        builder.across(items, axis, arrangement, insets: insets, alignment: alignment)
        return builder.activate()
    }

    /// Distributes items from one edge of this item to the other with equal gaps. Across the axis their own constraints
    /// place them.
    ///
    /// The gap of a collapsed item collapses with it. The constraints belong to the returned group.
    ///
    /// - Parameters:
    ///   - items: the items in their order.
    ///   - axis: along the reading direction, or from the top down.
    ///   - spacing: the minimum gap, if there is enough space.
    ///   - insets: the insets of the first and the last item inside this item.
    ///   - label: the constraints' label in descriptions and diagnostics.
    ///   - file: the file of the statement.
    ///   - line: the line of the statement.
    /// - Returns: the constraints; none if a number is invalid, which ``LayoutEngine/diagnostics`` reports.
    @discardableResult
    public func distribute(
        _ items: [any Constrainable],
        axis: LayoutAxis = .horizontal,
        spacing: some LayoutNumber = 0,
        insets: LayoutInsets = .zero,
        label: String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintGroup {
        let builder = ArrangementBuilder(item, label: label, file: file, line: line)
        let items = items.map(\.ndl.item)
        builder.line(
            items,
            axis,
            Arrangement(items.map { [$0] }),
            spacing: spacing.layoutValue,
            insets: insets,
            distribution: .equalSpacing
        )
        return builder.activate()
    }

    /// Aligns items by the same edge, center, baseline or extent; the position itself is left to other constraints.
    ///
    ///     form.ndl.align([name, mail, password], .leading, .width)
    ///
    /// The constraints belong to the returned group.
    ///
    /// - Parameters:
    ///   - items: the items.
    ///   - attributes: the attributes that become equal.
    ///   - label: the constraints' label in descriptions and diagnostics.
    ///   - file: the file of the statement.
    ///   - line: the line of the statement.
    /// - Returns: the constraints.
    @discardableResult
    public func align(
        _ items: [any Constrainable],
        _ attributes: LayoutAttribute...,
        label: String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintGroup {
        let builder = ArrangementBuilder(item, label: label, file: file, line: line)
        guard items.count > 1 else { return ConstraintGroup() }
        for attribute in attributes {
            // The common position or extent belongs to a guide, since any of the items may be collapsed.
            let along = AxisAttributes(attribute.axis)
            let common = builder.guide("common \(attribute)", along: attribute.axis)
            if attribute.isExtent {
                builder.relate(common, along.start, to: item, along.start)
            } else {
                builder.set(common, along.extent, .equal, 0)
            }
            for aligned in items.map(\.ndl.item) {
                builder.relate(aligned, attribute, to: common, attribute.isExtent ? along.extent : along.start)
            }
        }
        return builder.activate()
    }
}

/// The position of the items of a stack across its axis.
public enum StackAlignment: Sendable, Hashable, CaseIterable {
    /// From edge to edge of the container.
    case fill
    /// At the top of a horizontal stack, at the edge where lines begin of a vertical one.
    case start
    /// In the middle.
    case center
    /// At the bottom of a horizontal stack, at the edge where lines end of a vertical one.
    case end
    /// With the first lines of text on one baseline; for horizontal stacks, as ``start`` in vertical ones.
    case firstBaseline
    /// With the last lines of text on one baseline; for horizontal stacks, as ``end`` in vertical ones.
    case lastBaseline

    /// The alignment that applies along an axis: items of a vertical stack have no common baseline.
    func effective(along axis: LayoutAxis) -> StackAlignment {
        switch self {
        case .firstBaseline where axis == .vertical: .start
        case .lastBaseline where axis == .vertical: .end
        default: self
        }
    }

    /// The baseline that the items share, if any.
    var baseline: LayoutAttribute? {
        switch self {
        case .firstBaseline: .firstBaseline
        case .lastBaseline: .lastBaseline
        case .fill, .start, .center, .end: nil
        }
    }
}

/// The distribution of the items of a stack along its axis.
public enum StackDistribution: Sendable, Hashable, CaseIterable {
    /// From edge to edge of the container, by the items' own extents, hugging and compression resistance.
    case fill
    /// From edge to edge of the container, all items with the same extent.
    case equalSizes
    /// From edge to edge of the container with equal gaps, at least the stack's spacing if there is enough space.
    case equalSpacing
    /// One after the other from the start; the remaining space stays empty at the end.
    case start
}
