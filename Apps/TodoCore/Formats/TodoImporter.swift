/// Computes the changes that an import makes.
///
/// A record is an existing todo if both have the same UUID or, for records without one, the same title, projects and
/// contexts. Each existing todo is matched once, first by the records that would not change it.
struct TodoImporter {
    /// What a record without a UUID is recognised by. Several todos can have the same title, such as the completed and the
    /// open one of a recurrence, so that everything that a file can state is compared first, and ever less.
    private struct Identity: Hashable {
        /// What is compared; each case includes those before it.
        enum Precision: Comparable { case title, state, due, fields, parent }

        /// The precisions in the order of the comparisons, with or without the days of creation and completion.
        static let steps: [(Precision, hasDays: Bool)] = [
            (.parent, true), (.due, true), (.parent, false), (.fields, false), (.due, false), (.state, false),
            (.title, false),
        ]

        let title: String
        let labels: [[String]]
        var isDone: Bool?
        var due: Day?
        var days: [Day?] = []
        var (priority, tags, list): (Priority?, [String], String?) = (nil, [], nil)
        var (dueTime, threshold, recurrence): (TimeOfDay?, Day?, Recurrence?) = (nil, nil, nil)
        var note: String?
        var parent: TodoID?

        init(_ todo: Todo, parent: TodoID?, zone: Zone, _ precision: Precision, hasDays: Bool) {
            (title, labels) = (todo.title, [todo.projects, todo.contexts])
            if precision >= .state { isDone = todo.isDone }
            if precision >= .due { due = todo.due }
            if hasDays { days = [todo.created, todo.completed].map { date in date.map { Day($0, in: zone) } } }
            if precision >= .fields {
                (priority, tags, list) = (todo.priority, todo.tags, todo.list)
                (dueTime, threshold, note) = (todo.dueTime, todo.threshold, todo.note)
                recurrence = todo.recurrenceWithMonthDay ?? todo.recurrence
            }
            if precision >= .parent { self.parent = parent }
        }
    }

    private let mode: TodoImportMode
    private let now: Date
    private let zone: Zone
    private let records: [TodoRecord]
    private let existing: [TodoID: Todo]
    /// The existing todo of each record, by the index of the record.
    private var matches: [Int: TodoID] = [:]
    private var takenUUIDs: Set<UUID>
    /// The records of which an older state was completed here, by their index.
    private var outdated: Set<Int> = []
    /// The records that describe the todo after the one with their UUID, by their index.
    private var successive: Set<Int> = []
    /// The IDs that a document of the app's own format contains.
    private let documentIDs: Set<TodoID>
    private var results: [Todo] = []
    private var takenIDs: Set<TodoID>

    /// Matches the records of a file with todos.
    init(_ todos: [Todo], _ records: [TodoRecord], mode: TodoImportMode, now: Date, zone: Zone) {
        (self.mode, self.now, self.zone, self.records) = (mode, now, zone, records)
        existing = Dictionary(todos.map { ($0.id, $0) }) { $1 }
        takenUUIDs = Set(todos.compactMap(\.uuid))
        takenIDs = Set(existing.keys)
        takenUUIDs.reserveCapacity(takenUUIDs.count + records.count)
        takenIDs.reserveCapacity(takenIDs.count + records.count)
        results.reserveCapacity(records.count)
        documentIDs = Set(records.compactMap { $0.whole?.id })
        guard mode == .update else { return }
        // The oldest todo is matched first.
        let todos = todos.sorted { ($0.created, $0.id.description) < ($1.created, $1.id.description) }
        var byUUID: [UUID: TodoID] = [:]
        for todo in todos.reversed() { if let uuid = todo.uuid { byUUID[uuid] = todo.id } }
        for (index, record) in records.enumerated() {
            // Each todo once: a second record with the same UUID is another todo.
            matches[index] = record.uuid.flatMap { byUUID.removeValue(forKey: $0) }
        }
        followCompletions(todos)
        match(todos)
    }

    /// Finds the open records of a repetition whose todo was completed since, so that there is another one after it.
    private mutating func followCompletions(_ todos: [Todo]) {
        var successors: TodoSuccessors?
        var matched: Set<TodoID> = []
        for index in records.indices {
            guard records[index].whole == nil, records[index].completed?.value == nil,
                records[index].change.recurrence?.value != nil, let old = old(index), old.isDone
            else { continue }
            if successors == nil {
                successors = TodoSuccessors(todos)
                matched = Set(matches.values)
            }
            guard let next = successors?.last(of: old) else { continue }
            // The other program may have moved on, too.
            if let day = records[index].change.due?.value, let due = old.due, day > due,
                matched.insert(next.id).inserted
            {
                matches[index] = next.id
                successive.insert(index)
            } else {
                outdated.insert(index)
            }
        }
    }

