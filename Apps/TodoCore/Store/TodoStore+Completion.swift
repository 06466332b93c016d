extension TodoStore {
    /// Completes todos, and adds the next one of each recurring todo with open copies of its subtasks.
    func complete(_ ids: [TodoID], _ time: Date) throws(TodoError) -> TodoReceipt {
        if let receipt = try complete(ids, time, parts: nil) { return receipt }
        // The next todo of a recurrence has the same subtasks. They are read only in this case.
        let all = try allTodos()
        let parts = Dictionary(grouping: all.filter { $0.parent != nil }) { $0.parent }
        let receipt = try complete(ids, time, parts: parts, taken: Set(all.compactMap(\.uuid)))
        return receipt ?? TodoReceipt(todos: [], step: nil)
    }

    /// Completes todos.
    ///
    /// - Parameters:
    ///   - ids: the todos.
    ///   - time: the time of completion.
    ///   - parts: the subtasks by parent, for the next todo of a recurrence; `nil` if they were not read.
    ///   - taken: the UUIDs of all todos, if `parts` were read.
    /// - Returns: the receipt; `nil`, with nothing changed, if the subtasks are required.
    /// - Throws: ``TodoError``.
    private func complete(
        _ ids: [TodoID],
        _ time: Date,
        parts: [TodoID?: [Todo]]?,
        taken: Set<UUID> = []
    ) throws(TodoError) -> TodoReceipt? {
        let today = Day(time, in: clock.zone)
        return try change { store throws(TodoError) in
            var todos = try store.todos(ids)
            if parts == nil, todos.contains(where: { !$0.isDone && $0.recurrence != nil }) { return nil }
            var changed: [Todo] = []
            var following: [Todo] = []
            var subtasks: [Todo] = []
            for index in todos.indices where !todos[index].isDone {
                if let rule = todos[index].extras[ICalendarFormat.ruleKey] {
                    throw .unknownRule(id: todos[index].id, rule: rule)
                }
                if var next = todos[index].following(id: try store.nextIDIfRecurring(todos[index]), today, time) {
                    if try store.isSynced(todos[index]) {
                        todos[index].passIdentity(to: &next, on: today, taken)
                        for part in parts?[todos[index].id] ?? [] where try store.isSynced(part) {
                            if let uuid = part.uuid { try store.markUnsynced(uuid) }
                        }
                    }
                    following.append(next)
                    let shift = (next.due ?? next.threshold).flatMap { day in
                        (todos[index].due ?? todos[index].threshold).map { day.number - $0.number }
                    }
                    let day = todos[index].occurrence(on: today)
                    subtasks += try Self.copies(of: todos[index].id, for: next.id, parts ?? [:]) {
                        part,
                        parent throws(TodoError) in
                        part.copy(id: try store.nextID(), parent: parent, by: shift, after: day, taken, time)
                    }
                    // Completing it again must not add another one.
                    todos[index].recurrence = nil
                }
                todos[index].stop(at: time)
                todos[index].completed = time
                todos[index].modified = time
                changed.append(todos[index])
            }
            let step = try store.put(changed + following + subtasks, verb: "complete", named: changed)
            return TodoReceipt(todos: todos + following, step: step)
        }
    }

    /// Returns open copies of the subtasks of a todo, and of theirs, as subtasks of another one. A recurring subtask is copied
    /// once, without those that were completed before it. The copies wait for each other as the subtasks do.
    private static func copies(
        of old: TodoID,
        for new: TodoID,
        _ parts: [TodoID?: [Todo]],
        copy: (_ part: Todo, _ parent: TodoID) throws(TodoError) -> Todo
    ) throws(TodoError) -> [Todo] {
        var copies: [Todo] = []
        var uuids: [UUID: UUID] = [:]
        var rest = [(old, new)]
        var seen: Set<TodoID> = [old]
        while let (parent, newParent) = rest.popLast() {
            let siblings = parts[parent] ?? []
            let recurring = siblings.filter { !$0.isDone && $0.recurrence != nil }
            for part in siblings where seen.insert(part.id).inserted && !part.isArchived {
                // The open one comes after it, and is copied itself.
                if part.isDone, recurring.contains(where: { $0.hasWords(of: part) }) { continue }
                let todo = try copy(part, newParent)
                copies.append(todo)
                if let uuid = part.uuid { uuids[uuid] = todo.uuid }
                rest.append((part.id, todo.id))
            }
        }
        for index in copies.indices { copies[index].dependencies = copies[index].dependencies.compactMap { uuids[$0] } }
        return copies
    }
}

extension Todo {
    /// Returns whether a todo has the same title and the same labels.
    fileprivate func hasWords(of other: Todo) -> Bool {
        title == other.title && projects == other.projects && contexts == other.contexts && tags == other.tags
    }
}
