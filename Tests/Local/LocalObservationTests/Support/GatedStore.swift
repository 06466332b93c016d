import LocalProvider
import Threading

/// A store in memory whose reads and writes can be held after they have their result.
final class GatedStore: LocalStore {
    let kind = LocalStoreKind(rawValue: "gated")
    let base = MemoryStore()
    private let gate = Semaphore()
    private let state = Locked((isHeld: false, reads: 0))
    private let writeGate = Semaphore()
    private let writeState = Locked((isHeld: false, writes: 0))

    var path: String { base.path }
    /// The number of reads that have their result.
    var reads: Int { state.withLock { $0.reads } }

    /// The number of writes that are stored.
    var writes: Int { writeState.withLock { $0.writes } }

    /// Makes each later read wait for a call of ``releaseRead()``.
    func holdReads() { state.withLock { $0.isHeld = true } }

    func releaseRead() { gate.signal() }

    /// Makes each later write wait for a call of ``releaseWrite()``.
    func holdWrites() { writeState.withLock { $0.isHeld = true } }

    func releaseWrite() { writeGate.signal() }

    func value<Value: Codable & Sendable>(
        for identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value? {
        let value = Result { () throws(LocalError) in try base.value(for: identifier, as: type) }
        let isHeld = state.withLock { state in
            state.reads += 1
            return state.isHeld
        }
        if isHeld { gate.wait() }
        return try value.get()
    }

    func set<Value: Codable & Sendable>(
        _ value: Value,
        for identifier: LocalIdentifier,
        rule: LocalWriteRule,
        durability: LocalDurability?
    ) throws(LocalError) {
        try base.set(value, for: identifier, rule: rule, durability: durability)
        let isHeld = writeState.withLock { state in
            state.writes += 1
            return state.isHeld
        }
        if isHeld { writeGate.wait() }
    }

    func update<Value: Codable & Sendable, Result>(
        _ identifier: LocalIdentifier,
        as type: Value.Type,
        durability: LocalDurability?,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result { try base.update(identifier, as: type, durability: durability, body) }

    func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool {
        try base.remove(identifier, durability: durability)
    }

    func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool { try base.contains(identifier) }
    func identifiers() throws(LocalError) -> [String] { try base.identifiers() }
    func removeAll(durability: LocalDurability?) throws(LocalError) { try base.removeAll(durability: durability) }
    func changes() -> AsyncStream<LocalChange> { base.changes() }
}
