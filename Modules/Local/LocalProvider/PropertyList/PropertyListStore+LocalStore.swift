extension PropertyListStore {
    /// Reads a value; returns `nil` if none is stored.
    public func value<Value: Codable & Sendable>(
        for identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value? {
        let path = path(for: identifier)
        return try withSharedAccess { () throws(LocalError) in
            try decode(type, repairedContents(path), identifier, path)
        }
    }

    /// Reads a value of any type as a tree; returns `nil` if none is stored.
    ///
    /// - Throws: ``LocalError/corrupt(path:detail:)`` if neither the file nor its backup is intact, and other errors.
    public func tree(for identifier: LocalIdentifier) throws(LocalError) -> PropertyListValue? {
        let path = path(for: identifier)
        let contents = try withSharedAccess { () throws(LocalError) in try repairedContents(path) }
        return try folder.tree(contents, path)
    }

    /// Writes a tree as the value.
    ///
    /// - Parameters:
    ///   - tree: the tree.
    ///   - identifier: the identifier.
    ///   - durability: what the write survives; `nil` for the store's default.
    /// - Throws: ``LocalError/unencodable(identifier:path:detail:)`` if the format cannot represent the tree, and other errors.
    public func setTree(
        _ tree: PropertyListValue,
        for identifier: LocalIdentifier,
        durability: LocalDurability? = nil
    ) throws(LocalError) {
        let bytes: [UInt8]
        do { bytes = PropertyListSeal.sealed(try tree.written(as: options.format)) } catch {
            throw .unencodable(identifier: identifier.text, path: path(for: identifier), detail: error.description)
        }
        try withExclusiveAccess(writing: identifier) { () throws(LocalError) in
            try write(bytes, identifier, .set, durability)
        }
    }

    /// Writes a value.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for identifier: LocalIdentifier,
        rule: LocalWriteRule,
        durability: LocalDurability?
    ) throws(LocalError) {
        let bytes = try encode(value, identifier)
        try withExclusiveAccess(writing: identifier) { () throws(LocalError) in
            try write(bytes, identifier, rule, durability)
        }
    }

    /// Reads a value, changes it with `body` and writes it, as one step for all threads and processes.
    public func update<Value: Codable & Sendable, Result>(
        _ identifier: LocalIdentifier,
        as type: Value.Type,
        durability: LocalDurability?,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result {
        try withExclusiveAccess(writing: identifier) { () throws(LocalError) in
            Swift.Result {
                let path = path(for: identifier)
                var value = try decode(type, repair(path), identifier, path)
                let wasPresent = value != nil
                let result = try body(&value)
                if let value {
                    try write(encode(value, identifier), identifier, .set, durability)
                } else if wasPresent {
                    _ = try remove(SafeFileName.name(for: identifier.text), identifier)
                    try synchroniseNames(durability)
                }
                return result
            }
        }.get()
    }

    /// Removes a value; returns whether one was stored.
    public func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool {
        guard try contains(identifier) else { return false }
        return try withExclusiveAccess { () throws(LocalError) in
            let isRemoved = try remove(SafeFileName.name(for: identifier.text), identifier)
            if isRemoved { try synchroniseNames(durability) }
            return isRemoved
        }
    }

    /// Returns whether a value is stored.
    public func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        try withSharedAccess { () throws(LocalError) in try folder.system.outline(of: path(for: identifier)) != nil }
    }

    /// Returns the identifiers of all values, in no particular order.
    public func identifiers() throws(LocalError) -> [String] {
        try withSharedAccess { () throws(LocalError) in try folder.identifiers() }
    }

    /// Removes all values, and their backups, damaged files and archives.
    public func removeAll(durability: LocalDurability?) throws(LocalError) {
        guard try folder.system.outline(of: path) != nil else { return }
        try withExclusiveAccess(migrates: false) { () throws(LocalError) in
            for name in try folder.documentNames() {
                let stem = String(name.dropLast(PropertyListFolder.documentSuffix.count))
                guard PropertyListFolder.isOwn(stem) else { continue }
                _ = try remove(stem, readableIdentifier(ofDocument: name))
            }
            try folder.removeLeftovers()
            try synchroniseNames(durability)
        }
    }

    /// Makes every backup a copy of the present document, and removes the files that were set aside and the archives of
    /// migrations, so that replaced and removed values are in no file. A damaged document and its backup stay.
    ///
    /// - Throws: ``LocalError``.
    public func purge() throws(LocalError) {
        guard try folder.system.outline(of: path) != nil else { return }
        try withExclusiveAccess { () throws(LocalError) in
            try folder.removeLeftovers()
            try folder.renewBackups()
        }
    }

    // MARK: Files

    /// Writes sealed bytes as the value. Access is exclusive.
    private func write(
        _ sealed: [UInt8],
        _ identifier: LocalIdentifier,
        _ rule: LocalWriteRule,
        _ durability: LocalDurability?
    ) throws(LocalError) {
        let path = path(for: identifier)
        let old = try folder.system.contents(of: path)
        try rule.check(isPresent: old != nil, identifier: identifier.text, path: path)
        try folder.storeIdentifier(identifier)
        if old == sealed { return try synchronise(path, durability) }
        let isIntact = old.map { PropertyListFolder.contents(of: $0).isIntact }
        try folder.replace(path, with: sealed, durability: durability ?? options.durability, preserving: isIntact)
        publish(identifier, path, .set)
    }

    /// Makes a file durable that has the right content already.
    private func synchronise(_ path: String, _ durability: LocalDurability?) throws(LocalError) {
        guard durability ?? options.durability == .synced else { return }
        try folder.system.open(path, .reading)?.synchronise()
        try folder.system.synchroniseFolder(self.path)
    }

    private func synchroniseNames(_ durability: LocalDurability?) throws(LocalError) {
        if durability ?? options.durability == .synced { try folder.system.synchroniseFolder(path) }
    }

    /// Removes a document and publishes that. Access is exclusive.
    private func remove(_ stem: String, _ identifier: LocalIdentifier?) throws(LocalError) -> Bool {
        guard try folder.removeDocument(stem) else { return false }
        if let identifier { publish(identifier, path + "/" + stem + PropertyListFolder.documentSuffix, .removed) }
        return true
    }

    private func readableIdentifier(ofDocument name: String) throws(LocalError) -> LocalIdentifier? {
        do {
            return try folder.identifier(ofDocument: name).map(LocalIdentifier.init(unchecked:))
        } catch .corrupt {
            return nil
        }
    }

    // MARK: Coding

    /// Returns the bytes of a value with a checksum.
    private func encode(_ value: some Encodable, _ identifier: LocalIdentifier) throws(LocalError) -> [UInt8] {
        do {
            return PropertyListSeal.sealed(try PropertyListCoding.encode(value, as: options.format))
        } catch {
            let detail = PropertyListCoding.text(of: error)
            throw .unencodable(identifier: identifier.text, path: path(for: identifier), detail: detail)
        }
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ contents: PropertyListFolder.Contents,
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
}
