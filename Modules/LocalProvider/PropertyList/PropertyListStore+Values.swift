extension PropertyListStore {
    /// Reads a value; none is `nil`.
    public func value<Value: Codable & Sendable>(
        for identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value? {
        let path = path(for: identifier)
        return try versioned { () throws(LocalError) in
            try decode(type, try wholeContents(path), identifier, path)
        }
    }

    /// Reads a value as a tree, whatever its type; `nil` where there is none.
    ///
    /// - Throws: ``LocalError/corrupt(path:detail:)`` where neither the file nor its backup is whole, and others.
    public func tree(for identifier: LocalIdentifier) throws(LocalError) -> PropertyListValue? {
        let path = path(for: identifier)
        switch try versioned({ () throws(LocalError) in try wholeContents(path) }) {
        case .absent: return nil
        case .sealed(let bytes), .unsealed(let bytes):
            do { return try PropertyListValue(reading: bytes) } catch {
                throw .corrupt(path: path, detail: error.description)
            }
        case .damaged(let detail): throw .corrupt(path: path, detail: detail)
        }
    }

    /// Writes a tree as the value.
    ///
    /// - Parameters:
    ///   - tree: the tree.
    ///   - identifier: the identifier.
    ///   - durability: what the write survives; the store's own where it is `nil`.
    /// - Throws: ``LocalError/unencodable(identifier:path:detail:)`` for what the store's form cannot hold, and others.
    public func setTree(
        _ tree: PropertyListValue,
        for identifier: LocalIdentifier,
        durability: LocalDurability? = nil
    ) throws(LocalError) {
        let bytes: [UInt8]
        do { bytes = try tree.written(as: options.format) } catch {
            throw .unencodable(identifier: identifier.text, path: path(for: identifier), detail: error.description)
        }
        try exclusive { try self.write(bytes, identifier, .set, durability) }
    }

    /// Writes a value.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for identifier: LocalIdentifier,
        rule: LocalWriteRule,
        durability: LocalDurability?
    ) throws(LocalError) {
        let bytes = try encode(value, identifier)
        try exclusive { try self.write(bytes, identifier, rule, durability) }
    }

    /// Reads a value, lets the block change it, and writes it back, as one step for all threads and processes.
    public func update<Value: Codable & Sendable, Result>(
        _ identifier: LocalIdentifier,
        as type: Value.Type,
        durability: LocalDurability?,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result {
        try exclusively {
            let path = path(for: identifier)
            var value = try decode(type, try restored(path), identifier, path)
            let wasThere = value != nil
            let result = try body(&value)
            if let value {
                try write(encode(value, identifier), identifier, .set, durability)
            } else if wasThere {
                try erase(identifier, durability)
            }
            return result
        }
    }

    /// Removes a value; false where there was none.
    public func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool {
        guard try contains(identifier) else { return false }
        return try exclusive { try self.erase(identifier, durability) }
    }

    /// Whether there is a value.
    public func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        try versioned { () throws(LocalError) in try system.outline(of: path(for: identifier)) != nil }
    }

    /// The identifiers of all values, in no particular order.
    public func identifiers() throws(LocalError) -> [String] {
        try versioned { () throws(LocalError) in try identifiersNow() }
    }

    /// Removes all values.
    public func removeAll(durability: LocalDurability?) throws(LocalError) {
        guard try system.outline(of: path) != nil else { return }
        try exclusive {
            for name in try self.identifiersNow() { try self.erase(LocalIdentifier(name), durability) }
        }
    }

    /// As ``identifiers()``, whatever the version of the documents.
    func identifiersNow() throws(LocalError) -> [String] {
        try system.list(path).filter { $0.hasSuffix(Self.suffix) }.compactMap(identifier(ofFile:))
    }

    // MARK: Writing

    /// Writes bytes as the value; the lock is held.
    private func write(
        _ plain: [UInt8],
        _ identifier: LocalIdentifier,
        _ rule: LocalWriteRule,
        _ durability: LocalDurability?
    ) throws(LocalError) {
        let path = path(for: identifier)
        let old = try contents(path)
        if case .absent = old {
            try rule.check(isPresent: false, identifier: identifier.text, path: path)
            try writeName(of: identifier)
        } else {
            try rule.check(isPresent: true, identifier: identifier.text, path: path)
        }
        if case .sealed(plain) = old { return try confirm(path, durability) }
        if case .absent = old {} else { try keepOld(path, isWhole: old.isWhole) }
        try replace(path, with: PropertyListSeal.sealed(plain), durability: durability ?? options.durability)
        changed(identifier, path, .set)
    }

    /// The bytes are there already: only the disk may not have them.
    private func confirm(_ path: String, _ durability: LocalDurability?) throws(LocalError) {
        guard durability ?? options.durability == .synced else { return }
        try system.open(path, .reading)?.synchronise()
        try system.synchroniseFolder(self.path)
    }

    /// Removes the value with all its files; the lock is held.
    @discardableResult
    private func erase(_ identifier: LocalIdentifier, _ durability: LocalDurability?) throws(LocalError) -> Bool {
        let path = path(for: identifier)
        // The backup first: a crash between must not bring back a value that was removed.
        for suffix in [".backup", ".damaged", ".tmp"] { try system.remove(path + suffix) }
        guard try system.remove(path) else { return false }
        let name = SafeFileName.name(for: identifier.text)
        if SafeFileName.isHashed(name) { try system.remove(self.path + "/" + name + ".name") }
        if durability ?? options.durability == .synced { try system.synchroniseFolder(self.path) }
        changed(identifier, path, .removed)
        return true
    }

    /// Keeps the identifier beside the file where its name cannot hold it.
    private func writeName(of identifier: LocalIdentifier) throws(LocalError) {
        let name = SafeFileName.name(for: identifier.text)
        guard SafeFileName.isHashed(name) else { return }
        try replace(path + "/" + name + ".name", with: Array(identifier.text.utf8), durability: .synced)
    }

    func changed(_ identifier: LocalIdentifier, _ path: String, _ kind: LocalChange.Kind) {
        guard isWatching else { return }
        let name = String(path.utf8.dropFirst(self.path.utf8.count + 1)) ?? ""
        known[name] = kind == .removed ? nil : try? system.status(of: path)
        tell(identifier.text, kind, .thisProcess)
    }

    // MARK: Codec

    private func encode(_ value: some Encodable, _ identifier: LocalIdentifier) throws(LocalError) -> [UInt8] {
        do {
            return try PropertyListCoding.encode(value, as: options.format)
        } catch {
            let detail = PropertyListCoding.text(of: error)
            throw .unencodable(identifier: identifier.text, path: path(for: identifier), detail: detail)
        }
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ contents: Contents,
        _ identifier: LocalIdentifier,
        _ path: String
    ) throws(LocalError) -> Value? {
        do {
            switch contents {
            case .absent: return nil
            case .sealed(let bytes): return try PropertyListCoding.decode(type, sealed: bytes)
            case .unsealed(let bytes): return try PropertyListCoding.decode(type, unsealed: bytes)
            case .damaged(let detail): throw LocalError.corrupt(path: path, detail: detail)
            }
        } catch let error as LocalError {
            throw error
        } catch {
            throw .undecodable(identifier: identifier.text, path: path, detail: PropertyListCoding.text(of: error))
        }
    }
}
