import CalDAV
import EssentialFoundation
import TodoCore

/// Undoing deletions that require consent, and of which the user wants none.
extension TodoSync {
    /// Prepares the next run, which then restores the todos: those that were deleted on the server are sent again, and those that
    /// were deleted here are read again.
    func restore() async throws(SyncError) {
        let refused = Set((account.status.refusals ?? []).map(\.list))
        let records = try await todos { () throws(TodoError) in try await store.unsynced() }
        _ = try await readTodos()
        try readItems()
        for index in account.lists.indices where refused.contains(account.lists[index].name) {
            let known = items.todos[account.lists[index].id] ?? [:]
            let deleted = records.filter { local[$0.uuid] == nil && known[$0.uuid] != nil }
            if !deleted.isEmpty {
                // The whole list is read again, and without its item a todo is new. A kill after any step loses none.
                account.lists[index].token = nil
                try saveAccount()
                try save(deleted.compactMap { known[$0.uuid] }.map { drop($0) })
                try await todos { () throws(TodoError) in try await store.removeUnsynced(deleted) }
            }
            let list = account.lists[index]
            let removed = try await remote { () throws(CalDAVError) in
                try await server.changes(in: list.calendar, since: list.token, known: items.known(list.id)).removed
            }
            let missing = known.values.filter { item in
                (removed.contains(item.href) || item.etag == nil) && local[item.uuid] != nil
            }
            let sent = missing.compactMap { item in
                local[item.uuid].map { TodoSyncChange(expected: $0, versions: [$0], isUnsynced: true) }
            }
            guard !sent.isEmpty else { continue }
            _ = try await apply(sent)
            try save(missing.map { drop($0) })
        }
    }
}
