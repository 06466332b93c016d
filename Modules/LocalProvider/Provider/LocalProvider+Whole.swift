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
