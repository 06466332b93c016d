internal import ConstraintSolver

/// Rounds the solved edges to the whole-number grid and determines the frames that changed.
///
/// Edges are rounded, not sizes, so that items that share an edge always meet.
@MainActor
final class FrameResolver {
    private let tree: ItemTree
    private let system: LayoutSystem
    private let content: ContentMeasurer
    /// The records whose rounded edges changed in this layout, each at least once.
    private var changed: [ItemRecord] = []

    init(tree: ItemTree, system: LayoutSystem, content: ContentMeasurer) {
        self.tree = tree
        self.system = system
        self.content = content
    }

    /// Rounds the edges of the dirty items. Adds the constraints that follow from them: extents of zero or more, and heights
    /// of content that wraps.
    ///
    /// - Parameter mayConstrain: whether constraints may be added.
    /// - Returns: whether constraints were added, so that the solver must run again.
    func roundEdges(mayConstrain: Bool) -> Bool {
        var needsAnotherRound = false
        // A local variable: every change of a property of a class is checked at run time.
        var changed = self.changed
        self.changed = []
        defer { self.changed = changed }
        for record in tree.takeDirty(reading: &system.solver) {
            record.isDirty = false
            guard !record.isGone else { continue }
            let (left, top, width, height) = record.solved
            // Added only where an extent is negative, which is rare, at a priority above every priority of a statement.
            if width < -1e-6, mayConstrain, record.implicit.horizontal[.notNegative] == nil {
                system.setImplicit(.notNegative, .horizontal, of: record, to: 0, priority: .structural)
                needsAnotherRound = true
            }
            if height < -1e-6, mayConstrain, record.implicit.vertical[.notNegative] == nil {
                system.setImplicit(.notNegative, .vertical, of: record, to: 0, priority: .structural)
                needsAnotherRound = true
            }
            var edges = ItemRecord.Edges()
            edges.left = FrameResolver.rounded(left)
            edges.top = FrameResolver.rounded(top)
            edges.right = max(edges.left, FrameResolver.rounded(left + width))
            edges.bottom = max(edges.top, FrameResolver.rounded(top + height))
            if edges != record.edges || !record.hasFrame {
                if edges.left != record.edges.left || edges.top != record.edges.top { record.hasMoved = true }
                record.edges = edges
                changed.append(record)
            }
            if mayConstrain, content.measureHeight(record) { needsAnotherRound = true }
        }
        return needsAnotherRound
    }

    /// Returns the frames, relative to the parents, that changed since the last call: those of items with other edges, and of
    /// the children of items that moved. Parents come before their children.
    func takeChanges() -> [FrameChange] {
        // Indices are sorted rather than records: moving references costs retain counts.
        var levels: [[Int]] = []
        let changed = changed
        self.changed = []
        for record in changed where !record.isGone {
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
