internal import ConstraintSolver

/// The engine's record of a constraint that is active on an item of its tree.
@MainActor
final class ConstraintRecord {
    enum State {
        /// Enters the solver at the next layout, or once its items are in the tree.
        case pending
        /// In the solver.
        case active
        /// Not in the solver because of a conflict; tried again after changes.
        case dropped(LayoutConflict)
        /// Not in the solver because of an error; tried again after changes.
        case rejected(LayoutError)
        /// Not in the solver while its item is collapsed: a constraint on width or height.
        case suspended
        /// Removed from the store.
        case removed
    }

    let constraint: Constraint
    /// The index of the item in the tree.
    let itemIndex: Int
    /// The position in the order of activation: the latest constraint has the greatest number.
    let sequence: Int
    var state = State.pending
    var id: ConstraintID?
    weak var item: ItemRecord?
    weak var target: ItemRecord?
    /// The record's keys in the constraint lists of its item and of its target.
    var itemKey = -1
    var targetKey = -1
    /// The names of the items when the constraint was entered, for descriptions after they are released.
    var names: Constraint.Names
    /// Whether the record is in the pending list because of a change.
    var isChanged = false

    /// A description of the constraint.
    var source: ConstraintSource { constraint.source(names) }

    init(_ constraint: Constraint, itemIndex: Int, sequence: Int) {
        self.constraint = constraint
        self.itemIndex = itemIndex
        self.sequence = sequence
        names = constraint.names
    }

    /// Whether the constraint refers to a baseline of an item, on either side.
    func refersToBaseline(of record: ItemRecord) -> Bool {
        item === record && constraint.attribute.isBaseline
            || target === record && constraint.target.attribute.isBaseline
    }
}

/// The active constraints of a layout and the lists of those that await work.
///
/// Invariant: a constraint has exactly one record, at its index, from `add` to `remove`. A record that is pending or changed
/// is in `pending`; a record that is dropped or rejected is in `unmet`. Both lists may also contain records that have
/// changed their state since, which their readers skip.
@MainActor
final class ConstraintStore {
    private(set) var records: [ConstraintRecord?] = []
    private var freeIndices: [Int] = []
    private var nextSequence = 0
    /// Records to enter into the solver or to change in it, in the order of the changes.
    private var pending: [ConstraintRecord] = []
    /// Records that are dropped or rejected.
    private var unmet: [ConstraintRecord] = []
    /// Whether a change could make it possible to satisfy an unmet constraint.
    var shouldRetry = false

    var hasPending: Bool { !pending.isEmpty }
    var unmetCount: Int { unmet.count }

    /// Adds a record of a constraint on the item at an index of the tree, to enter the solver at the next layout.
    func add(_ constraint: Constraint, itemIndex: Int) {
        let record = ConstraintRecord(constraint, itemIndex: itemIndex, sequence: nextSequence)
        nextSequence += 1
        let index = freeIndices.popLast() ?? records.count
        if index == records.count { records.append(record) } else { records[index] = record }
        constraint.index = index
        pending.append(record)
    }

    /// The record at a constraint's index; the caller checks that the constraint belongs to this engine.
    func record(of constraint: Constraint) -> ConstraintRecord? {
        constraint.index >= 0 ? records[constraint.index] : nil
    }

    /// Removes a record that is not in the solver.
    func remove(_ record: ConstraintRecord, backend: any LayoutBackend) {
        record.state = .removed
        let constraint = record.constraint
        guard constraint.backend === backend else { return }
        records[constraint.index] = nil
        freeIndices.append(constraint.index)
        constraint.index = -1
        constraint.backend = nil
    }

    // MARK: - Pending and unmet constraints

    /// Sets the state to pending and lists the record for the next layout.
    func enqueue(_ record: ConstraintRecord) {
        record.state = .pending
        pending.append(record)
    }

    /// Lists a record whose constant, priority or names changed.
    ///
    /// - Returns: whether it was not listed as changed before.
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

    func addUnmet(_ record: ConstraintRecord) {
        unmet.append(record)
    }

    func removeUnmet(_ record: ConstraintRecord) {
        unmet.removeAll { $0 === record }
    }

    /// The dropped and rejected constraints in the order of their activation.
    var unmetInOrder: [ConstraintRecord] { unmet.sorted { $0.sequence < $1.sequence } }

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
