extension MemoryCache {
    /// The value for a key; where there is none, the one that `make` makes, which is kept.
    ///
    /// However many ask for the same key at the same time, it is made once. Who is cancelled leaves at once with
    /// `CancellationError`, and the making is cancelled when nobody waits for it any more.
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
        return try await flights.value(for: key) { [weak self] in
            let value = try await make()
            self?.set(value, for: key, cost: cost, expiry: expiry)
            return value
        }
    }
}
