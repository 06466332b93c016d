#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Computes the changes that an import makes.
///
/// A record is an existing todo if both have the same UUID or, for records without one, the same title, projects and
/// contexts. Each existing todo is matched once.
struct TodoImporter {
    private struct Identity: Hashable {
        let title: String
        let projects: [String]
        let contexts: [String]
    }

    private let mode: TodoImportMode
    private let now: Date
    private let zone: Zone
    private let existing: [TodoID: Todo]
    private var byUUID: [UUID: TodoID] = [:]
    private var byIdentity: [Identity: [TodoID]] = [:]
    private var results: [(record: TodoRecord, todo: Todo, old: Todo?)] = []

    init(_ todos: [Todo], mode: TodoImportMode, now: Date, zone: Zone) {
        self.mode = mode
        self.now = now
        self.zone = zone
        existing = Dictionary(todos.map { ($0.id, $0) }) { $1 }
        guard mode == .update else { return }
        // The oldest todo with a title is matched first.
        for todo in todos.sorted(by: { ($0.created, $0.id.description) > ($1.created, $1.id.description) }) {
            if let uuid = todo.uuid { byUUID[uuid] = todo.id }
            byIdentity[Identity(title: todo.title, projects: todo.projects, contexts: todo.contexts), default: []]
                .append(todo.id)
        }
    }

    /// Returns a todo as it was before the import; `nil` for a new one.
    func original(_ id: TodoID) -> Todo? { existing[id] }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - record: the record.
    ///   - nextID: returns the ID for a new todo.
    /// - Throws: the error of `nextID`, and ``TodoError`` for an invalid text.
    mutating func add(_ record: TodoRecord, nextID: () throws(TodoError) -> TodoID) throws(TodoError) {
        var draft = Todo(id: TodoID(serial: 0), draft: try TodoDraft(title: record.change.title ?? ""), now: now)
        try record.change.apply(to: &draft)
        let old = match(record, draft)
        var todo: Todo
        if let old {
            todo = old
            try record.change.apply(to: &todo)
        } else {
            var uuid = record.uuid ?? UUID()
            if byUUID[uuid] != nil || mode == .new && existing.values.isEmpty == false && isTaken(uuid) {
                uuid = UUID()
            }
            todo = Todo(
                id: try nextID(),
                title: draft.title,
                priority: draft.priority,
                projects: draft.projects,
                contexts: draft.contexts,
                tags: draft.tags,
                due: draft.due,
                dueTime: draft.dueTime,
                threshold: draft.threshold,
                recurrence: draft.recurrence,
                parent: draft.parent,
                note: draft.note,
                created: record.created ?? now,
                modified: now,
                completed: nil,
                isArchived: false,
                uuid: uuid,
                extras: [:]
            )
            byUUID[uuid] = todo.id
        }
        switch record.completed {
        case .set(let date):
            let isSameDay = todo.completed.map { Day($0, in: zone) == Day(date, in: zone) } ?? false
            if !(record.completedIsDay && isSameDay) { todo.completed = date }
        case .clear: todo.completed = nil
        case nil: break
        }
        if let isArchived = record.isArchived { todo.isArchived = isArchived }
        if let dependencies = record.dependencies { todo.dependencies = dependencies }
        todo.extras.merge(record.extras) { $1 }
        if todo.uuid == nil { todo.uuid = record.uuid }
        results.append((record, todo, old))
    }

    private mutating func match(_ record: TodoRecord, _ draft: Todo) -> Todo? {
        guard mode == .update else { return nil }
        if let uuid = record.uuid {
            // Each todo once: a second record with the same UUID is another todo.
            return byUUID.removeValue(forKey: uuid).flatMap { existing[$0] }
        }
        let identity = Identity(title: draft.title, projects: draft.projects, contexts: draft.contexts)
        return byIdentity[identity]?.popLast().flatMap { existing[$0] }
    }

    private lazy var takenUUIDs = Set(existing.values.compactMap(\.uuid))

    private mutating func isTaken(_ uuid: UUID) -> Bool { takenUUIDs.contains(uuid) }

    /// Connects subtasks with their parents, and returns the changes.
    mutating func finish() -> (changed: [Todo], outcomes: [TodoImportOutcome]) {
        var ids: [UUID: TodoID] = [:]
        for todo in existing.values { if let uuid = todo.uuid { ids[uuid] = todo.id } }
        for (record, todo, _) in results { if let uuid = record.uuid { ids[uuid] = todo.id } }
        var changed: [Todo] = []
        var outcomes: [TodoImportOutcome] = []
        for (record, result, old) in results {
            var todo = result
            if let index = record.parentIndex, results.indices.contains(index) {
                todo.parent = results[index].todo.id
            } else if let uuid = record.parentUUID {
                // A parent that is in no file yet: the link is stored for a later import.
                if let id = ids[uuid], id != todo.id {
                    todo.parent = id
                } else {
                    todo.extras["parent"] = uuid.uuidString
                }
            }
            let isChanged = old != todo
            if isChanged, old != nil { todo.modified = now }
            if isChanged { changed.append(todo) }
            // A todo that only stores a line or an object of the other program has no changed field.
            let fields = TodoDifference.between(old, todo).map(\.field)
            outcomes.append(
                TodoImportOutcome(
                    line: record.line,
                    kind: old == nil ? .added : fields.isEmpty ? .unchanged : .changed,
                    id: todo.id,
                    title: todo.title,
                    fields: fields
                )
            )
        }
        return (changed, outcomes)
    }
}

extension TodoStoring {
    /// Returns what an import would do, without changing anything.
    package func outcomes(of records: [TodoRecord], _ mode: TodoImportMode, clock: TodoClock) async throws(TodoError)
        -> [TodoImportOutcome]
    {
        var importer = TodoImporter(try await todos(), mode: mode, now: clock.now(), zone: clock.zone)
        var serial: UInt64 = 1 << 40
        for record in records {
            try importer.add(record) { () throws(TodoError) in
                serial += 1
                return TodoID(serial: serial)
            }
        }
        return importer.finish().outcomes
    }
}
