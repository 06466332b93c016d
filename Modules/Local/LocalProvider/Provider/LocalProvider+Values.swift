/// One value.
extension LocalProvider {
    /// Stores a value that is not stored yet.
    ///
    /// - Parameters:
    ///   - key: the key of the value.
    ///   - value: the value.
    ///   - durability: what the write survives; `nil` for the store's default.
    /// - Throws: ``LocalError/exists(identifier:path:)`` if a value is stored, and the errors of writing.
    public func create<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) throws(LocalError) { try write(key, value, .create, durability) }

    /// Reads a value, or the default value of the key if none is stored.
    ///
    /// - Throws: ``LocalError/absent(identifier:path:)`` if neither exists,
    ///   ``LocalError/undecodable(identifier:path:detail:)`` for a value of another type,
    ///   ``LocalError/corrupt(path:detail:)`` for a damaged file without an intact backup, and other errors.
    public func read<Key: LocalStorable>(_ key: Key) throws(LocalError) -> Key.Value {
        if let value = try value(of: key) ?? key.defaultValue { return value }
        throw .absent(identifier: key.identifier, path: try store(key.store).path)
    }

    /// Reads a value.
    ///
    /// - Returns: the value, or `nil` if none is stored, whatever the default value of the key.
    /// - Throws: as ``read(_:)``, except ``LocalError/absent(identifier:path:)``.
    public func value<Key: LocalStorable>(of key: Key) throws(LocalError) -> Key.Value? {
        try store(key.store).value(for: LocalIdentifier(key.identifier), as: Key.Value.self)
    }

    /// Replaces a stored value.
    ///
    /// - Throws: ``LocalError/absent(identifier:path:)`` if no value is stored (``set(_:to:durability:)`` inserts or
    ///   replaces), and the errors of writing.
    public func update<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) throws(LocalError) { try write(key, value, .replace, durability) }

    /// Reads a value, changes it with `body` and stores it, as one step for all threads and processes.
    ///
    /// - Parameters:
    ///   - key: the key of the value.
    ///   - durability: what the write survives; `nil` for the store's default.
    ///   - body: changes the value. It receives the default value, or `nil`, if no value is stored; if it leaves `nil`, the
    ///     value is removed. It must be short and must not use the same store.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, after which nothing has changed, and the errors of reading and writing.
    @discardableResult
    public func update<Key: LocalStorable, Result>(
        _ key: Key,
        durability: LocalDurability? = nil,
        _ body: (inout Key.Value?) throws -> Result
    ) throws -> Result {
        let identifier = try LocalIdentifier(key.identifier)
        return try store(key.store).update(identifier, as: Key.Value.self, durability: durability) { value in
            if value == nil { value = key.defaultValue }
            return try body(&value)
        }
    }

    /// Reads a value, changes it with `body` and stores it, as one step for all threads and processes.
    ///
    /// - Parameters:
    ///   - key: the key of the value.
    ///   - value: the value that `body` receives if none is stored, in place of the default value of the key.
    ///   - durability: what the write survives; `nil` for the store's default.
    ///   - body: changes the value. It must be short and must not use the same store.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, after which nothing has changed, and the errors of reading and writing.
    @discardableResult
    public func update<Key: LocalStorable, Result>(
        _ key: Key,
        default value: Key.Value,
        durability: LocalDurability? = nil,
        _ body: (inout Key.Value) throws -> Result
    ) throws -> Result {
        let identifier = try LocalIdentifier(key.identifier)
        return try store(key.store).update(identifier, as: Key.Value.self, durability: durability) { stored in
            var present = stored ?? value
            let result = try body(&present)
            stored = present
            return result
        }
    }

    /// Stores a value: inserts it, or replaces the stored one.
    ///
    /// - Throws: ``LocalError``.
    public func set<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) throws(LocalError) { try write(key, value, .set, durability) }

    /// Removes a value.
    ///
    /// - Returns: whether a value was stored.
    /// - Throws: ``LocalError``.
    @discardableResult
    public func delete(_ key: some LocalStorable, durability: LocalDurability? = nil) throws(LocalError) -> Bool {
        try store(key.store).remove(LocalIdentifier(key.identifier), durability: durability)
    }

    /// Returns whether a value is stored; a default value does not count.
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
}

/// All values of a store.
extension LocalProvider {
    /// Reads the values of a store whose identifiers begin with `prefix`.
    ///
    /// - Parameters:
    ///   - type: the type of all these values.
    ///   - kind: the store.
    ///   - prefix: the beginning of the identifiers; empty for all values.
    /// - Returns: the values by identifier.
    /// - Throws: ``LocalError/undecodable(identifier:path:detail:)`` if one of them has another type, and other errors. To
    ///   read the others all the same, use ``readable(_:in:prefix:)``.
    public func all<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        in kind: LocalStoreKind,
        prefix: String = ""
    ) throws(LocalError) -> [String: Value] { try store(kind).values(of: type, prefix: prefix) }

    /// Reads those values of a store that can be read and whose identifiers begin with `prefix`.
    ///
    /// - Parameters:
    ///   - type: the type of all these values.
    ///   - kind: the store.
    ///   - prefix: the beginning of the identifiers; empty for all values.
    /// - Returns: the values, and an error for each value that cannot be read. Canonically equivalent
    ///   identifiers, which a dictionary does not distinguish, have an error and no value.
    /// - Throws: ``LocalError`` if the store itself cannot be read.
    public func readable<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        in kind: LocalStoreKind,
        prefix: String = ""
    ) throws(LocalError) -> LocalValues<Value> { try store(kind).readableValues(of: type, prefix: prefix) }

    /// Returns the identifiers of all values of a store, in no particular order.
    public func identifiers(in kind: LocalStoreKind) throws(LocalError) -> [String] {
        try store(kind).identifiers()
    }

    /// Returns the number of values of a store.
    public func count(in kind: LocalStoreKind) throws(LocalError) -> Int { try store(kind).count() }

    /// Removes all values of a store, and all remains of earlier values.
    ///
    /// - Throws: ``LocalError``. Values may be removed then, and remains of them left; it can be repeated.
    public func removeAll(in kind: LocalStoreKind, durability: LocalDurability? = nil) throws(LocalError) {
        try store(kind).removeAll(durability: durability)
    }
}
