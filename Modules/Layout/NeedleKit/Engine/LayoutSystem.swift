internal import ConstraintSolver

/// The state of a layout: the items, the active constraints, the solver, and what awaits the next layout.
///
/// Invariants:
/// - A constraint has exactly one record, at its index, from ``add(_:)`` to ``remove(_:)``. A record that is pending or
///   changed is in `pending`; a record that is dropped or rejected is in `unmet`. Both lists may also contain records that
///   have changed their state since, which their readers skip.
/// - Every id in `statements` and `implicit` is defined in the solver; a record has an id exactly while it is in
///   `statements`. A change that fails leaves the solver as it was.
///
/// The extensions are in the order of a layout: content, statements, conflicts, frames.
@MainActor
final class LayoutSystem {
    // Stored in a class, so that the memory layout of LayoutEngine does not depend on a module that clients do not import.
    var solver = Solver()
    let tree = ItemTree()
    /// The engine, which is the backend of the constraints and nodes.
    weak var backend: (any LayoutBackend)?
    var layoutDirection = LayoutDirection.leftToRight
    var errors = LayoutErrorLog()
    /// Whether a change could make it possible to satisfy an unmet constraint.
    var shouldRetry = false

    // MARK: - Constraints

    private(set) var records: [ConstraintRecord?] = []
    private var freeIndices: [Int] = []
    private var nextSequence = 0
    /// Records to enter into the solver or to change in it, in the order of the changes.
    private var pending: [ConstraintRecord] = []
    /// Records that are dropped or rejected.
    private(set) var unmet: [ConstraintRecord] = []
    /// The records of statements by solver id.
    var statements: [ConstraintID: ConstraintRecord] = [:]

    // MARK: - Content and geometry

    /// The implicit constraints by solver id.
    var implicit: [ConstraintID: ImplicitConstraint] = [:]
    /// Required content that conflicts at present, in the order in which the conflicts were found.
    var unmetContent: [UnmetContentConstraint] = []
    /// The size that the root is to have.
    var rootSize = LayoutSize.zero
    /// Whether `rootSize` must be applied at the next layout.
    var needsRootSize = false
    /// The records whose flag `needsIntrinsic` or `needsGeometry` is set, and perhaps some that left the tree.
    var needingIntrinsic: [ItemRecord] = []
    var needingGeometry: [ItemRecord] = []
    /// The records whose rounded edges changed in this layout, each at least once.
    var moved: [ItemRecord] = []

    /// Whether anything awaits the next layout.
    var hasPending: Bool {
        !pending.isEmpty || !needingIntrinsic.isEmpty || !needingGeometry.isEmpty || shouldRetry || needsRootSize
    }
}

// MARK: - Records

extension LayoutSystem {
    /// Adds a record of a constraint on an item of the tree, to enter the solver at the next layout.
    func add(_ constraint: Constraint, on item: any LayoutItem) {
        let record = ConstraintRecord(constraint, itemIndex: item.layoutNode.index, sequence: nextSequence)
        nextSequence += 1
        let index = freeIndices.popLast() ?? records.count
        if index == records.count { records.append(record) } else { records[index] = record }
        constraint.index = index
        constraint.backend = backend
        pending.append(record)
    }

    /// The record of a constraint; `nil` if the constraint is not active in this layout.
    func record(of constraint: Constraint) -> ConstraintRecord? {
        constraint.index >= 0 && constraint.backend === backend ? records[constraint.index] : nil
    }

    /// Removes a constraint from the solver and its record from the layout.
    func remove(_ record: ConstraintRecord) {
        unlink(record)
        withdraw(record)
        record.state = .removed
        let constraint = record.constraint
        guard constraint.backend === backend else { return }
        records[constraint.index] = nil
        freeIndices.append(constraint.index)
        constraint.index = -1
        constraint.backend = nil
    }

    /// Takes a constraint out of the solver.
    func withdraw(_ record: ConstraintRecord) {
        guard let id = record.id else { return }
        statements[id] = nil
        try? solver.discard(id)
        record.id = nil
    }

    /// Takes a constraint whose expression changed out of the solver, to be entered again at the next layout.
    func reenter(_ record: ConstraintRecord) {
        switch record.state {
        case .active: withdraw(record)
        case .suspended: break
        case .pending, .dropped, .rejected, .removed: return
        }
        unlink(record)
        enqueue(record)
        shouldRetry = true
    }

    // MARK: - Pending and unmet records

    /// Sets the state to pending and lists the record for the next layout.
    func enqueue(_ record: ConstraintRecord) {
        record.state = .pending
        pending.append(record)
    }

    /// Lists a record whose constant, priority or names changed. Returns whether it was not listed as changed before.
    @discardableResult
    func enqueueChange(_ record: ConstraintRecord) -> Bool {
        guard !record.isChanged else { return false }
        record.isChanged = true
        pending.append(record)
        return true
    }

    /// Returns the records to enter into the solver or to change in it, and empties their list.
    ///
    /// They are in the order of their items in the tree and, for one item, in the order of the changes. Constraints of the
    /// same item and of its neighbors thus enter the solver together, where they use the same memory: the cost of a layout
    /// hardly depends on the order in which its constraints are stated.
    func takePending() -> [ConstraintRecord] {
        let listed = pending
        pending = []
        var isInOrder = true
        var last = Int.min
        for record in listed {
            if record.itemIndex < last { isInOrder = false }
            last = record.itemIndex
        }
        if isInOrder { return listed }
        // Numbers are sorted rather than records: moving references costs retain counts.
        let keys = listed.indices.map { listed[$0].itemIndex << 32 | $0 }.sorted()
        return keys.map { listed[$0 & 0xFFFF_FFFF] }
    }

    /// Withdraws a constraint that cannot be satisfied now; it is tried again after changes.
    func setAside(_ record: ConstraintRecord, _ state: ConstraintRecord.State) {
        withdraw(record)
        record.state = state
        unmet.append(record)
    }

    /// Removes a record from the list of unmet ones.
    func removeUnmet(_ record: ConstraintRecord) { unmet.removeAll { $0 === record } }

    /// The dropped and rejected constraints in the order of their activation.
    var unmetInOrder: [ConstraintRecord] { unmet.sorted { $0.sequence < $1.sequence } }

    /// Returns the dropped and rejected constraints in the order of their activation, and empties their list.
    func takeUnmet() -> [ConstraintRecord] {
        defer { unmet.removeAll(keepingCapacity: true) }
        return unmetInOrder
    }

    // MARK: - Links to items

    /// Adds a record to the constraint lists of its items.
    func link(_ record: ConstraintRecord, item: ItemRecord, target: ItemRecord?) {
        if record.itemKey >= 0 || record.targetKey >= 0 { unlink(record) }
        record.item = item
        record.itemKey = item.constraints.append(record)
        record.target = target
        if let target, target !== item { record.targetKey = target.constraints.append(record) }
    }

    /// Removes a record from the constraint lists of its items.
    func unlink(_ record: ConstraintRecord) {
        record.item?.constraints.remove(record.itemKey)
        record.target?.constraints.remove(record.targetKey)
        (record.itemKey, record.targetKey) = (-1, -1)
    }
}
