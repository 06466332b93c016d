extension JSONDefaults {
    /// Reads a value; none is `nil`.
    public func value<Value: Codable & Sendable>(
        for identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value? {
        guard let bytes = try reading({ journal throws(LocalError) in current(identifier, journal) }) else {
            return nil
        }
        return try decode(type, bytes, identifier)
    }

    /// Writes a value.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for identifier: LocalIdentifier,
        rule: LocalWriteRule,
        durability: LocalDurability?
    ) throws(LocalError) {
        let bytes = try encode(value, identifier)
        if rule == .set, durability ?? options.durability == .none {
            _ = try keepPending(bytes, identifier)
            return
        }
        try written(durability) { journal in
            let old = journal.entries[identifier]?.value
            try rule.check(isPresent: old != nil, identifier: identifier.text, path: self.path)
            // The same bytes again need no writing, only, perhaps, the disk.
            return (old.isSame(as: bytes) ? [] : [JournalFormat.Operation(key: identifier, value: bytes)], ())
        }
    }

    /// Reads a value, lets the block change it, and writes it back, as one step for all threads and processes.
    public func update<Value: Codable & Sendable, Result>(
        _ identifier: LocalIdentifier,
        as type: Value.Type,
        durability: LocalDurability?,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result {
        try writing(durability) { journal in
            let old = journal.entries[identifier]?.value
            var value = try old.map { bytes throws(LocalError) in try decode(type, bytes, identifier) }
            let result = try body(&value)
            let new = try value.map { value throws(LocalError) in try encode(value, identifier) }
            return (new.isSame(as: old) ? [] : [JournalFormat.Operation(key: identifier, value: new)], result)
        }
    }

    /// Removes a value; false where there was none.
    public func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool {
        if durability ?? options.durability == .none { return try keepPending(nil, identifier) }
        return try written(durability) { journal in
            let isPresent = journal.entries[identifier] != nil
            return (isPresent ? [JournalFormat.Operation(key: identifier, value: nil)] : [], isPresent)
        }
    }

    /// Whether there is a value.
    public func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        try reading { journal throws(LocalError) in current(identifier, journal) != nil }
    }

    /// The identifiers of all values, in no particular order.
    public func identifiers() throws(LocalError) -> [String] {
        try reading { journal throws(LocalError) in present(journal).map(\.key.text) }
    }

    /// How many values there are.
    public func count() throws(LocalError) -> Int {
        try reading { journal throws(LocalError) in
            pending.isEmpty ? journal.entries.count : present(journal).count
        }
    }

    /// Removes all values.
    public func removeAll(durability: LocalDurability?) throws(LocalError) {
        try written(max(durability ?? options.durability, .written)) { journal in
            (journal.entries.keys.map { JournalFormat.Operation(key: $0, value: nil) }, ())
        }
        // Nothing of them is left behind.
        try compactNow(keepsBackup: false)
    }

    /// All values whose identifier begins with the prefix, by identifier.
    public func values<Value: Codable & Sendable>(
        of type: Value.Type,
        prefix: String
    ) throws(LocalError) -> [String: Value] {
        let found = try reading { journal throws(LocalError) in
            present(journal).filter { $0.key.text.utf8.starts(with: prefix.utf8) }
        }
        return try decodeAll(type, found)
    }

    /// All values whose identifier begins with `prefix`, in no particular order, for a type with a reader of its own.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the identifiers.
    ///   - read: reads the JSON of a value; where it returns `nil`, `JSONDecoder` decides.
    /// - Returns: the values.
    /// - Throws: ``LocalError``.
    package func values<Value: Codable & Sendable>(
        prefix: String,
        reading read: ([UInt8]) -> Value?
    ) throws(LocalError) -> [Value] {
        let found = try reading { journal throws(LocalError) in
            present(journal).filter { $0.key.text.utf8.starts(with: prefix.utf8) }
        }
        return try readAll(found, read)
    }

    /// Writes what was set with ``LocalDurability/none`` so far, and returns when the disk has everything.
    public func flush() throws(LocalError) {
        try written(.synced) { _ in ([], ()) }
    }

    // MARK: Pending values

    /// The value as this process has it: what is pending goes before what the file says.
    func current(_ identifier: LocalIdentifier, _ journal: Journal) -> [UInt8]? {
        if let value = pending[identifier] { return value }
        return journal.entries[identifier]?.value
    }

    func present(_ journal: Journal) -> [(key: LocalIdentifier, value: [UInt8])] {
        var result: [(key: LocalIdentifier, value: [UInt8])] = []
        result.reserveCapacity(journal.entries.count)
        for (key, entry) in journal.entries where pending[key] == nil { result.append((key, entry.value)) }
        for case (let key, .some(let value)) in pending { result.append((key, value)) }
        return result
    }

    /// Keeps a value, or that there is none, until something is written; tells whether there was a value.
    private func keepPending(_ bytes: [UInt8]?, _ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        let (wasThere, isMuch) = try reading { journal throws(LocalError) in
            let old = current(identifier, journal)
            guard !old.isSame(as: bytes) else { return (old != nil, false) }
            pending[identifier] = .some(bytes)
            pendingBytes += identifier.text.utf8.count + (bytes?.count ?? 0)
            let kind: LocalChange.Kind = bytes == nil ? .removed : .set
            hub.send([journal.change(identifier, kind, by: journal.writer)])
            return (old != nil, pendingBytes > 65_536)
        }
        if isMuch { try written(.written) { _ in ([], ()) } }
        return wasThere
    }
}
