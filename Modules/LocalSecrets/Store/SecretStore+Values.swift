public import LocalProvider

extension SecretStore {
    /// Keeps a secret for the first time.
    ///
    /// - Parameters:
    ///   - key: what to keep it as.
    ///   - value: the secret.
    ///   - durability: what the write survives; the store's own where it is `nil`.
    /// - Throws: ``SecretError/store(_:)`` with `exists` where there is one already, and what writing throws.
    public func create<Key: LocalStorable>(
        _ key: Key,
        _ value: Key.Value,
        durability: LocalDurability? = nil
    ) throws(SecretError) {
        try write(key, value, .create, durability)
    }

    /// Reads a secret, or the key's default where there is none.
    ///
    /// - Throws: ``SecretError/store(_:)`` with `absent` where there is neither, ``SecretError/wrongKey(identifier:key:)``,
    ///   ``SecretError/tampered(identifier:)``, ``SecretError/undecodable(identifier:type:)``, and others of the store.
    public func read<Key: LocalStorable>(_ key: Key) throws(SecretError) -> Key.Value {
        if let value = try value(of: key) ?? key.defaultValue { return value }
        throw .store(.absent(identifier: key.identifier, path: path(of: key.store)))
    }

    /// Reads a secret; `nil` where there is none, whatever the key's default.
    ///
    /// - Throws: as ``read(_:)``, but for an absent one.
    public func value<Key: LocalStorable>(of key: Key) throws(SecretError) -> Key.Value? {
        let identifier = try identifier(key.identifier)
        let sealed = try SecretError.wrapping { () throws(LocalError) in
            try provider.store(key.store).value(for: identifier, as: SealedValue.self)
        }
        return try sealed.map { sealed throws(SecretError) in
            try open(Key.Value.self, sealed, key.identifier, key.store)
        }
    }

    /// Keeps a secret, whether or not there was one.
    ///
    /// - Throws: ``SecretError``.
    public func set<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) throws(SecretError) {
        try write(key, value, .set, durability)
    }

    /// Replaces a secret that is there.
    ///
    /// - Throws: ``SecretError/store(_:)`` with `absent` where there is none, and what writing throws.
    public func update<Key: LocalStorable>(
        _ key: Key,
        to value: Key.Value,
        durability: LocalDurability? = nil
    ) throws(SecretError) {
        try write(key, value, .replace, durability)
    }

    /// Reads a secret, lets `body` change it, and keeps it, as one step for all threads and processes.
    ///
    /// - Parameters:
    ///   - key: what to change.
    ///   - durability: what the write survives; the store's own where it is `nil`.
    ///   - body: changes the secret; `nil` stands for none. It must be quick, and must not use the same store.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and then nothing has changed, and ``SecretError``.
    @discardableResult
    public func update<Key: LocalStorable, Result>(
        _ key: Key,
        durability: LocalDurability? = nil,
        _ body: (inout Key.Value?) throws -> Result
    ) throws -> Result {
        let store = provider.store(key.store)
        let identifier = try identifier(key.identifier)
        var isBodys = false
        do {
            return try store.update(identifier, as: SealedValue.self, durability: durability) { sealed in
                var value = try sealed.map { try open(Key.Value.self, $0, key.identifier, key.store) }
                value = value ?? key.defaultValue
                isBodys = true
                let result = try body(&value)
                isBodys = false
                sealed = try value.map { try seal($0, key.identifier, key.store) }
                return result
            }
        } catch let error as LocalError where !isBodys {
            throw SecretError.store(error)
        }
    }

    /// Removes a secret; what is left of its sealed bytes in a journal and its backup goes with the next two compactions, or
    /// with ``reseal()``.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``SecretError/store(_:)``.
    @discardableResult
    public func delete(_ key: some LocalStorable, durability: LocalDurability? = nil) throws(SecretError) -> Bool {
        let identifier = try identifier(key.identifier)
        return try SecretError.wrapping { () throws(LocalError) in
            try provider.store(key.store).remove(identifier, durability: durability)
        }
    }

    /// Whether there is a secret, which says nothing of whether it can be opened; a default is none.
    ///
    /// - Throws: ``SecretError/store(_:)``.
    public func contains(_ key: some LocalStorable) throws(SecretError) -> Bool {
        let identifier = try identifier(key.identifier)
        return try SecretError.wrapping { () throws(LocalError) in
            try provider.store(key.store).contains(identifier)
        }
    }

    private func write<Key: LocalStorable>(
        _ key: Key,
        _ value: Key.Value,
        _ rule: LocalWriteRule,
        _ durability: LocalDurability?
    ) throws(SecretError) {
        let identifier = try identifier(key.identifier)
        let sealed = try seal(value, key.identifier, key.store)
        do throws(LocalError) {
            try provider.store(key.store).set(sealed, for: identifier, rule: rule, durability: durability)
        } catch {
            throw .store(error)
        }
    }
}
