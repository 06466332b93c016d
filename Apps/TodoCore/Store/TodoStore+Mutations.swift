import LocalProvider

extension TodoStore {
    // MARK: Mutations

    /// Makes a change as one step, or as part of the open batch.
    func make(_ mutation: TodoMutation) throws(TodoError) -> TodoReceipt {
        let time = clock.now()
        switch mutation {
        case .add(let values):
            return try change { store throws(TodoError) in
                var (todos, others): ([Todo], [Todo]) = ([], [])
                for (index, values) in values.enumerated() {
                    // Todos that are equally urgent are listed by their age: a microsecond keeps the order of the lines.
                    let now = time.addingTimeInterval(Double(index) / 1_000_000)
                    var todo = try Todo(id: try store.nextID(), values, now: now)
                    try store.checkParent(of: todo)
                    others += try store.setDependencies(values, of: &todo) { () throws(TodoError) in [] }
                    todos.append(todo)
                }
                return TodoReceipt(todos: todos, step: try store.put(todos + others, verb: "add", named: todos))
            }
        case .edit(let id, let change): return try edit(id, change, shown: nil, time)
        case .editAll(let ids, let change):
            let all = change.addedDependencies.isEmpty ? [] : try allTodos()
            return try self.change { store throws(TodoError) in
                let old = try store.todos(ids)
                var (todos, others) = (old, [Todo]())
                for index in todos.indices {
                    try change.apply(to: &todos[index])
                    others += try store.setDependencies(change, of: &todos[index]) { () throws(TodoError) in all }
                    if todos[index] != old[index] { todos[index].modified = time }
                    if todos[index].parent != old[index].parent { try store.checkParent(of: todos[index]) }
                }
                let changed = zip(old, todos).filter { $0 != $1 }.map(\.1)
                return TodoReceipt(todos: todos, step: try store.put(changed + others, verb: "edit", named: changed))
            }
        case .merge(let shown, let change): return try edit(shown.id, change, shown: shown, time)
        case .complete(let ids): return try complete(ids, time)
        case .reopen(let ids):
            return try alter(ids, "reopen") { todo in
                guard todo.isDone || todo.isArchived else { return }
                todo.completed = nil
                todo.isArchived = false
                todo.modified = time
            }
        case .start(let ids):
            return try alter(ids, "start") { todo in
                guard !todo.isDone, todo.started == nil else { return }
                (todo.started, todo.modified) = (time, time)
            }
        case .stop(let ids):
            return try alter(ids, "stop") { todo in
                guard todo.started != nil else { return }
                todo.stop(at: time)
                todo.modified = time
            }
        case .batch(let mutations): return try batch(mutations)
        case .remove(let ids):
            return try change { store throws(TodoError) in
                let todos = try store.todos(ids)
                return TodoReceipt(todos: todos, step: try store.remove(todos, verb: "remove"))
            }
        case .archive:
            let done = try allTodos().filter { $0.isDone && !$0.isArchived }
            let receipt = try alter(done.map(\.id), "archive") { todo in
                // Another process may have reopened it since.
                if todo.isDone { todo.isArchived = true }
            }
            return TodoReceipt(todos: receipt.todos.filter(\.isArchived), step: receipt.step)
        case .restore(let id, let number):
            let all = try allTodos()
            return try change { store throws(TodoError) in
                let log = try store.log()
                guard let entry = log.first(where: { $0.number == number && !$0.isUndone }),
                    var todo = entry.versions.first(where: { $0.id == id })?.before
                else { throw .noVersion(id: id, number: number) }
                let present = try store.todoIfPresent(id)
                if let modified = present?.modified { todo.modified = modified }
                if let present, present == todo { return TodoReceipt(todos: [present], step: nil) }
                try store.checkLinks(ofRestored: todo, among: all)
                todo.modified = time
                return TodoReceipt(todos: [todo], step: try store.put([todo], verb: "restore"))
            }
        case .importing(let records, let mode): return try takeIn(records, mode, time) { _ in }
        }
    }

    private func edit(_ id: TodoID, _ change: TodoChange, shown: Todo?, _ time: Date) throws(TodoError) -> TodoReceipt {
        let all = change.addedDependencies.isEmpty ? [] : try allTodos()
        return try self.change { store throws(TodoError) in
            let old = try store.todo(id)
            var todo = old
            try change.apply(to: &todo)
            let others = try store.setDependencies(change, of: &todo) { () throws(TodoError) in all }
            if let shown {
                // A field conflicts if another change has set it, and to another value than this one does.
                let mine = TodoDifference.between(shown, todo)
                let theirs = TodoDifference.between(shown, old)
                let conflicts = theirs.filter { other in
                    mine.contains { $0.field == other.field && $0.after != other.after }
                }
                guard conflicts.isEmpty else { throw .changedElsewhere(fields: conflicts.map(\.field)) }
            }
            guard todo != old else { return TodoReceipt(todos: [old], step: nil) }
            if todo.parent != old.parent { try store.checkParent(of: todo) }
            todo.modified = time
            return TodoReceipt(todos: [todo], step: try store.put([todo] + others, verb: "edit", named: [todo]))
        }
    }

    private func alter(_ ids: [TodoID], _ verb: String, _ body: (inout Todo) -> Void) throws(TodoError) -> TodoReceipt {
        try change { store throws(TodoError) in
            let old = try store.todos(ids)
            var new = old
            for index in new.indices { body(&new[index]) }
            let changed = zip(old, new).filter { $0 != $1 }.map(\.1)
            return TodoReceipt(todos: new, step: try store.put(changed, verb: verb))
        }
    }

    // MARK: Importing

    public func add(
        _ records: [TodoRecord],
        _ mode: TodoImportMode,
        progress: @Sendable (TodoImportProgress) -> Void
    ) async throws(TodoError) -> TodoReceipt { try takeIn(records, mode, clock.now(), progress) }

    /// Adds and changes todos from a file, as one step.
    private func takeIn(
        _ records: [TodoRecord],
        _ mode: TodoImportMode,
        _ time: Date,
        _ progress: (TodoImportProgress) -> Void
    ) throws(TodoError) -> TodoReceipt {
        let present = try allTodos()
        return try change { store throws(TodoError) in
            var importer = TodoImporter(present, records, mode: mode, now: time, zone: clock.zone.unchanging)
            for index in records.indices {
                try importer.addNext { () throws(TodoError) in try store.unreservedID() }
                progress(TodoImportProgress(phase: .comparing, count: index + 1, total: records.count))
            }
            let plan = importer.finish()
            try store.reserve(plan.changed.map(\.id))
            let stored = plan.changed + plan.annotated
            // Another process may have changed one of them since they were read.
            for todo in stored {
                guard try store.todoIfPresent(todo.id) == importer.original(todo.id) else {
                    throw .changedElsewhere(fields: ["todo \(todo.id)"])
                }
            }
            try store.annotate(plan.annotated)
            let step = try store.put(plan.changed, verb: "import") { count in
                progress(TodoImportProgress(phase: .storing, count: count, total: plan.changed.count))
            }
            return TodoReceipt(todos: stored, step: step, outcomes: plan.outcomes)
        }
    }
}
