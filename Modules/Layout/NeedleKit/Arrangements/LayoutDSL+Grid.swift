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
        builder.line(
            columnGuides,
            .horizontal,
            nil,
            spacing: columnSpacing.layoutValue,
            insets: insets,
            distribution: .equalSizes
        )
        builder.line(
            rowGuides,
            .vertical,
            Arrangement(rows),
            spacing: rowSpacing.layoutValue,
            insets: insets,
            distribution: equalRows ? .equalSizes : .fill,
            closesSlots: true
        )
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
