import CalDAV
import EssentialFoundation
import TodoCore

/// Deletions: those of the server, which remove todos here, and those of this machine, which delete objects there.
extension TodoSync {
    /// Removes the todos of objects that were deleted on the server, unless they were changed here.
    func remove(_ hrefs: Set<CalDAVHref>, in list: SyncList) async throws(SyncError) {
        var changes: [SyncStore.Change] = []
        for href in hrefs {
            guard let foreign = items.foreign[list.id]?.removeValue(forKey: href) else { continue }
            changes.append(.removeForeign(foreign))
        }
        let all = items.todos[list.id] ?? [:]
        var deletions: [(item: SyncItem, todo: Todo)] = []
        var moves: [(item: SyncItem, change: TodoSyncChange)] = []
        for item in all.values where hrefs.contains(item.href) {
            guard let todo = local[item.uuid], todo.list == list.name else {
                changes.append(drop(item))
                continue
            }
            if let change = move(todo, from: item) {
                moves.append((item, change))
                continue
            }
            let isChanged =
                unsynced[item.uuid] != nil
                && (parent(of: todo, item) != item.parent || !SyncField.areEqual(todo, item.todo))
            guard isChanged else {
                deletions.append((item, todo))
                continue
            }
            var item = item
            item.etag = nil
            changes.append(set(item))
            add(.restored, todo.title, list.name)
        }
        if isRefused(deletions.count, of: all.count, list, isFromServer: true) {
            incomplete.insert(list.id)
            deletions = []
        }
        for (item, todo) in zip(moves.map(\.item), try await apply(moves.map(\.change))) {
            guard let todo else {
                incomplete.insert(list.id)
                continue
            }
            note(todo)
            changes.append(drop(item))
            add(.changed, todo.title, list.name)
        }
        let todoChanges = deletions.map { TodoSyncChange(expected: $0.todo, versions: [nil], verb: "sync: remove") }
        for ((item, todo), result) in zip(deletions, try await apply(todoChanges)) {
            guard result != nil else {
                incomplete.insert(list.id)
                continue
            }
            local[item.uuid] = nil
            uuids[todo.id] = nil
            changes.append(drop(item))
            add(.removed, todo.title, list.name)
        }
        try save(changes)
    }

    /// Returns the deletions that need no consent.
    func allowed(_ records: [TodoUnsynced]) throws(SyncError) -> [TodoUnsynced] {
        var refused: Set<UUID> = []
        // From a list that cannot be changed, nothing is deleted.
        for list in account.lists where list.calendar.canWrite {
            let items = items.todos[list.id] ?? [:]
            let deletions = records.filter { items[$0.uuid] != nil }.map(\.uuid)
            if isRefused(deletions.count, of: items.count, list, isFromServer: false) { refused.formUnion(deletions) }
        }
        return records.filter { !refused.contains($0.uuid) }
    }

    /// Whether deletions require consent: more than half of a list of three or more todos.
    func isRefused(_ count: Int, of total: Int, _ list: SyncList, isFromServer: Bool) -> Bool {
        guard total >= 3, count * 2 > total, !allowsDeletions else { return false }
        report.refusals.append(.init(list: list.name, count: count, total: total, isFromServer: isFromServer))
        return true
    }

    /// Deletes the objects of a todo.
    ///
    /// - Returns: whether the server has none of them any more.
    func delete(_ uuid: UUID, in lists: [SyncList], _ touched: inout Set<String>) async throws(SyncError) -> Bool {
        var isDone = true
        for list in lists {
            guard let item = items.todos[list.id]?[uuid] else { continue }
            if try await !delete(item, in: list, &touched) { isDone = false }
        }
        return isDone
    }

    private func delete(
        _ item: SyncItem,
        in list: SyncList,
        _ touched: inout Set<String>
    ) async throws(SyncError) -> Bool {
        guard list.calendar.canWrite else {
            try await keep(item, in: list)
            return true
        }
        var etag = item.etag
        for _ in 0..<Self.attempts {
            if let etag, !isLeft(item) {
                switch try await remote({ () throws(CalDAVError) in
                    try await server.delete(at: item.href, in: list.calendar, matching: etag)
                }) {
                case .deleted:
                    touched.insert(list.id)
                    add(.sentRemoval, item.todo.title, list.name)
                    try save([drop(item)])
                    return true
                case .readOnly:
                    try await keep(item, in: list)
                    return true
                case .preconditionFailed: break
                }
            }
            guard let object = try await object(of: item, in: list) else {
                try save([drop(item)])
                return true
            }
            // If the server's todo was changed, it comes back: the change wins. One that has moved takes the change with it.
            let isDeleted = local[item.uuid] == nil
            try await receive([object], in: list)
            if isDeleted, local[item.uuid] != nil { return true }
            if isLeft(item, reporting: list) { return false }
            if let present = items.todos[list.id]?[item.uuid], present.href != item.href {
                // The object is that of another todo: this one has none any more.
                try save([drop(present)])
                return true
            }
            etag = object.etag
        }
        return false
    }

    /// Brings a todo back that was deleted here, or has become local, and that the server does not delete.
    private func keep(_ item: SyncItem, in list: SyncList) async throws(SyncError) {
        if let todo = local[item.uuid] {
            if target(todo) == nil { try await revert(todo, in: list) }
            return
        }
        add(.problem("the server allows no changes of this list"), item.todo.title, list.name)
        // Without the record of the deletion it is a new todo.
        unsynced[item.uuid] = nil
        _ = try await fetch(item, in: list)
    }

    /// Returns a todo of a read-only list to the state of the server. The history has what was changed.
    func revert(_ todo: Todo, in list: SyncList) async throws(SyncError) {
        var old = todo
        if let uuid = todo.uuid, let item = items.todos[list.id]?[uuid] {
            for field in SyncField.allCases { field.copy(from: item.todo, to: &old) }
            old.list = list.name
        } else {
            // One that was moved here returns to where it was, and its other changes are sent there.
            old.list = todo.uuid.flatMap { uuid in account.lists.first { items.todos[$0.id]?[uuid] != nil }?.name }
        }
        let isSent = old.list != nil && old.list != list.name
        let change = TodoSyncChange(expected: todo, versions: [old], isUnsynced: isSent)
        for case let todo? in try await apply([change]) { note(todo) }
        let message = "the list \(list.name) cannot be changed; what you changed is in the history"
        add(.problem(message), todo.title, list.name)
    }
}
