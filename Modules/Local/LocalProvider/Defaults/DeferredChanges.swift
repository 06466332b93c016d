/// The changes made with ``LocalDurability/deferred`` that are in no file yet.
struct DeferredChanges {
    /// The new value of each identifier; `nil` if it was removed.
    private(set) var values: [LocalIdentifier: [UInt8]?] = [:]
    private var byteCount = 0
    /// The number of bytes from which the changes should be written.
    private var limit = 65_536

    var isEmpty: Bool { values.isEmpty }
    /// Whether the changes should be written because of their size.
    var isLarge: Bool { byteCount > limit }
    /// Doubles the size from which the changes should be written, after an attempt that failed.
    mutating func postpone() { limit = 2 * byteCount }

    /// Prepares for many changes.
    mutating func reserve(_ count: Int) { values.reserveCapacity(values.count + count) }

    /// Adds a change; `nil` removes the value.
    mutating func set(_ value: [UInt8]?, for key: LocalIdentifier) {
        values[key] = .some(value)
        byteCount += key.text.utf8.count + (value?.count ?? 0)
    }

    /// Discards the change of an identifier.
    mutating func discard(_ key: LocalIdentifier) { values[key] = nil }

    mutating func removeAll() { self = DeferredChanges() }

    /// Returns the value as this process sees it: a deferred change, or else the value of the journal.
    func value(for key: LocalIdentifier, in entries: JournalEntries) -> [UInt8]? {
        if let value = values[key] { return value }
        return entries[key]
    }

    /// Returns the values as this process sees them, of the identifiers that begin with `prefix`.
    func pairs(in entries: JournalEntries, prefix: String = "") -> [JournalEntries.Pair] {
        var pairs: [JournalEntries.Pair] = []
        pairs.reserveCapacity(prefix.isEmpty ? entries.count : 0)
        for (key, entry) in entries.all
        where (values.isEmpty || values[key] == nil) && key.text.utf8.starts(with: prefix.utf8) {
            pairs.append((key, entry.value))
        }
        for case (let key, .some(let value)) in values where key.text.utf8.starts(with: prefix.utf8) {
            pairs.append((key, value))
        }
        return pairs
    }

    /// The changes as operations, without those that change nothing in the journal.
    func operations(on entries: JournalEntries) -> [JournalFormat.Operation] {
        var operations: [JournalFormat.Operation] = []
        operations.reserveCapacity(values.count)
        for (key, value) in values where !entries[key].isSame(as: value) {
            operations.append(JournalFormat.Operation(key: key, value: value))
        }
        return operations
    }
}
