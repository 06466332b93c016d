extension LayoutDSL {
    /// Fills this item with a grid of columns of the same width, row after row in the reading direction.
    ///
    /// Each item fills its cell. The height of a row fits its items, or all rows have the same height. The spacing of a row
    /// whose items are all collapsed collapses with it. The constraints belong to the returned group, as with
    /// ``stack(_:axis:spacing:insets:alignment:distribution:label:file:line:)``.
    ///
    /// - Parameters:
    ///   - items: the items, row after row.
    ///   - columns: the number of columns, at least 1.
    ///   - columnSpacing: the distance between columns.
    ///   - rowSpacing: the distance between rows.
    ///   - insets: the insets of the grid inside this item.
    ///   - equalRows: whether all rows have the same height.
    ///   - label: the constraints' label in descriptions and diagnostics.
    ///   - file: the file of the statement.
    ///   - line: the line of the statement.
    /// - Returns: the constraints; none if a number is invalid, which ``LayoutEngine/diagnostics`` reports.
    @discardableResult
    public func grid(
        _ items: [any Constrainable],
        columns: Int,
        columnSpacing: some LayoutNumber = 0,
        rowSpacing: some LayoutNumber = 0,
        insets: LayoutInsets = .zero,
        equalRows: Bool = false,
        label: String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintGroup {
        guard !items.isEmpty else { return ConstraintGroup() }
        let columns = min(max(1, columns), items.count)
        let rows = stride(from: 0, to: items.count, by: columns).map {
            items[$0..<min($0 + columns, items.count)].map(\.ndl.item)
        }
        let builder = ArrangementBuilder(item, label: label, file: file, line: line)
        let columnGuides = (0..<columns).map { builder.guide("column \($0 + 1)", along: .horizontal) }
        let rowGuides = rows.indices.map { builder.guide("row \($0 + 1)", along: .vertical) }
        builder.tracks(columnGuides, .horizontal, columnSpacing.layoutValue, insets, nil, isEqual: true)
        builder.tracks(rowGuides, .vertical, rowSpacing.layoutValue, insets, Arrangement(rows), isEqual: equalRows)
        // A collapsed cell takes its row along only with all of the row, and its column, as wide as the others, with all cells.
        let all = Arrangement(rows.joined().map { [$0] })
        for (index, cells) in rows.enumerated() {
            let inRow = Arrangement(cells.map { [$0] })
            for (slot, cell) in cells.enumerated() {
                let (row, column) = (rowGuides[index], columnGuides[slot])
                builder.relate(cell, .leading, to: column, .leading)
                builder.relate(cell, .top, to: row, .top)
                let cellIndex = index * columns + slot
                let isWide = GapCondition(arrangement: all, slot: cellIndex, kind: .slot, effect: .constraint)
                builder.relate(cell, .trailing, to: column, .trailing, condition: isWide)
                let isHigh = GapCondition(arrangement: inRow, slot: slot, kind: .slot, effect: .constraint)
                builder.relate(cell, .bottom, to: row, .bottom, condition: isHigh)
            }
        }
        return builder.activate()
    }
}

extension ArrangementBuilder {
    /// Lines up the guides of columns or rows from edge to edge.
    func tracks(
        _ guides: [LayoutGuide],
        _ axis: LayoutAxis,
        _ spacing: Double,
        _ insets: LayoutInsets,
        _ arrangement: Arrangement?,
        isEqual: Bool
    ) {
        guard let first = guides.first, let last = guides.last else { return }
        let along = AxisAttributes(axis)
        func condition(_ slot: Int, _ kind: GapCondition.Kind, _ effect: GapCondition.Effect) -> GapCondition? {
            arrangement.map { GapCondition(arrangement: $0, slot: slot, kind: kind, effect: effect) }
        }
        relate(first, along.start, to: container, along.start, plus: along.start.constant(of: insets))
        relate(last, along.end, to: container, along.end, plus: along.end.constant(of: insets))
        for (index, pair) in zip(guides, guides.dropFirst()).enumerated() {
            relate(
                pair.1,
                along.start,
                to: pair.0,
                along.end,
                plus: spacing,
                role: .gap,
                condition: condition(index + 1, .gap, .constant)
            )
        }
        guard isEqual, guides.count > 1 else { return }
        let unit = guide("equal \(along.extent)s", along: axis)
        relate(unit, along.start, to: container, along.start)
        for (index, guide) in guides.enumerated() {
            relate(guide, along.extent, to: unit, along.extent, condition: condition(index, .slot, .constantAndTarget))
        }
    }
}
