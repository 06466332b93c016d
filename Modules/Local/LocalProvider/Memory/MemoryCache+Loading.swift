import Threading

extension MemoryCache {
    /// Returns the value for a key; if no value is stored, loads it with `make` and stores it.
    ///
    /// Callers that request the same key at the same time share one load. A caller that is cancelled returns at once
    /// with `CancellationError`; the load is cancelled when no caller waits for it. If the key is set or removed
    /// during the load, the callers receive the loaded value, and it is not stored.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - cost: the cost of the new value.
    ///   - expiry: the expiry of the new value; `nil` for the default of the cache.
    ///   - make: loads the value.
    /// - Returns: the value.
    /// - Throws: the error of `make`, to all callers that wait; nothing is stored then.
    public func value(
        for key: Key,
        cost: Int = 0,
        expiry: CacheExpiry? = nil,
        orInsert make: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let value = value(for: key) { return value }
        return try await flights.value(for: key) { [weak self] flight in
            self?.loads(key, by: 1)
            defer { self?.loads(key, by: -1) }
            // Another load may have ended since the value was looked up.
            if let self, contains(key), let value = value(for: key) { return value }
            let value = try await make()
            self?.keep(value, for: key, cost: cost, expiry: expiry, of: flight)
            return value
        }
    }

    /// Changes the number of loads in the shard of a key; while there are any, writers report their keys.
    private func loads(_ key: Key, by change: Int) { place(of: key).0.withLock { $0.loads += change } }

    /// Stores the loaded value, unless the key was set or removed since.
    private func keep(_ value: Value, for key: Key, cost: Int, expiry: CacheExpiry?, of flight: Int) {
        let (shard, hash) = place(of: key)
        let life = life(expiry)
        var released = CacheShard<Key, Value>.Released()
        shard.withLock { shard in
            guard flights.isCurrent(flight) else { return }
            _ = shard.set(value, for: key, hash, cost: max(0, cost), life: life, released: &released)
        }
    }
}
