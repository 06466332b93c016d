import LocalProvider

/// A change of one todo that a sync makes.
package struct TodoSyncChange: Sendable {
    /// How the parent of a todo changes.
    package enum Parent: Sendable {
        /// It stays.
        case unchanged
        /// The todo has none.
        case removed
        /// It is the todo with a UUID, whose ID is known unless it is new. If there is none, the link is stored until there is.
        case todo(UUID, TodoID?)
    }

    /// The todo as the sync has read it; `nil` if it does not exist. Otherwise the change is not made.
    package var expected: Todo?
    /// The next states, each a step of the history: the last one stays, and the others can be restored. `nil` deletes it. A new
    /// todo has any ID, which is replaced unless it is free.
    package var versions: [Todo?]
    package var parent: Parent
    /// Whether the todo differs from the server's.
    package var isUnsynced: Bool
    /// The first word of the step in the history.
    package var verb: String

    package init(
        expected: Todo?,
        versions: [Todo?],
        parent: Parent = .unchanged,
        isUnsynced: Bool = false,
        verb: String = "sync"
    ) {
        (self.expected, self.versions, self.parent) = (expected, versions, parent)
        (self.isUnsynced, self.verb) = (isUnsynced, verb)
    }
}

/// What a sync needs of the store. Its changes are not recorded as unsynced.
extension TodoStore {
    /// Returns the todos that were changed in synced lists since the last sync.
    package func unsynced() throws(TodoError) -> [TodoUnsynced] {
        try reading { store throws(TodoError) in try store.unsynced() }
    }

    /// Returns the lists that are synced, by name.
    package func syncedLists() throws(TodoError) -> [TodoList] {
        try reading { store throws(TodoError) in try store.lists() }.filter(\.isSynced).sorted { $0.name < $1.name }
    }

    /// Removes the records of todos that are synced, unless they were changed again.
    package func removeUnsynced(_ records: [TodoUnsynced]) throws(TodoError) {
        guard !records.isEmpty else { return }
        try change { store throws(TodoError) in
            for record in records {
                let key = TodoTransaction.unsyncedKey(record.uuid)
                if try store.value(TodoUnsynced.self, key) == record { try store.remove(key) }
            }
        }
    }

    /// Records todos as unsynced although they are as they were.
    package func markUnsynced(_ uuids: [UUID]) throws(TodoError) {
        try change { store throws(TodoError) in
            for uuid in uuids { try store.markUnsynced(uuid) }
        }
    }

    /// Makes changes as one transaction.
    ///
    /// - Returns: the todo of each change as it is now, in the order of the changes; `nil` for those that were not made, because
    ///   the todo was changed meanwhile. A deleted todo is returned as it was.
    package func apply(_ changes: [TodoSyncChange]) throws(TodoError) -> [Todo?] {
        try change { store throws(TodoError) in try store.apply(changes) }
    }

    /// Replaces the synced lists. All todos of a list that was not synced before, or by another ID, are unsynced.
    ///
    /// - Parameter lists: the lists, by their names until now; a list that is not among them is local.
    /// - Throws: ``TodoError``.
    package func setSyncedLists(_ lists: [(name: String, list: TodoList)]) throws(TodoError) {
        let todos = try contents().todos
        try change { store throws(TodoError) in
            let old = try store.lists()
            let replaced = Set(lists.flatMap { [$0.name, $0.list.name] })
            var others = old.filter { !replaced.contains($0.name) }
            for index in others.indices where others[index].isSynced {
                (others[index].isSynced, others[index].isReadOnly, others[index].syncID) = (false, false, nil)
            }
            try store.setLists(others + lists.map(\.list))
            var names: [String: String] = [:]
            for (name, list) in lists where name != list.name { names[name] = list.name }
            if !names.isEmpty {
                let members = todos.filter { $0.list.map { names[$0] != nil } ?? false }
                try store.renameLists(names, members.map(\.id))
            }
            for (name, list) in lists where list.isSynced {
                let isSame = old.contains { other in
                    other.name == name && other.isSynced && (other.syncID ?? list.syncID) == list.syncID
                }
                guard !isSame else { continue }
                for uuid in todos.filter({ $0.list == name }).compactMap(\.uuid) { try store.markUnsynced(uuid) }
            }
        }
    }
}

extension TodoTransaction {
    fileprivate func unsynced() throws(TodoError) -> [TodoUnsynced] {
        let records = try stored { () throws(LocalError) in
            try transaction.values(of: TodoUnsynced.self, prefix: Self.unsyncedPrefix).values
        }
        return records.sorted { $0.uuid.uuidString < $1.uuid.uuidString }
    }

    fileprivate mutating func apply(_ changes: [TodoSyncChange]) throws(TodoError) -> [Todo?] {
        var results = [Todo?](repeating: nil, count: changes.count)
        var ids: [UUID: TodoID] = [:]
        var steps: [(verb: String, todos: [TodoID: Todo?], titles: [String])] = []
        for (index, change) in changes.enumerated() {
            var versions = change.versions
            guard var last = versions.last else { continue }
            if let expected = change.expected {
                guard try todoIfPresent(expected.id) == expected else { continue }
                results[index] = last ?? expected
            } else if var todo = last {
                let present = try todoIfPresent(todo.id)
                if todo.id == Todo.noID || present != nil { todo.id = try nextID() }
                last = todo
                results[index] = todo
            } else {
                continue
            }
            versions[versions.count - 1] = last
            if let todo = last, let uuid = todo.uuid { ids[uuid] = todo.id }
            guard change.expected != nil else { continue }
            for (step, version) in versions.enumerated() {
                if steps.count <= step { steps.append((change.verb, [:], [])) }
                steps[step].todos[results[index]?.id ?? Todo.noID] = version
                steps[step].titles.append(version?.title ?? change.expected?.title ?? "")
            }
        }
        // Parents are linked when all todos have their IDs.
        for (index, change) in changes.enumerated() {
            guard var todo = results[index], change.versions.last ?? nil != nil else { continue }
            switch change.parent {
            case .unchanged: break
            case .removed: (todo.parent, todo.extras["parent"]) = (nil, nil)
            case .todo(let uuid, let known):
                let parent = ids[uuid] ?? known
                (todo.parent, todo.extras["parent"]) = (parent, parent == nil ? uuid.uuidString : nil)
                var others: [TodoID: Todo] = [:]
                for case let other? in results { others[other.id] = other }
                others[todo.id] = todo
                // A cycle, which another program may have made, is cut here; the link remains on the server.
                if (try? checkParent(of: todo, among: others)) == nil {
                    (todo.parent, todo.extras["parent"]) = (nil, uuid.uuidString)
                }
            }
            results[index] = todo
            if change.expected == nil {
                _ = try exchange([todo.id: todo], marksUnsynced: false)
            } else if let step = steps.indices.last(where: { steps[$0].todos[todo.id] != nil }) {
                steps[step].todos[todo.id] = todo
            }
        }
        for step in steps {
            _ = try put(step.todos, summary: Self.summary(step.verb, titles: step.titles), marksUnsynced: false)
        }
        for (index, change) in changes.enumerated() where change.isUnsynced {
            if let uuid = results[index]?.uuid { try markUnsynced(uuid) }
        }
        return results
    }
}