    /// Matches the records without a UUID.
    private mutating func match(_ todos: [Todo]) {
        // The records of a file state the same fields.
        guard !todos.isEmpty, let sample = records.first(where: { $0.uuid == nil }) else { return }
        var free = todos.map { $0.asStated(by: sample) }
        // Only a record with the title of a todo can be one.
        let titles = Set(free.map(\.title))
        var waiting = records.enumerated().compactMap { index, record -> (index: Int, todo: Todo)? in
            guard record.uuid == nil, let todo = try? newTodo(record), titles.contains(todo.title) else { return nil }
            return (index, todo)
        }
        let hasParents = records.contains { $0.parentIndex != nil }
        for (precision, hasDays) in Identity.steps {
            func canMatch(_ index: Int) -> Bool { !hasDays || records[index].created != nil }
            guard waiting.contains(where: { canMatch($0.index) }) else { continue }
            var candidates: [Identity: [TodoID]] = [:]
            for todo in free.reversed() {
                // A todo whose parent was deleted has none in a file.
                let parent = hasParents ? todo.parent.flatMap { existing[$0]?.id } : nil
                let identity = Identity(todo, parent: parent, zone: zone, precision, hasDays: hasDays)
                candidates[identity, default: []].append(todo.id)
            }
            var matched: Set<TodoID> = []
            waiting.removeAll { index, todo in
                // A parent stands before its subtasks, so that it was compared before them.
                let parent = records[index].parentIndex.flatMap { matches[$0] }
                let isParentUnknown = parent == nil && records[index].parentIndex != nil
                guard canMatch(index), !isParentUnknown || precision < .parent else { return false }
                let identity = Identity(todo, parent: parent, zone: zone, precision, hasDays: hasDays)
                guard let id = candidates[identity]?.popLast() else { return false }
                matches[index] = id
                matched.insert(id)
                return true
            }
            free.removeAll { matched.contains($0.id) }
        }
    }

    /// Returns the todo that a record describes, without an ID.
    private func newTodo(_ record: TodoRecord) throws(TodoError) -> Todo {
        var todo = try record.todo(now: now)
        todo.modified = now
        return todo
    }

    /// Returns a todo as it was before the import; `nil` for a new one.
    func original(_ id: TodoID) -> Todo? { existing[id] }

    /// Adds the next record.
    ///
    /// - Throws: the error of `nextID`, and ``TodoError`` for an invalid text.
    mutating func addNext(nextID: () throws(TodoError) -> TodoID) throws(TodoError) {
        let record = records[results.count]
        let old = old(results.count)
        var todo: Todo
        if let whole = record.whole {
            todo = whole
            if let old { (todo.id, todo.uuid) = (old.id, old.uuid ?? whole.uuid) }
        } else if let old, outdated.contains(results.count) {
            todo = old
        } else if let old {
            todo = old
            try record.apply(to: &todo)
            // Files have no fractions of seconds.
            if let date = old.completed, let new = todo.completed,
                record.completedPrecision == .unknown || date.wholeSeconds == new.wholeSeconds
                    || record.completedPrecision == .day && Day(date, in: zone) == Day(new, in: zone)
            {
                todo.completed = date
            }
            if let date = old.started, date.wholeSeconds == todo.started?.wholeSeconds { todo.started = date }
            if todo.uuid == nil { todo.uuid = record.uuid }
        } else {
            todo = try newTodo(record)
        }
        // What the other program knows stays with the todo that has its UUID.
        let hasExtras = !outdated.contains(results.count) && !successive.contains(results.count)
        for (name, text) in record.extras where hasExtras { todo.extras[name] = text.isEmpty ? nil : text }
        if old == nil {
            if record.whole == nil || mode == .new || takenIDs.contains(todo.id) {
                repeat { todo.id = try nextID() } while documentIDs.contains(todo.id)
            }
            let uuid = record.uuid ?? .random()
            todo.uuid = takenUUIDs.contains(uuid) ? .random() : uuid
        }
        if let uuid = todo.uuid { takenUUIDs.insert(uuid) }
        takenIDs.insert(todo.id)
        results.append(todo)
    }

    /// The todo that a record changes.
    private func old(_ index: Int) -> Todo? { matches[index].flatMap { existing[$0] } }

