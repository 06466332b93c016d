extension JSONDefaults {
    /// Reads a value; returns `nil` if none is stored.
    public func value<Value: Codable & Sendable>(
        for identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value? {
        let bytes = try withSharedAccess { journal throws(LocalError) in
            deferred.value(for: identifier, in: journal.entries)
        }
        guard let bytes else { return nil }
        return try codec.decode(type, bytes, identifier)
    }

    /// Writes a value. Bytes that are stored already are not written again.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for identifier: LocalIdentifier,
        rule: LocalWriteRule,
        durability: LocalDurability?
    ) throws(LocalError) {
        let bytes = try codec.encode(value, identifier)
        if rule == .set, durability ?? options.durability == .deferred {
            _ = try deferChange(bytes, identifier)
            return
        }
        try withExclusiveAccess(durability) { journal throws(LocalError) in
            let old = journal.entries[identifier]
            try rule.check(isPresent: old != nil, identifier: identifier.text, path: path)
            if !old.isSame(as: bytes) { try commitChanges([JournalFormat.Operation(key: identifier, value: bytes)]) }
        }
    }

    /// Reads a value, changes it with `body` and writes it, as one step for all threads and processes.
    public func update<Value: Codable & Sendable, Result>(
        _ identifier: LocalIdentifier,
        as type: Value.Type,
        durability: LocalDurability?,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result {
        try withExclusiveAccess(
            durability,
            throwing: { journal in
                let old = journal.entries[identifier]
                var value = try old.map { bytes throws(LocalError) in try codec.decode(type, bytes, identifier) }
                let result = try body(&value)
                let new = try value.map { value throws(LocalError) in try codec.encode(value, identifier) }
                if !new.isSame(as: old) { try commitChanges([JournalFormat.Operation(key: identifier, value: new)]) }
                return result
            }
        )
    }

    /// Removes a value; returns whether one was stored.
    public func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool {
        if durability ?? options.durability == .deferred { return try deferChange(nil, identifier) }
        guard try !isUnused() else { return false }
        do throws(LocalError) {
            return try withExclusiveAccess(durability) { journal throws(LocalError) in
                guard journal.entries[identifier] != nil else { return false }
                try commitChanges([JournalFormat.Operation(key: identifier, value: nil)])
                return true
            }
        } catch {
            guard case .full = error, let wasStored = try removeBeforeDeferredChanges(identifier, durability) else {
                throw error
            }
            return wasStored
        }
    }

    /// Returns whether a value is stored.
    public func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        try withSharedAccess { journal throws(LocalError) in
            deferred.value(for: identifier, in: journal.entries) != nil
        }
    }

    /// Returns the identifiers of all values, in no particular order.
    public func identifiers() throws(LocalError) -> [String] { try pairs().map(\.key.text) }

    /// Returns the number of values.
    public func count() throws(LocalError) -> Int {
        try withSharedAccess { journal throws(LocalError) in
            deferred.isEmpty ? journal.entries.count : deferred.pairs(in: journal.entries).count
        }
    }

    /// Removes all values. Nothing of them is in any file afterwards.
    ///
    /// - Throws: ``LocalError``. If the error is that of ``purge()``, the values are removed, and bytes of them may
    ///   be left.
    public func removeAll(durability: LocalDurability?) throws(LocalError) {
        guard try !isUnused() else { return }
        do throws(LocalError) {
            try withExclusiveAccess(max(durability ?? options.durability, .written)) { journal throws(LocalError) in
                try commitChanges(journal.entries.all.keys.map { JournalFormat.Operation(key: $0, value: nil) })
            }
        } catch {
            guard case .full = error else { throw error }
            try removeAllOnFullDisk()
        }
        try purge()
    }

    /// Returns the values whose identifiers begin with the prefix, by identifier.
    public func values<Value: Codable & Sendable>(
        of type: Value.Type,
        prefix: String
    ) throws(LocalError) -> [String: Value] { try codec.decodeAll(type, pairs(prefix)) }

    /// Returns the values whose identifiers begin with the prefix, and an error for each value that cannot be decoded.
    public func readableValues<Value: Codable & Sendable>(
        of type: Value.Type,
        prefix: String
    ) throws(LocalError) -> LocalValues<Value> { codec.decodeReadable(type, try pairs(prefix)) }

    /// Returns the values whose identifiers begin with `prefix`, in no particular order, for a type with its own reader.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the identifiers.
    ///   - read: reads the JSON of a value; if it returns `nil`, `JSONDecoder` reads it.
    /// - Returns: the values.
    /// - Throws: ``LocalError`` for the first value that cannot be decoded.
    package func values<Value: Codable & Sendable>(
        prefix: String,
        reading read: ([UInt8]) -> Value?
    ) throws(LocalError) -> [Value] { try codec.readAll(pairs(prefix), read) }

    /// Returns values as ``values(prefix:reading:)``, and an error by identifier for each value that cannot be decoded.
    ///
    /// - Throws: ``LocalError`` if the store itself cannot be read.
    package func readableValues<Value: Codable & Sendable>(
        prefix: String,
        reading read: ([UInt8]) -> Value?
    ) throws(LocalError) -> (values: [Value], failures: [String: LocalError]) {
        codec.readReadable(try pairs(prefix), read)
    }

    /// Writes the deferred changes, and returns when all changes are on the disk.
    public func flush() throws(LocalError) {
        guard try !isUnused() else { return }
        try withExclusiveAccess(.synced) { _ throws(LocalError) in }
    }

    func pairs(_ prefix: String = "") throws(LocalError) -> [JournalEntries.Pair] {
        try withSharedAccess { journal throws(LocalError) in deferred.pairs(in: journal.entries, prefix: prefix) }
    }

    /// Defers a change; `nil` removes the value. Returns whether a value was stored.
    private func deferChange(_ bytes: [UInt8]?, _ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        if bytes != nil { try journal.checkSize(of: [JournalFormat.Operation(key: identifier, value: bytes)]) }
        let (wasPresent, isLarge) = try withSharedAccess { journal throws(LocalError) in
            let old = deferred.value(for: identifier, in: journal.entries)
            guard !old.isSame(as: bytes) else { return (old != nil, false) }
            deferred.set(bytes, for: identifier)
            publishDeferred(bytes == nil ? .removed : .set, of: identifier)
            return (old != nil, deferred.isLarge)
        }
        // The change is made already: if it cannot be written now, only a later write reports that.
        if isLarge, (try? withExclusiveAccess(.written) { _ throws(LocalError) in }) == nil {
            postponeDeferredChanges()
        }
        return wasPresent
    }
}
