internal import ConstraintSolver

// Rounds the solved edges to the whole-number grid and determines the frames that changed. Edges are rounded, not sizes, so
// that items that share an edge always meet.
extension LayoutSystem {
    /// What a round of rounding added to the solver, which must then run again.
    enum Round {
        /// Nothing.
        case settled
        /// Extents of zero or more; at most once for each extent.
        case forbidsNegative
        /// Heights of content that wraps.
        case measuredHeights
    }

    /// Rounds the edges of the dirty items. Adds the constraints that follow from them: extents of zero or more or, once there
    /// are none to add, heights of content that wraps.
    ///
    /// - Parameters:
    ///   - measuresHeights: whether content is measured.
    ///   - constrainsSiblings: whether the siblings of an item with a negative extent are constrained with it: the next of
    ///     them would have the negative extent instead.
    /// - Returns: what was added.
    func roundEdges(measuresHeights: Bool, constrainsSiblings: Bool) -> Round {
        var forbidsNegative = false
        // A local variable: every change of a property of a class is checked at run time.
        var moved = self.moved
        self.moved = []
        defer { self.moved = moved }
        let solved = tree.takeDirty(reading: &solver)
        for item in solved {
            let record = item.record
            // Added only where an extent is negative, which is rare, at a priority above every priority of a statement.
            for (axis, extent) in [(LayoutAxis.horizontal, item.width), (.vertical, item.height)]
            where extent < -1e-6 && forbidNegative(axis, of: record) {
                forbidsNegative = true
                guard constrainsSiblings, let siblings = record.parent?.children else { continue }
                for sibling in siblings { _ = forbidNegative(axis, of: sibling) }
            }
            var edges = ItemRecord.Edges()
            edges.left = LayoutSystem.rounded(item.left)
            edges.top = LayoutSystem.rounded(item.top)
            edges.right = max(edges.left, LayoutSystem.rounded(item.left + item.width))
            edges.bottom = max(edges.top, LayoutSystem.rounded(item.top + item.height))
            if edges != record.edges || !record.hasFrame {
                if edges.left != record.edges.left || edges.top != record.edges.top { record.hasMoved = true }
                record.edges = edges
                moved.append(record)
            }
        }
        if forbidsNegative {
            // Widths that change again are not worth a measurement.
            for item in solved { tree.markDirty(item.record) }
            return .forbidsNegative
        }
        var hasMeasured = false
        if measuresHeights {
            for item in solved where measureHeight(item.record) { hasMeasured = true }
        }
        return hasMeasured ? .measuredHeights : .settled
    }

    /// Requires that an extent is not negative; returns false if that is required already.
    private func forbidNegative(_ axis: LayoutAxis, of record: ItemRecord) -> Bool {
        guard record.implicit[ImplicitConstraint.Key(role: .notNegative, axis: axis)] == nil else { return false }
        setImplicit(.notNegative, axis, of: record, to: 0, priority: .structural)
        return true
    }

    /// Returns the frames, relative to the parents, that changed since the last call: those of items with other edges, and of
    /// the children of items that moved. Parents come before their children.
    func takeChanges() -> [FrameChange] {
        // Indices are sorted rather than records: moving references costs retain counts.
        var levels: [[Int]] = []
        let moved = moved
        self.moved = []
        for record in moved where !record.isGone {
            list(record, &levels)
            guard record.hasMoved else { continue }
            record.hasMoved = false
            if record.children.hasNoEntries { continue }
            for child in record.children { list(child, &levels) }
        }
        var changes: [FrameChange] = []
        changes.reserveCapacity(levels.reduce(0) { $0 + $1.count })
        let records = tree.records
        for level in levels {
            for index in level.sorted() {
                guard let record = records[index] else { continue }
                record.isListed = false
                let edges = record.edges
                let origin = record.parentIndex < 0 ? nil : records[record.parentIndex]?.edges
                let frame = LayoutRect(
                    x: edges.left - (origin?.left ?? 0),
                    y: edges.top - (origin?.top ?? 0),
                    width: edges.right - edges.left,
                    height: edges.bottom - edges.top
                )
                guard let node = record.node, !record.hasFrame || frame != node.frame else { continue }
                record.hasFrame = true
                node.frame = frame
                if !record.isGuide, let item = record.item { changes.append(FrameChange(item: item, frame: frame)) }
            }
        }
        return changes
    }

    /// Adds a record's index to the list of its depth, once.
    private func list(_ record: ItemRecord, _ levels: inout [[Int]]) {
        guard !record.isListed else { return }
        record.isListed = true
        while levels.count <= record.depth { levels.append([]) }
        levels[record.depth].append(record.index)
    }

    /// Rounds an edge to the grid, halves upwards. A value within 1e-6 below one half counts as one half, so that the same
    /// edge computed in two ways is rounded the same way.
    static func rounded(_ edge: Double) -> Int {
        // Without `floor`, which would require linking the C library's mathematics.
        let shifted = min(max(edge, -1e15), 1e15) + 0.5 + 1e-6
        guard shifted.isFinite else { return 0 }
        let truncated = Int(shifted)
        return Double(truncated) > shifted ? truncated - 1 : truncated
    }
}
