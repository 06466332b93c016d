extension LocalProvider {
    /// Keeps a value for the first time.
    ///
    /// - Parameters:
    ///   - key: what to keep it as.
    ///   - value: the value.
    ///   - durability: what the write survives; the store's own where it is `nil`.
    /// - Throws: ``LocalError/exists(identifier:path:)`` where there is one already, and what writing throws.
    public func create<Key: LocalStorable>(
        _ key: Key,
        _ value: Key.Value,
        durability: LocalDurability? = nil
    ) throws(LocalError) {
        try write(key, value, .create, durability)
    }

    /// Reads a value, or the key's default where there is none.
    ///
    /// - Throws: ``LocalError/absent(identifier:path:)`` where there is neither,
    ///   ``LocalError/undecodable(identifier:path:detail:)`` for a value of another type,
    ///   ``LocalError/corrupt(path:detail:)`` for a damaged file without a backup, and what the system does not allow.
    public func read<Key: LocalStorable>(_ key: Key) throws(LocalError) -> Key.Value {
        if let value = try value(of: key) ?? key.defaultValue { return value }
        throw .absent(identifier: key.identifier, path: place(of: key.store))
    }

    /// Reads a value; `nil` where there is none, whatever the key's default.
    ///
    /// - Throws: as ``read(_:)``, other than ``LocalError/absent(identifier:path:)``.
    public func value<Key: LocalStorable>(of key: Key) throws(LocalError) -> Key.Value? {
        try store(key.store).value(for: LocalIdentifier(key.identifier), as: Key.Value.self)
    }

    /// Replaces a value that is there.
    ///
    /// - Throws: ``LocalError/absent(identifier:path:)`` where there is none (``set(_:to:durability:)`` minds neither),
    ///   and what writing throws.
    public func update<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) throws(LocalError) {
        try write(key, value, .replace, durability)
    }

    /// Reads a value, lets `body` change it, and keeps it, as one step for all threads and processes.
    ///
    /// - Parameters:
    ///   - key: what to change.
    ///   - durability: what the write survives; the store's own where it is `nil`.
    ///   - body: changes the value. `nil` stands for none: it is given where there is none and the key has no default,
    ///     and left to remove the value. It must be quick, and must not use the same store.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and then nothing has changed, and what reading and writing throw.
    @discardableResult
    public func update<Key: LocalStorable, Result>(
        _ key: Key,
        durability: LocalDurability? = nil,
        _ body: (inout Key.Value?) throws -> Result
    ) throws -> Result {
        let identifier = try LocalIdentifier(key.identifier)
        return try store(key.store).update(identifier, as: Key.Value.self, durability: durability) { value in
            guard value == nil, let standard = key.defaultValue else { return try body(&value) }
            value = standard
            return try body(&value)
        }
    }

    /// Keeps a value, whether or not there was one.
    ///
    /// - Throws: ``LocalError``.
    public func set<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) throws(LocalError) {
        try write(key, value, .set, durability)
    }

    /// Removes a value.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``LocalError``.
    @discardableResult
    public func delete(_ key: some LocalStorable, durability: LocalDurability? = nil) throws(LocalError) -> Bool {
        try store(key.store).remove(LocalIdentifier(key.identifier), durability: durability)
    }

    /// Whether there is a value; a default is none.
    ///
    /// - Throws: ``LocalError``.
    public func contains(_ key: some LocalStorable) throws(LocalError) -> Bool {
        try store(key.store).contains(LocalIdentifier(key.identifier))
    }

    private func write<Key: LocalStorable>(
        _ key: Key,
        _ value: Key.Value,
        _ rule: LocalWriteRule,
        _ durability: LocalDurability?
    ) throws(LocalError) {
        let identifier = try LocalIdentifier(key.identifier)
        try store(key.store).set(value, for: identifier, rule: rule, durability: durability)
    }

    private func place(of kind: LocalStoreKind) -> String {
        switch kind {
        case .propertyList: propertyLists.path
        case .defaults: defaults.path
        case .memory: "memory"
        }
    }
}

extension LocalProvider {
    /// All values of a store whose identifier begins with `prefix`, by identifier.
    ///
    /// - Parameters:
    ///   - type: what they are, all of them.
    ///   - kind: the store.
    ///   - prefix: how their identifiers begin; empty for all.
    /// - Returns: the values.
    /// - Throws: ``LocalError/undecodable(identifier:path:detail:)`` where one of them is something else, and others.
    public func all<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        in kind: LocalStoreKind,
        prefix: String = ""
    ) throws(LocalError) -> [String: Value] {
        try store(kind).values(of: type, prefix: prefix)
    }

    /// The identifiers of all values of a store, in no particular order.
    public func identifiers(in kind: LocalStoreKind) throws(LocalError) -> [String] {
        try store(kind).identifiers()
    }

    /// How many values a store has.
    public func count(in kind: LocalStoreKind) throws(LocalError) -> Int {
        try store(kind).count()
    }

    /// Removes all values of a store, and what is left of earlier ones.
    public func removeAll(in kind: LocalStoreKind, durability: LocalDurability? = nil) throws(LocalError) {
        try store(kind).removeAll(durability: durability)
    }

    /// Every change in one of the stores from now on, with who made it.
    ///
    /// Changes of other processes come soon after they are made: on Linux within about a millisecond.
    public func changes(in kind: LocalStoreKind) -> AsyncStream<LocalChange> {
        store(kind).changes()
    }

    /// Every change of a value from now on, with who made it.
    public func changes(of key: some LocalStorable) -> AsyncStream<LocalChange> {
        let identifier = key.identifier
        let changes = store(key.store).changes()
        let (stream, continuation) = AsyncStream.makeStream(of: LocalChange.self)
        let task = Task {
            for await change in changes where change.identifier.utf8.elementsEqual(identifier.utf8) {
                continuation.yield(change)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
