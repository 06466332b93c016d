import LocalProvider

/// The writes of a store, and the values that it may have after a power loss.
struct PowerLedger {
    /// Whether a synced write brings all before it to the disk, too.
    let coversAll: Bool
    private var writes: [(changes: [String: Int?], isSynced: Bool)] = []

    init(coversAll: Bool) { self.coversAll = coversAll }

    /// The names of all values that there have been.
    var names: Set<String> { Set(writes.flatMap(\.changes.keys)) }

    /// Notes what `body` is to write and, once it has done so, whether that must be there from now on.
    mutating func write(_ changes: [String: Int?], _ durability: LocalDurability, _ body: () throws -> Void) rethrows {
        writes.append((changes, false))
        try body()
        writes[writes.count - 1].isSynced = durability == .synced
    }

    /// Sets a value, and notes it.
    mutating func set(_ name: String, _ value: Int, _ durability: LocalDurability, in store: some LocalStore) throws {
        try write([name: value], durability) {
            try store.set(name, value, durability)
        }
    }

    /// Removes a value, and notes it.
    mutating func remove(_ name: String, _ durability: LocalDurability, from store: some LocalStore) throws {
        try write([name: Int?.none], durability) {
            _ = try store.remove(name, durability)
        }
    }

    /// Removes all values, and notes it.
    mutating func removeAll(_ durability: LocalDurability, from store: some LocalStore) throws {
        let all = Dictionary(uniqueKeysWithValues: names.map { ($0, Int?.none) })
        try write(all, durability) { try store.removeAll(durability: durability) }
    }

    /// The values that a name may have: the last one synced, and all that were written since.
    func possible(_ name: String) -> Set<Int?> {
        let covered = writes.lastIndex { $0.isSynced && (coversAll || $0.changes[name] != nil) } ?? -1
        let sure = writes[...covered].last { $0.changes[name] != nil }?.changes[name] ?? nil
        return Set([sure] + writes[(covered + 1)...].compactMap { $0.changes[name] })
    }
}