    /// Connects subtasks with their parents, removes dependencies by which a todo would wait for itself, and returns the changes.
    ///
    /// - Returns: the new and the changed todos, those of which only the fields of other programs changed, and the outcomes.
    func finish() -> (changed: [Todo], annotated: [Todo], outcomes: [TodoImportOutcome]) {
        var ids: [UUID: TodoID] = [:]
        ids.reserveCapacity(existing.count + records.count)
        for todo in existing.values { if let uuid = todo.uuid { ids[uuid] = todo.id } }
        // By index: an iterator would copy each record, which has many references.
        for index in results.indices { if let uuid = records[index].uuid { ids[uuid] = results[index].id } }
        // A todo that is added again has another UUID, and what depends on it in the file depends on the new one.
        var copies: [UUID: UUID] = [:]
        if mode == .new {
            for (record, todo) in zip(records, results) {
                if let uuid = record.uuid, uuid != todo.uuid { copies[uuid] = copies[uuid] ?? todo.uuid }
            }
        }
        let cut = cutDependencies(copies)
        var titles: [UUID: String] = [:]
        if !cut.isEmpty {
            for todo in Array(existing.values) + results { if let uuid = todo.uuid { titles[uuid] = todo.title } }
        }
        var changed: [Todo] = []
        var annotated: [Todo] = []
        var outcomes: [TodoImportOutcome] = []
        changed.reserveCapacity(records.count)
        outcomes.reserveCapacity(records.count)
        for number in results.indices {
            let old = old(number)
            var todo = results[number]
            let isWhole = records[number].whole != nil
            if !copies.isEmpty { todo.dependencies = todo.dependencies.map { copies[$0] ?? $0 } }
            let removed: [UUID] = cut.isEmpty ? [] : todo.uuid.flatMap { cut[$0] } ?? []
            if !removed.isEmpty { todo.dependencies.removeAll { removed.contains($0) } }
            if let index = records[number].parentIndex, results.indices.contains(index), results[index].id != todo.id {
                todo.parent = results[index].id
            } else if let uuid = records[number].parentUUID {
                // A parent that is in no file yet: the link is stored for a later import.
                if let id = ids[uuid], id != todo.id {
                    todo.parent = id
                } else {
                    todo.extras["parent"] = uuid.uuidString
                }
            } else if isWhole, let parent = todo.parent, existing[parent] == nil {
                todo.parent = nil
            }
            if let old, old != todo, old.hasSameFields(as: todo) {
                annotated.append(todo)
            } else if old != todo {
                if old != nil, !isWhole { todo.modified = now }
                changed.append(todo)
            }
            var outcome = TodoImportOutcome(line: records[number].line, old: old, new: todo)
            outcome.staysDone = outdated.contains(number)
            outcome.cutDependencies = removed.compactMap { titles[$0] }
            outcomes.append(outcome)
        }
        return (changed, annotated, outcomes)
    }

    /// Returns the dependencies that would close a cycle, by the todo that would wait.
    private func cutDependencies(_ copies: [UUID: UUID]) -> [UUID: [UUID]] {
        guard results.contains(where: { !$0.dependencies.isEmpty }) else { return [:] }
        var graph = TodoImportDependencies()
        for todo in existing.values { if let uuid = todo.uuid { graph.add(todo.dependencies, of: uuid, isNew: false) } }
        for number in results.indices {
            guard let uuid = results[number].uuid else { continue }
            let links = results[number].dependencies.map { copies[$0] ?? $0 }
            graph.add(links, of: uuid, isNew: links != old(number)?.dependencies)
        }
        return graph.cut()
    }
}

extension Todo {
    /// Returns a todo as a file with a record contains it: without the text that the format does not state.
    fileprivate func asStated(by record: TodoRecord) -> Todo {
        var todo = self
        if !record.statesSpaces {
            let title = TodoText.words(title[...]).joined(separator: " ")
            if title != self.title { todo.title = title }
        }
        if record.change.note == nil, note != nil { todo.note = nil }
        return todo
    }

    /// Returns whether another version differs in nothing but the fields of other programs.
    fileprivate func hasSameFields(as other: Todo) -> Bool {
        var copy = self
        copy.extras = other.extras
        return copy == other
    }
}

extension TodoStoring {
    /// Returns what an import would do, without changing anything.
    package func outcomes(of records: [TodoRecord], _ mode: TodoImportMode, clock: TodoClock) async throws(TodoError)
        -> [TodoImportOutcome]
    {
        var importer = TodoImporter(try await todos(), records, mode: mode, now: clock.now(), zone: clock.zone)
        var serial: UInt64 = 1 << 40
        for _ in records {
            try importer.addNext { () throws(TodoError) in
                serial += 1
                return TodoID(serial: serial)
            }
        }
        return importer.finish().outcomes
    }
}
