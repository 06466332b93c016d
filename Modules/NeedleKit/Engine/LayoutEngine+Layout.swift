internal import ConstraintSolver

extension LayoutEngine {
    /// Lays out what changed since the last call.
    ///
    /// - Returns: the items whose frame is another, parents before their children, each with its frame relative to its
    ///   parent. Every item is among them the first time.
    public func layout() -> [FrameChange] {
        layoutBegins()
        defer { layoutEnds() }
        var changed: [ItemRecord] = []
        flush()
        // Content that wraps asks for its height only once its width is known; that seldom takes a second round.
        // Content that never settles is not asked for ever; its frames are those of the last answer.
        for round in 0...8 {
            collectChanges()
            if !settleSizes(&changed, mayEnter: round < 8) { break }
            flush()
        }
        return frameChanges(changed)
    }

    /// Takes over the variables that changed, and lists their items.
    private func collectChanges() {
        // Each look at a property of the engine would be checked against a change at the same time.
        let owners = owners
        let records = records
        var listed = dirty
        dirty = []
        solver.drainChanges { variable, value in
            let owner = owners[Int(variable.index)]
            guard owner >= 0, let record = records[owner >> 2] else { return }
            switch owner & 3 {
            case 0: record.solved.left = value
            case 1: record.solved.top = value
            case 2: record.solved.width = value
            default: record.solved.height = value
            }
            if !record.isDirty {
                record.isDirty = true
                listed.append(record)
            }
        }
        dirty = listed
    }

    /// Rounds the edges of the listed items; enters what follows from them: extents that must not be negative, heights
    /// that follow from widths.
    ///
    /// - Parameters:
    ///   - changed: receives the items whose rounded edges are others.
    ///   - mayEnter: whether anything may be entered.
    /// - Returns: whether anything was, so that another round is needed.
    private func settleSizes(_ changed: inout [ItemRecord], mayEnter: Bool) -> Bool {
        var isUnsettled = false
        let listed = dirty
        dirty.removeAll(keepingCapacity: true)
        for record in listed {
            record.isDirty = false
            guard !record.isGone else { continue }
            let (left, top, width, height) = record.solved
            // Above every wish of the user, and only where it is needed: few extents ever come out negative.
            if width < -1e-6, mayEnter, record.own.horizontal[.notNegative] == nil {
                keep(.notNegative, .horizontal, of: record, at: 0, .structural)
                isUnsettled = true
            }
            if height < -1e-6, mayEnter, record.own.vertical[.notNegative] == nil {
                keep(.notNegative, .vertical, of: record, at: 0, .structural)
                isUnsettled = true
            }
            var edges = ItemRecord.Edges()
            edges.left = LayoutEngine.rounded(left)
            edges.top = LayoutEngine.rounded(top)
            edges.right = max(edges.left, LayoutEngine.rounded(left + width))
            edges.bottom = max(edges.top, LayoutEngine.rounded(top + height))
            if edges != record.edges || record.frame == nil {
                if edges.left != record.edges.left || edges.top != record.edges.top { record.hasMoved = true }
                record.edges = edges
                changed.append(record)
            }
            if mayEnter, wrapAgain(record) { isUnsettled = true }
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

    /// The frames, relative to the parents', that are others than before: those of the changed items, and of the children
    /// of those that moved.
    private func frameChanges(_ changed: [ItemRecord]) -> [FrameChange] {
        // Numbers are sorted, since records count references.
        var levels: [[Int]] = []
        for record in changed where !record.isGone {
            list(record, &levels)
            guard record.hasMoved else { continue }
            record.hasMoved = false
            if record.children.isBlank { continue }
            for child in record.children { list(child, &levels) }
        }
        var changes: [FrameChange] = []
        changes.reserveCapacity(levels.reduce(0) { $0 + $1.count })
        let records = records
        for level in levels {
            for place in level.sorted() {
                guard let record = records[place] else { continue }
                record.isListed = false
                let edges = record.edges
                let origin = record.parentPlace < 0 ? nil : records[record.parentPlace]?.edges
                let frame = LayoutRect(
                    x: edges.left - (origin?.left ?? 0),
                    y: edges.top - (origin?.top ?? 0),
                    width: edges.right - edges.left,
                    height: edges.bottom - edges.top
                )
                guard frame != record.frame else { continue }
                record.frame = frame
                record.node?.frame = frame
                if !record.isGuide, let item = record.item { changes.append(FrameChange(item: item, frame: frame)) }
            }
        }
        return changes
    }

    /// Puts a record's place among those of its depth, once.
    private func list(_ record: ItemRecord, _ levels: inout [[Int]]) {
        guard !record.isListed else { return }
        record.isListed = true
        while levels.count <= record.depth { levels.append([]) }
        levels[record.depth].append(record.place)
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
