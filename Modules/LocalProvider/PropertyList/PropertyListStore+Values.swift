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
        return try tree(try versioned { () throws(LocalError) in try wholeContents(path) }, path)
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
                try erase(SafeFileName.name(for: identifier.text), identifier)
                try synchroniseNames(durability)
            }
            return result
        }
    }

    /// Removes a value; false where there was none.
    public func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool {
        guard try contains(identifier) else { return false }
        return try exclusive {
            let isRemoved = try self.erase(SafeFileName.name(for: identifier.text), identifier)
            if isRemoved { try self.synchroniseNames(durability) }
            return isRemoved
        }
    }

    /// Whether there is a value.
    public func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        try versioned { () throws(LocalError) in try system.outline(of: path(for: identifier)) != nil }
    }

    /// The identifiers of all values, in no particular order.
    public func identifiers() throws(LocalError) -> [String] {
        try versioned { () throws(LocalError) in try identifiersNow() }
    }

    /// Removes all values, and what is left of earlier ones: backups, damaged files, the documents from before migrations.
    public func removeAll(durability: LocalDurability?) throws(LocalError) {
        guard try system.outline(of: path) != nil else { return }
        try exclusive { try self.eraseAll(durability) }
    }

    /// As ``identifiers()``, whatever the version of the documents.
    func identifiersNow() throws(LocalError) -> [String] {
        var identifiers: [String] = []
        for name in try fileNames() {
            if let identifier = try identifier(ofFile: name) { identifiers.append(identifier) }
        }
        return identifiers
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
        } else {
            try rule.check(isPresent: true, identifier: identifier.text, path: path)
        }
        try writeName(of: identifier)
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

    func synchroniseNames(_ durability: LocalDurability?) throws(LocalError) {
        if durability ?? options.durability == .synced { try system.synchroniseFolder(path) }
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
            case .sealed(let bytes): return try PropertyListCoding.decode(type, from: bytes)
            case .unsealed(let tree): return try PropertyListCoding.decode(type, from: tree)
            case .damaged(let detail): throw LocalError.corrupt(path: path, detail: detail)
            }
        } catch let error as LocalError {
            throw error
        } catch let problem as PropertyListProblem {
            throw .corrupt(path: path, detail: problem.description)
        } catch {
            throw .undecodable(identifier: identifier.text, path: path, detail: PropertyListCoding.text(of: error))
        }
    }

    /// What is in a file's contents; `nil` where there is no file.
    func tree(_ contents: Contents, _ path: String) throws(LocalError) -> PropertyListValue? {
        if case .damaged(let detail) = contents { throw .corrupt(path: path, detail: detail) }
        do { return try contents.tree() } catch { throw .corrupt(path: path, detail: error.description) }
    }
}
