import Threading

/// A ``LocalProvider`` whose calls suspend while they wait for the disk or for another process.
///
/// The calls wait on dedicated threads, never on the threads that run tasks. Calls of the memory store do not wait. A call
/// that has begun is finished even if its task is cancelled. The calls of one task are done in their order.
///
/// ```swift
/// try await provider.async.set(theme, to: "light")
/// let present = try await provider.async.read(theme)
/// ```
public struct AsyncLocalProvider: Sendable {
    /// The provider whose calls block.
    public let provider: LocalProvider

    init(_ provider: LocalProvider) { self.provider = provider }

    // MARK: One value

    /// Calls ``LocalProvider/create(_:to:durability:)`` without blocking.
    public func create<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) async throws(LocalError) {
        try await run(key.store) { provider throws(LocalError) in
            try provider.create(key, to: value, durability: durability)
        }
    }

    /// Calls ``LocalProvider/read(_:)`` without blocking.
    public func read<Key: LocalStorable>(_ key: Key) async throws(LocalError) -> Key.Value {
        try await run(key.store) { provider throws(LocalError) in try provider.read(key) }
    }

    /// Calls ``LocalProvider/value(of:)`` without blocking.
    public func value<Key: LocalStorable>(of key: Key) async throws(LocalError) -> Key.Value? {
        try await run(key.store) { provider throws(LocalError) in try provider.value(of: key) }
    }

    /// Calls ``LocalProvider/update(_:to:durability:)`` without blocking.
    public func update<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) async throws(LocalError) {
        try await run(key.store) { provider throws(LocalError) in
            try provider.update(key, to: value, durability: durability)
        }
    }

    /// Calls ``LocalProvider/update(_:durability:_:)`` without blocking; `body` runs on a thread of the provider.
    @discardableResult
    public func update<Key: LocalStorable, Result: Sendable>(
        _ key: Key,
        durability: LocalDurability? = nil,
        _ body: @escaping @Sendable (inout Key.Value?) throws -> Result
    ) async throws -> Result {
        let result = try await run(key.store) { provider throws(LocalError) in
            Swift.Result { try provider.update(key, durability: durability, body) }
        }
        return try result.get()
    }

    /// Calls ``LocalProvider/update(_:default:durability:_:)`` without blocking; `body` runs on a thread of the provider.
    @discardableResult
    public func update<Key: LocalStorable, Result: Sendable>(
        _ key: Key,
        default value: Key.Value,
        durability: LocalDurability? = nil,
        _ body: @escaping @Sendable (inout Key.Value) throws -> Result
    ) async throws -> Result {
        let result = try await run(key.store) { provider throws(LocalError) in
            Swift.Result { try provider.update(key, default: value, durability: durability, body) }
        }
        return try result.get()
    }

    /// Calls ``LocalProvider/set(_:to:durability:)`` without blocking.
    public func set<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) async throws(LocalError) {
        try await run(key.store) { provider throws(LocalError) in
            try provider.set(key, to: value, durability: durability)
        }
    }

    /// Calls ``LocalProvider/delete(_:durability:)`` without blocking.
    @discardableResult
    public func delete(_ key: some LocalStorable, durability: LocalDurability? = nil) async throws(LocalError) -> Bool {
        try await run(key.store) { provider throws(LocalError) in try provider.delete(key, durability: durability) }
    }

    /// Calls ``LocalProvider/contains(_:)`` without blocking.
    public func contains(_ key: some LocalStorable) async throws(LocalError) -> Bool {
        try await run(key.store) { provider throws(LocalError) in try provider.contains(key) }
    }

    // MARK: A whole store

    /// Calls ``LocalProvider/all(_:in:prefix:)`` without blocking.
    public func all<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        in kind: LocalStoreKind,
        prefix: String = ""
    ) async throws(LocalError) -> [String: Value] {
        try await run(kind) { provider throws(LocalError) in try provider.all(type, in: kind, prefix: prefix) }
    }

    /// Calls ``LocalProvider/readable(_:in:prefix:)`` without blocking.
    public func readable<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        in kind: LocalStoreKind,
        prefix: String = ""
    ) async throws(LocalError) -> LocalValues<Value> {
        try await run(kind) { provider throws(LocalError) in try provider.readable(type, in: kind, prefix: prefix) }
    }

    /// Calls ``LocalProvider/identifiers(in:)`` without blocking.
    public func identifiers(in kind: LocalStoreKind) async throws(LocalError) -> [String] {
        try await run(kind) { provider throws(LocalError) in try provider.identifiers(in: kind) }
    }

    /// Calls ``LocalProvider/count(in:)`` without blocking.
    public func count(in kind: LocalStoreKind) async throws(LocalError) -> Int {
        try await run(kind) { provider throws(LocalError) in try provider.count(in: kind) }
    }

    /// Calls ``LocalProvider/removeAll(in:durability:)`` without blocking.
    public func removeAll(in kind: LocalStoreKind, durability: LocalDurability? = nil) async throws(LocalError) {
        try await run(kind) { provider throws(LocalError) in try provider.removeAll(in: kind, durability: durability) }
    }

    /// Calls ``LocalProvider/migrate()`` without blocking.
    @discardableResult
    public func migrate() async throws(LocalError) -> [LocalMigrationReport] {
        try await run(true) { provider throws(LocalError) in try provider.migrate() }
    }

    /// Calls ``LocalProvider/migrationPlan()`` without blocking.
    public func migrationPlan() async throws(LocalError) -> [LocalMigrationReport] {
        try await run(true) { provider throws(LocalError) in try provider.migrationPlan() }
    }

    /// Calls ``LocalProvider/flush()`` without blocking.
    public func flush() async throws(LocalError) {
        try await run(true) { provider throws(LocalError) in try provider.flush() }
    }

    // MARK: Threads

    private func run<Result: Sendable>(
        _ kind: LocalStoreKind,
        _ body: @escaping @Sendable (LocalProvider) throws(LocalError) -> Result
    ) async throws(LocalError) -> Result { try await run(provider.store(kind).mayBlock, body) }

    /// Runs `body`, on one of the provider's threads if it may block.
    package func run<Result: Sendable>(
        _ mayBlock: Bool,
        _ body: @escaping @Sendable (LocalProvider) throws(LocalError) -> Result
    ) async throws(LocalError) -> Result {
        let provider = provider
        guard mayBlock else { return try body(provider) }
        let result = await withCheckedContinuation { continuation in
            let call: @Sendable () -> Void = {
                continuation.resume(returning: Swift.Result { () throws(LocalError) in try body(provider) })
            }
            // If the system starts no thread, this one blocks.
            do { try provider.threads.run(call) } catch { call() }
        }
        return try result.get()
    }
}
