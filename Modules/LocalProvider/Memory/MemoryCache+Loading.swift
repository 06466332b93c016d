import Threading

extension MemoryCache {
    /// The value for a key; where there is none, the one that `make` makes, which is kept.
    ///
    /// However many ask for the same key at the same time, it is made once. Who is cancelled leaves at once with
    /// `CancellationError`, and the making is cancelled when nobody waits for it any more. Where the key is set or removed
    /// while its value is made, those who wait get what is made, and it is not kept.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - cost: what the new value counts against the limit of cost.
    ///   - expiry: when the new value expires; as the cache's options say where it is `nil`.
    ///   - make: makes the value.
    /// - Returns: the value.
    /// - Throws: what `make` throws, to all who wait; nothing is kept then.
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
            // A flight may have landed between the look above and this one's beginning.
            if let self, contains(key), let value = value(for: key) { return value }
            let value = try await make()
            self?.keep(value, for: key, cost: cost, expiry: expiry, of: flight)
            return value
        }
    }

    /// Has writers tell of this key, or of its neighbours, as long as something is being made.
    private func loads(_ key: Key, by change: Int) {
        place(of: key).0.withLock { $0.loads += change }
    }

    /// Keeps what a flight has made, unless the key was set or removed meanwhile: that is newer.
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
