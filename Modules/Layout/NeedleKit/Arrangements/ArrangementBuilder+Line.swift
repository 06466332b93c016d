extension ArrangementBuilder {
    /// Lines up items along an axis, from the container's start to its end. The guides of rows, which are not collapsed
    /// themselves, close with their slots.
    func line(
        _ items: [any LayoutItem],
        _ axis: LayoutAxis,
        _ arrangement: Arrangement?,
        spacing: Double,
        insets: LayoutInsets,
        distribution: StackDistribution,
        closesSlots: Bool = false
    ) {
        guard let first = items.first, let last = items.last else { return }
        let along = AxisAttributes(axis)
        relate(first, along.start, to: container, along.start, plus: along.start.constant(of: insets))
        let end = along.end.constant(of: insets)
        // A single item has no gaps that could be equal.
        let isOpenEnded = distribution == .start || distribution == .equalSpacing
        edge(last, along.end, !isOpenEnded, .lessThanOrEqual, end)
        if distribution == .equalSpacing, items.count > 1 {
            let anyGap = condition(arrangement, 0, .anyGap, .constraint)
            edge(last, along.end, true, .lessThanOrEqual, end, condition: anyGap)
        }
        if distribution == .equalSpacing {
            equalGaps(items, axis, arrangement, atLeast: spacing)
        } else {
            for (index, pair) in zip(items, items.dropFirst()).enumerated() {
                let gap = condition(arrangement, index + 1, .gap, .constant)
                relate(pair.1, along.start, to: pair.0, along.end, plus: spacing, role: .gap, condition: gap)
            }
        }
        if distribution == .equalSizes, items.count > 1 {
            // The common extent belongs to a guide, since any of the items may be collapsed.
            let unit = guide("equal \(along.extent)s", along: axis)
            relate(unit, along.start, to: container, along.start)
            for (slot, item) in items.enumerated() {
                let isShown = closesSlots ? condition(arrangement, slot, .slot, .constantAndTarget) : nil
                relate(item, along.extent, to: unit, along.extent, condition: isShown)
            }
        }
    }

    private func condition(
        _ arrangement: Arrangement?,
        _ slot: Int,
        _ kind: GapCondition.Kind,
        _ effect: GapCondition.Effect
    ) -> GapCondition? {
        arrangement.map { GapCondition(arrangement: $0, slot: slot, kind: kind, effect: effect) }
    }

    private func equalGaps(
        _ items: [any LayoutItem],
        _ axis: LayoutAxis,
        _ arrangement: Arrangement?,
        atLeast spacing: Double
    ) {
        guard items.count > 1 else { return }
        let along = AxisAttributes(axis)
        let unit = guide("equal gaps", along: axis)
        relate(unit, along.start, to: container, along.start)
        set(unit, along.extent, .greaterThanOrEqual, spacing, priority: ArrangementBuilder.insidePriority, role: .gap)
        set(unit, along.extent, .equal, spacing, priority: 1, role: .gap)
        for (index, pair) in zip(items, items.dropFirst()).enumerated() {
            let gap = guide("gap \(index + 1)", along: axis)
            relate(gap, along.start, to: pair.0, along.end)
            relate(pair.1, along.start, to: gap, along.end)
            let isOpen = condition(arrangement, index + 1, .gap, .constantAndTarget)
            relate(gap, along.extent, to: unit, along.extent, condition: isOpen)
        }
    }

    /// Aligns items across an axis of the container.
    func across(
        _ items: [any LayoutItem],
        _ axis: LayoutAxis,
        _ arrangement: Arrangement,
        insets: LayoutInsets,
        alignment: StackAlignment
    ) {
        let across = AxisAttributes(axis.other)
        let start = across.start.constant(of: insets)
        let end = across.end.constant(of: insets)
        let alignment = alignment.effective(along: axis)
        let baseline = alignment.baseline
        let base = baseline != nil && items.count > 1 ? guide("baseline", along: .vertical) : nil
        if let base { set(base, .height, .equal, 0) }
        var inside = container
        if alignment == .center, start != -end {
            // A guide, since the insets of a centre are not mirrored from right to left.
            let guide = guide("inside", along: axis.other)
            edge(guide, across.start, true, .equal, start)
            edge(guide, across.end, true, .equal, end)
            inside = guide
        }
        for (slot, item) in items.enumerated() {
            let isShown = GapCondition(arrangement: arrangement, slot: slot, kind: .slot, effect: .constraint)
            if alignment == .center { relate(item, across.center, to: inside, across.center) }
            if let base, let baseline { relate(item, baseline, to: base, .top) }
            edge(item, across.start, alignment == .fill || alignment == .start, .greaterThanOrEqual, start)
            edge(
                item,
                across.end,
                alignment == .fill || alignment == .end,
                .lessThanOrEqual,
                end,
                condition: alignment == .fill ? isShown : nil
            )
        }
    }

    /// Constrains an edge to the container's edge, or to stay inside it.
    private func edge(
        _ item: any LayoutItem,
        _ attribute: LayoutAttribute,
        _ isTied: Bool,
        _ inside: LayoutRelation,
        _ constant: Double,
        condition: GapCondition? = nil
    ) {
        relate(
            item,
            attribute,
            isTied ? .equal : inside,
            to: container,
            attribute,
            plus: constant,
            priority: isTied ? .required : ArrangementBuilder.insidePriority,
            condition: condition
        )
    }
}
