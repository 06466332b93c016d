/// A todo of a synced list that was changed since the last sync: added, changed, moved or deleted.
///
/// It is stored under the UUID of the todo in the same transaction as the change. The item that the sync stores of the todo,
/// with its address, its ETag and the server's text, is the rest of what a deletion needs.
package struct TodoUnsynced: Hashable, Sendable, Codable {
    /// The UUID of the todo.
    package var uuid: UUID
    /// A random text that each change replaces: a sync removes the record only if there was no further change.
    package var mark: String

    /// Creates a record.
    package init(uuid: UUID, mark: String) { (self.uuid, self.mark) = (uuid, mark) }
}

extension TodoTransaction {
    static let unsyncedPrefix = "unsynced/"

    static func unsyncedKey(_ uuid: UUID) -> String { unsyncedPrefix + uuid.uuidString }

    /// Records that a todo of a synced list changes.
    mutating func markUnsynced(_ before: Todo?, _ after: Todo?) throws(TodoError) {
        guard before != after else { return }
        for case let todo? in [before, after] where try isSynced(todo) {
            if let uuid = todo.uuid { try markUnsynced(uuid) }
        }
    }

    /// Whether a todo is in a synced list.
    mutating func isSynced(_ todo: Todo) throws(TodoError) -> Bool {
        if syncedLists == nil { syncedLists = Set(try lists().filter(\.isSynced).map(\.name)) }
        return todo.list.map { syncedLists?.contains($0) ?? false } ?? false
    }

    mutating func markUnsynced(_ uuid: UUID) throws(TodoError) {
        let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
        try set(TodoUnsynced(uuid: uuid, mark: mark), Self.unsyncedKey(uuid))
        if batch != nil { unsyncedInBatch.append(uuid) }
    }
}
