import Locking

extension PropertyListStore {
    /// What was last seen of the file that holds the version.
    struct SeenSchema {
        var status: FileStatus?
        var state: PropertyListFolderState
    }

    /// The name of the file that holds the version.
    static var schemaName: String { ".schema" }
    var schemaPath: String { path + "/" + Self.schemaName }

    /// Brings the documents of an earlier schema version to the program's, which otherwise the first use does.
    ///
    /// - Returns: what this store has migrated since it was created; `nil` where there was nothing to do.
    /// - Throws: ``LocalError/migrationFailed(path:version:step:detail:)``, ``LocalError/newerVersion(path:found:supported:)``,
    ///   and what reading and writing throw; the documents are then as they were.
    @discardableResult
    public func migrate() throws(LocalError) -> LocalMigrationReport? {
        _ = try settle()
        return monitor.locked { migration }
    }

    /// What ``migrate()`` would do. Nothing is written, locked or repaired.
    ///
    /// - Returns: what would change; `nil` where there is nothing to do.
    /// - Throws: as ``migrate()``.
    public func migrationPlan() throws(LocalError) -> LocalMigrationReport? {
        let state = try readState()
        guard state.version < options.schema.version else { return nil }
        return try plan(from: state) { path throws(LocalError) in
            let contents = try self.contents(path)
            guard case .damaged(let detail) = contents else { return contents }
            let backup = try self.contents(path + ".backup")
            guard backup.isWhole else { throw .corrupt(path: path, detail: detail) }
            return backup
        }?.report
    }

    // MARK: Before each access

    /// Runs `body` on documents of the program's version.
    func versioned<Result>(_ body: () throws(LocalError) -> Result) throws(LocalError) -> Result {
        while true {
            let seen = try settle()
            let result = Swift.Result { () throws(LocalError) in try body() }
            // A newer program may have come in between, and have changed what was read.
            if try system.status(of: schemaPath) == seen { return try result.get() }
        }
    }

    /// Makes sure that the documents are of the program's version.
    ///
    /// - Returns: the file that holds the version, as it is now.
    /// - Throws: ``LocalError``.
    private func settle() throws(LocalError) -> FileStatus? {
        let status = try system.status(of: schemaPath)
        let supported = options.schema.version
        if let seen = seenSchema.withLock({ $0 }), seen.status == status, !seen.state.isPending,
            seen.state.version == supported
        {
            return status
        }
        let state = try readState()
        if !state.isPending, state.version == supported {
            seenSchema.withLock { $0 = SeenSchema(status: status, state: state) }
            return status
        }
        // An empty folder gets its version when something is first kept.
        if !state.isPending, try identifiersNow().isEmpty { return status }
        try exclusive {}
        return try system.status(of: schemaPath)
    }

    /// As ``settle()``, for who holds the lock.
    func settleExclusively() throws(LocalError) {
        let status = try system.status(of: schemaPath)
        if let seen = seenSchema.withLock({ $0 }), seen.status == status, !seen.state.isPending,
            seen.state.version == options.schema.version
        {
            return
        }
        var state = try readState()
        if state.isPending { try finish(&state) }
        if state.version < options.schema.version { try migrate(&state) }
        let written = try system.status(of: schemaPath)
        seenSchema.withLock { $0 = SeenSchema(status: written, state: state) }
    }

    /// Reads the version, from the backup where the file is damaged or gone.
    private func readState() throws(LocalError) -> PropertyListFolderState {
        let found = try state(at: schemaPath)
        let backup = found == nil ? try state(at: schemaPath + ".backup") : nil
        guard let state = found ?? backup else {
            guard try system.status(of: schemaPath) == nil else {
                throw .corrupt(path: schemaPath, detail: "the version of the documents cannot be read")
            }
            return PropertyListFolderState()
        }
        guard state.version <= options.schema.version else {
            throw .newerVersion(path: path, found: state.version, supported: options.schema.version)
        }
        return state
    }

    private func state(at path: String) throws(LocalError) -> PropertyListFolderState? {
        guard case .sealed(let bytes) = try contents(path) else { return nil }
        return PropertyListFolderState(reading: bytes)
    }
}
