import CalDAV
import EssentialFoundation
import TodoCore

/// The parents of todos. The server has their UUIDs, the store their IDs.
extension TodoSync {
    /// Returns the UUID of the parent of a todo; that of the server if the parent was deleted here.
    func parent(of todo: Todo, _ item: SyncItem?) -> UUID? {
        if let parent = todo.parent { return uuids[parent] ?? item?.parent }
        return todo.extras["parent"].flatMap { UUID(uuidString: $0) }
    }

    func link(to parent: UUID?) -> TodoSyncChange.Parent {
        parent.map { .todo($0, local[$0]?.id) } ?? .removed
    }

    /// Links todos to parents that came after them, also in an earlier run that was interrupted. A todo whose parent was deleted
    /// returns to the parent that the server has, if that exists.
    func linkChildren() async throws(SyncError) {
        let changes = local.values.compactMap { child -> TodoSyncChange? in
            // A parent that was deleted and has come back has another ID.
            let isLost = child.parent.map { uuids[$0] == nil } ?? false
            let link =
                isLost
                ? child.uuid.flatMap { items.item($0)?.parent }
                : child.extras["parent"].flatMap { UUID(uuidString: $0) }
            // The store cuts a cycle and stores the link, once.
            guard isLost || child.parent == nil, let link, let parent = local[link],
                isLost || !isAncestor(child, of: parent)
            else { return nil }
            return TodoSyncChange(expected: child, versions: [child], parent: .todo(link, parent.id))
        }
        for case let todo? in try await apply(changes) { note(todo) }
    }

    /// Whether a todo is the same as another one, or contains it. A link that makes a cycle is not followed.
    private func isAncestor(_ todo: Todo, of other: Todo) -> Bool {
        var next: Todo? = other
        var seen: Set<TodoID> = []
        while let present = next, seen.insert(present.id).inserted {
            if present.id == todo.id { return true }
            next = present.parent.flatMap { uuids[$0] }.flatMap { local[$0] }
        }
        return false
    }

    /// Records that the parts of restored todos whose objects do not name them are to be sent: a todo that was deleted and comes
    /// back, by an undo or from the server, has its former parts again, which did not change themselves.
    ///
    /// - Returns: whether there are such parts.
    func markPartsOfRestored() async throws(SyncError) -> Bool {
        let parts = local.compactMap { uuid, todo -> UUID? in
            guard unsynced[uuid] == nil, let parent = todo.parent.flatMap({ uuids[$0] }),
                account.lists.contains(where: { list in
                    list.calendar.canWrite && items.todos[list.id]?[uuid].map { $0.parent != parent } ?? false
                })
            else { return nil }
            return uuid
        }
        guard !parts.isEmpty else { return false }
        try await todos { () throws(TodoError) in try await store.markUnsynced(parts) }
        try await readUnsynced()
        return true
    }
}
