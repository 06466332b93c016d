internal import ConstraintSolver

/// The items of a layout: one record for each, found by its node, its index or one of its solver variables.
///
/// Invariant: from `insert` to `remove`, a record is at its index, its node refers to that index, and its four variables map
/// to it. An index is reused after its record is removed.
@MainActor
final class ItemTree {
    private(set) var records: [ItemRecord?] = []
    private var freeIndices: [Int] = []
    /// For each solver variable the index of its item; -1 for a variable of no item.
    private(set) var owners: [Int] = []
    private(set) var root: ItemRecord?
    /// Counts items that were released without having been removed.
    private let releases = ReleaseCounter()
    /// The identity of the engine, to which the nodes of the tree refer as their backend.
    var engine: ObjectIdentifier?

    /// The records whose edges must be rounded again.
    private(set) var dirty: [ItemRecord] = []

    /// Inserts a record of an item.
    func insert(_ item: any LayoutItem, parent: ItemRecord?, variables: ItemVariables) -> ItemRecord {
        let index = freeIndices.popLast() ?? records.count
        let record = ItemRecord(item, parent: parent, index: index, variables: variables)
        if index == records.count { records.append(record) } else { records[index] = record }
        for variable in variables.all {
            while owners.count <= Int(variable.index) { owners.append(-1) }
            owners[Int(variable.index)] = index
        }
        if let parent { record.childKey = parent.children.append(record) } else { root = record }
        let node = item.layoutNode
        node.item = item
        node.index = index
        node.releases = releases
        dirty.append(record)
        return record
    }

    /// Removes a record whose constraints are removed already.
    func remove(_ record: ItemRecord) {
        for variable in record.variables.all { owners[Int(variable.index)] = -1 }
        records[record.index] = nil
        record.isGone = true
        freeIndices.append(record.index)
    }

    func record(of node: LayoutNode) -> ItemRecord? {
        guard let backend = node.backend, ObjectIdentifier(backend) == engine, node.index >= 0,
            node.index < records.count
        else { return nil }
        return records[node.index]
    }

    /// A record and all records below it, parents before children, in the order of the tree.
    func subtree(of record: ItemRecord) -> [ItemRecord] {
        var subtree: [ItemRecord] = []
        var stack = [record]
        while let next = stack.popLast() {
            subtree.append(next)
            stack += next.children.reversed()
        }
        return subtree
    }

    /// Whether the record is in the tree.
    func contains(_ record: ItemRecord) -> Bool { records[record.index] === record }

    func commonAncestor(_ first: ItemRecord, _ second: ItemRecord) -> ItemRecord? {
        var (one, other): (ItemRecord?, ItemRecord?) = (first, second)
        while let left = one, let right = other, left !== right {
            if left.depth >= right.depth { one = left.parent }
            if right.depth >= left.depth { other = right.parent }
        }
        return one
    }

    /// The uppermost records of items that were released without having been removed.
    func takeReleased() -> [ItemRecord] {
        guard releases.take() > 0 else { return [] }
        return records.compactMap { record in
            guard let record, record !== root, record.node == nil else { return nil }
            return record.parent == nil || record.parent?.node != nil ? record : nil
        }
    }

    // MARK: - Dirty records

    func markDirty(_ record: ItemRecord) {
        guard !record.isDirty else { return }
        record.isDirty = true
        dirty.append(record)
    }

    /// Lists the records whose variables changed in the solver, returns all dirty records with their values and empties
    /// their list.
    func takeDirty(reading solver: inout Solver) -> [SolvedItem] {
        // Local copies: every access to a property of a class is checked at run time.
        let owners = owners
        let records = records
        var listed = dirty
        dirty = []
        solver.drainChanges { variable, _ in
            let owner = owners[Int(variable.index)]
            guard owner >= 0, let record = records[owner], !record.isDirty else { return }
            record.isDirty = true
            listed.append(record)
        }
        var solved: [SolvedItem] = []
        solved.reserveCapacity(listed.count)
        for record in listed {
            record.isDirty = false
            guard !record.isGone else { continue }
            let (left, top) = (solver.value(of: record.left), solver.value(of: record.top))
            let (width, height) = (solver.value(of: record.width), solver.value(of: record.height))
            solved.append(SolvedItem(record: record, left: left, top: top, width: width, height: height))
        }
        return solved
    }
}

/// The edges and extents of an item in the solver.
struct SolvedItem {
    let record: ItemRecord
    let left: Double
    let top: Double
    let width: Double
    let height: Double
}
