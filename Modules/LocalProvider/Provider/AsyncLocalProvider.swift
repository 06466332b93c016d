/// A ``LocalProvider`` whose calls suspend while they wait for the disk or for another process.
///
/// They wait on threads of their own, never on those that run tasks; what is in memory is answered at once. A call that
/// has begun is finished, also where its task is cancelled. Two calls of one task are done in their order.
///
/// ```swift
/// try await provider.async.set(theme, to: "light")
/// let present = try await provider.async.read(theme)
/// ```
public struct AsyncLocalProvider: Sendable {
    /// The provider itself, whose calls block.
    public let provider: LocalProvider

    init(_ provider: LocalProvider) {
        self.provider = provider
    }

    // MARK: One value

    /// As ``LocalProvider/create(_:_:durability:)``.
    public func create<Key: LocalStorable>(
        _ key: Key,
        _ value: Key.Value,
        durability: LocalDurability? = nil
    ) async throws(LocalError) {
        try await run(key.store) { provider throws(LocalError) in
            try provider.create(key, value, durability: durability)
        }
    }

    /// As ``LocalProvider/read(_:)``.
    public func read<Key: LocalStorable>(_ key: Key) async throws(LocalError) -> Key.Value {
        try await run(key.store) { provider throws(LocalError) in try provider.read(key) }
    }

    /// As ``LocalProvider/value(of:)``.
    public func value<Key: LocalStorable>(of key: Key) async throws(LocalError) -> Key.Value? {
        try await run(key.store) { provider throws(LocalError) in try provider.value(of: key) }
    }

    /// As ``LocalProvider/update(_:to:durability:)``.
    public func update<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) async throws(LocalError) {
        try await run(key.store) { provider throws(LocalError) in
            try provider.update(key, to: value, durability: durability)
        }
    }

    /// As ``LocalProvider/update(_:durability:_:)``; `body` runs on a thread of the provider's.
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

    /// As ``LocalProvider/set(_:to:durability:)``.
    public func set<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) async throws(LocalError) {
        try await run(key.store) { provider throws(LocalError) in
            try provider.set(key, to: value, durability: durability)
        }
    }

    /// As ``LocalProvider/delete(_:durability:)``.
    @discardableResult
    public func delete(
        _ key: some LocalStorable,
        durability: LocalDurability? = nil
    ) async throws(LocalError) -> Bool {
        try await run(key.store) { provider throws(LocalError) in try provider.delete(key, durability: durability) }
    }

    /// As ``LocalProvider/contains(_:)``.
    public func contains(_ key: some LocalStorable) async throws(LocalError) -> Bool {
        try await run(key.store) { provider throws(LocalError) in try provider.contains(key) }
    }

    // MARK: A whole store

    /// As ``LocalProvider/all(_:in:prefix:)``.
    public func all<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        in kind: LocalStoreKind,
        prefix: String = ""
    ) async throws(LocalError) -> [String: Value] {
        try await run(kind) { provider throws(LocalError) in try provider.all(type, in: kind, prefix: prefix) }
    }

    /// As ``LocalProvider/identifiers(in:)``.
    public func identifiers(in kind: LocalStoreKind) async throws(LocalError) -> [String] {
        try await run(kind) { provider throws(LocalError) in try provider.identifiers(in: kind) }
    }

    /// As ``LocalProvider/count(in:)``.
    public func count(in kind: LocalStoreKind) async throws(LocalError) -> Int {
        try await run(kind) { provider throws(LocalError) in try provider.count(in: kind) }
    }

    /// As ``LocalProvider/removeAll(in:durability:)``.
    public func removeAll(in kind: LocalStoreKind, durability: LocalDurability? = nil) async throws(LocalError) {
        try await run(kind) { provider throws(LocalError) in try provider.removeAll(in: kind, durability: durability) }
    }

    /// As ``LocalProvider/migrate()``.
    @discardableResult
    public func migrate() async throws(LocalError) -> [LocalMigrationReport] {
        try await run(.defaults) { provider throws(LocalError) in try provider.migrate() }
    }

    /// As ``JSONDefaults/flush()``.
    public func flush() async throws(LocalError) {
        try await run(.defaults) { provider throws(LocalError) in try provider.defaults.flush() }
    }

    /// Runs a body where it may block; in memory nothing does.
    private func run<Result: Sendable>(
        _ kind: LocalStoreKind,
        _ body: @escaping @Sendable (LocalProvider) throws(LocalError) -> Result
    ) async throws(LocalError) -> Result {
        let provider = provider
        guard kind != .memory else { return try body(provider) }
        let result = await withCheckedContinuation { continuation in
            provider.threads.add {
                continuation.resume(returning: Swift.Result { () throws(LocalError) in try body(provider) })
            }
        }
        return try result.get()
    }
}
