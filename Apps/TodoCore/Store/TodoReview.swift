/// Inspects changes before they are stored, and refuses or amends them.
public protocol TodoReviewing: Sendable {
    /// Whether changes must be reviewed at present; otherwise they are stored at once.
    var isActive: Bool { get }

    /// Reviews the todos of one change, before anything of it is stored.
    ///
    /// It is called again for the same change if another process changes one of its todos first.
    ///
    /// - Parameter versions: the todos before and after the change, new ones with the IDs that they will have.
    /// - Returns: by ID, the todos whose fields replace those after the change; see ``Todo/amend(with:)``.
    /// - Throws: ``TodoError``; then nothing is changed.
    func review(_ versions: [TodoLogEntry.Version]) async throws(TodoError) -> [TodoID: Todo]
}

extension TodoStore {
    /// What a change would store.
    private struct Plan {
        /// The todos, before and after.
        var versions: [TodoLogEntry.Version] = []
        /// The todos of the receipt.
        var receipt: [Todo] = []
        /// The summary for the history.
        var summary = ""
        /// The todos that a sync has to send.
        var unsynced: [UUID] = []
    }

    /// Makes a change that a review has accepted.
    ///
    /// The review runs other programs and can last: nothing is locked meanwhile. The change is computed without storing it,
    /// reviewed, and stored if its todos are still the same; otherwise all of it is repeated. The IDs of new todos are reserved
    /// before, so that these programs can add todos, too.
    func perform(
        _ mutation: TodoMutation,
        reviewedBy review: any TodoReviewing
    ) async throws(TodoError) -> TodoReceipt {
        var attempt = 1
        while true {
            let plan = try plan(mutation)
            guard !plan.versions.isEmpty else { return TodoReceipt(todos: plan.receipt, step: nil) }
            let new = plan.versions.filter { $0.before == nil }.map(\.id)
            if !new.isEmpty { try change { store throws(TodoError) in try store.reserve(new) } }
            let amended = try await review.review(plan.versions)
            do throws(TodoError) {
                return try store(plan, amendedBy: amended)
            } catch .changedElsewhere where attempt < 5 {
                attempt += 1
            }
        }
    }

    /// Returns what a change would store, without changing anything.
    private func plan(_ mutation: TodoMutation) throws(TodoError) -> Plan {
        let present = try contents().todos
        return try reading { store throws(TodoError) in
            var store = store
            var plan = Plan()
            (plan.receipt, plan.summary) = try make(mutation, as: &store, present)
            for (id, before) in store.batch ?? [:] {
                plan.versions.append(.init(id: id, before: before, after: try store.todoIfPresent(id)))
            }
            // New todos in the order of their lines.
            let places = Dictionary(plan.receipt.enumerated().map { ($1.id, $0) }) { first, _ in first }
            plan.versions.sort {
                (places[$0.id] ?? .max, $0.id.description) < (places[$1.id] ?? .max, $1.id.description)
            }
            plan.unsynced = store.unsyncedInBatch
            return plan
        }
    }

    /// Stores a plan.
    ///
    /// - Throws: ``TodoError/changedElsewhere(fields:)`` if one of its todos is no longer as it was.
    private func store(_ plan: Plan, amendedBy amended: [TodoID: Todo]) throws(TodoError) -> TodoReceipt {
        var values: [TodoID: Todo?] = [:]
        for version in plan.versions {
            var after = version.after
            if let todo = amended[version.id] { try after?.amend(with: todo) }
            values[version.id] = .some(after)
        }
        return try change { store throws(TodoError) in
            for version in plan.versions where try store.todoIfPresent(version.id) != version.before {
                throw .changedElsewhere(fields: ["todo \(version.id)"])
            }
            for uuid in plan.unsynced { try store.markUnsynced(uuid) }
            let step = try store.put(values, summary: plan.summary, marksUnsynced: false)
            return TodoReceipt(todos: plan.receipt.map { (values[$0.id] ?? nil) ?? $0 }, step: step)
        }
    }
}

extension TodoMutation {
    /// Whether a review sees it: changes that people make with a field or a state, neither removals nor what restores or
    /// imports earlier todos.
    var isReviewed: Bool {
        switch self {
        case .add, .edit, .editAll, .merge, .complete, .reopen, .start, .stop, .batch: true
        case .remove, .archive, .restore, .importing: false
        }
    }
}

extension Todo {
    /// Sets the fields that a review may change to those of another todo: the title, the note, the priority, the labels, the
    /// days and the time, the repetition, and the fields of other programs.
    ///
    /// - Throws: ``TodoError`` if a text is invalid.
    public mutating func amend(with other: Todo) throws(TodoError) {
        var change = TodoChange()
        (change.title, change.note, change.priority) = (other.title, .init(other.note), .init(other.priority))
        (change.projects, change.contexts, change.tags) = (other.projects, other.contexts, other.tags)
        (change.due, change.dueTime, change.threshold) = (
            .init(other.due), .init(other.dueTime), .init(other.threshold)
        )
        if recurrence != other.recurrence { change.recurrence = .init(other.recurrence) }
        try change.apply(to: &self)
        extras = other.extras
    }
}
