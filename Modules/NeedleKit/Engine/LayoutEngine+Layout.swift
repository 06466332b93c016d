internal import ConstraintSolver

extension LayoutEngine {
    /// Lays out what changed since the last call.
    ///
    /// - Returns: the items whose frame is another, parents before their children, each with its frame relative to its
    ///   parent. Every item is among them the first time.
    public func layout() -> [FrameChange] {
        var changed: [ItemRecord] = []
        flush()
        // Content that wraps asks for its height only once its width is known; that seldom takes a second round.
        for _ in 0..<8 {
            collectChanges()
            if !settleSizes(&changed) { break }
            flush()
        }
        return frameChanges(changed)
    }

    /// Lists the items whose variables changed.
    private func collectChanges() {
        solver.drainChanges { variable, _ in
            let place = owners[Int(variable.index)]
            guard place >= 0, let record = records[place], !record.isDirty else { return }
            record.isDirty = true
            dirty.append(record)
        }
    }

    /// Rounds the edges of the listed items; enters what follows from them: extents that must not be negative, heights
    /// that follow from widths.
    ///
    /// - Returns: whether anything was entered, so that another round is needed.
    private func settleSizes(_ changed: inout [ItemRecord]) -> Bool {
        var isUnsettled = false
        let listed = dirty
        dirty.removeAll(keepingCapacity: true)
        for record in listed {
            record.isDirty = false
            guard records[record.place] === record else { continue }
            let width = solver.value(of: record.width)
            let height = solver.value(of: record.height)
            if width < -1e-6, record.nonNegative[.horizontal] == nil {
                keepNonNegative(record, .horizontal)
                isUnsettled = true
            }
            if height < -1e-6, record.nonNegative[.vertical] == nil {
                keepNonNegative(record, .vertical)
                isUnsettled = true
            }
            let left = solver.value(of: record.left)
            let top = solver.value(of: record.top)
            record.edges.left = LayoutEngine.rounded(left)
            record.edges.top = LayoutEngine.rounded(top)
            record.edges.right = max(record.edges.left, LayoutEngine.rounded(left + width))
            record.edges.bottom = max(record.edges.top, LayoutEngine.rounded(top + height))
            if wrapAgain(record) { isUnsettled = true }
            changed.append(record)
        }
        return isUnsettled
    }

    /// Asks content that wraps for its height at the present width.
    private func wrapAgain(_ record: ItemRecord) -> Bool {
        let width = record.edges.right - record.edges.left
        guard width != record.lastIntrinsicWidth, !record.isCollapsed, let item = record.item else { return false }
        let height = item.intrinsicLayoutHeight(forWidth: Double(width))
        guard height != record.intrinsicHeightForWidth else {
            record.lastIntrinsicWidth = width
            return false
        }
        record.intrinsicHeightForWidth = height
        updateIntrinsic(record)
        record.lastIntrinsicWidth = width
        return true
    }

    /// The frames, relative to the parents', that are others than before.
    private func frameChanges(_ changed: [ItemRecord]) -> [FrameChange] {
        var affected: [ItemRecord] = []
        var seen: Set<Int> = []
        for record in changed where records[record.place] === record {
            if seen.insert(record.place).inserted { affected.append(record) }
            for child in record.children where seen.insert(child.place).inserted { affected.append(child) }
        }
        affected.sort { ($0.depth, $0.place) < ($1.depth, $1.place) }
        var changes: [FrameChange] = []
        for record in affected {
            let origin = record.parent?.edges
            let frame = LayoutRect(
                x: record.edges.left - (origin?.left ?? 0),
                y: record.edges.top - (origin?.top ?? 0),
                width: record.edges.right - record.edges.left,
                height: record.edges.bottom - record.edges.top
            )
            guard frame != record.frame else { continue }
            record.frame = frame
            record.node?.frame = frame
            if !record.isGuide, let item = record.item { changes.append(FrameChange(item: item, frame: frame)) }
        }
        return changes
    }

    /// Rounds an edge to the grid, halves upwards; a hair below one half counts as one half, so that the same edge,
    /// computed in two ways, comes out the same.
    static func rounded(_ edge: Double) -> Int {
        // Without `floor`, which would need the C library's mathematics at link time.
        let shifted = min(max(edge, -1e15), 1e15) + 0.5 + 1e-6
        guard shifted.isFinite else { return 0 }
        let truncated = Int(shifted)
        return Double(truncated) > shifted ? truncated - 1 : truncated
    }
}
