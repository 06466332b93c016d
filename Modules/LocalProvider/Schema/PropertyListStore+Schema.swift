import Locking

extension PropertyListStore {
    /// What was last seen of the file that holds the version.
    struct SeenSchema {
        var status: FileStatus?
        var state: PropertyListFolderState
    }

    var schemaPath: String { path + "/.schema" }

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

    // MARK: Migrating

    private struct Plan {
        var state: PropertyListFolderState
        var report: LocalMigrationReport
    }

    /// Runs the steps on a view of the documents; `nil` where there are none.
    private func plan(
        from state: PropertyListFolderState,
        reading read: @escaping (String) throws(LocalError) -> Contents
    ) throws(LocalError) -> Plan? {
        let identifiers = try identifiersNow().map { name throws(LocalError) in try LocalIdentifier(name) }
        guard !identifiers.isEmpty else { return nil }
        var values = LocalMigration<PropertyListValue>(Set(identifiers)) { identifier in
            switch try read(self.path(for: identifier)) {
            case .sealed(let bytes), .unsealed(let bytes): try PropertyListValue(reading: bytes)
            case .absent, .damaged: nil
            }
        }
        try options.schema.run(from: state.version, on: &values, path: path)
        var next = PropertyListFolderState(version: options.schema.version)
        var files: [String: [UInt8]] = [:]
        var changes: [String: LocalMigrationReport.Change] = [:]
        for (identifier, tree) in values.changed {
            let isThere = identifiers.contains(identifier)
            let name = SafeFileName.name(for: identifier.text)
            guard let tree else {
                guard isThere else { continue }
                next.removed.append(name + Self.suffix)
                if SafeFileName.isHashed(name) { next.removed.append(name + ".name") }
                changes[identifier.text] = .removed
                continue
            }
            let plain: [UInt8]
            do { plain = try tree.written(as: options.format) } catch {
                throw .unencodable(identifier: identifier.text, path: path(for: identifier), detail: error.description)
            }
            if isThere, case .sealed(plain) = try read(path(for: identifier)) { continue }
            files[name + Self.suffix] = PropertyListSeal.sealed(plain)
            if SafeFileName.isHashed(name) { files[name + ".name"] = Array(identifier.text.utf8) }
            changes[identifier.text] = isThere ? .changed : .added
        }
        next.files = files
        let report = LocalMigrationReport(
            path: path,
            oldVersion: state.version,
            newVersion: next.version,
            steps: options.schema.steps.dropFirst(state.version - 1).map(\.name),
            changes: changes,
            backup: path + "/.v\(state.version)"
        )
        return Plan(state: next, report: report)
    }

    /// Brings the documents to the schema's version; the lock is held.
    ///
    /// All that will be written is put into one file first, by a rename: that is the moment which decides. Whoever comes
    /// after a crash finishes what is in it, or finds nothing and begins anew.
    private func migrate(_ state: inout PropertyListFolderState) throws(LocalError) {
        guard let plan = try plan(from: state, reading: restored) else {
            state.version = options.schema.version
            return try write(state)
        }
        try keepOld(in: plan.report.backup)
        try replace(schemaPath, with: encoded(plan.state), durability: .synced)
        state = plan.state
        try finish(&state)
        migration = plan.report
        options.onMigration?(plan.report)
    }

    /// Writes what is pending; as often as it is begun, the end is the same.
    private func finish(_ state: inout PropertyListFolderState) throws(LocalError) {
        let files = state.files ?? [:]
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            // The identifier of a name that does not hold it has to be there first.
            try replace(path + "/" + name, with: bytes, durability: .synced)
            if let identifier = identifier(ofFile: name), name.hasSuffix(Self.suffix) {
                changed(LocalIdentifier(unchecked: identifier), path + "/" + name, .set)
            }
        }
        for name in state.removed {
            let identifier = name.hasSuffix(Self.suffix) ? identifier(ofFile: name) : nil
            for suffix in [".backup", ".damaged", ".tmp", ""] { try system.remove(path + "/" + name + suffix) }
            if let identifier { changed(LocalIdentifier(unchecked: identifier), path + "/" + name, .removed) }
        }
        // A backup of the old version must not stand in for a document of the new one.
        try renewBackups()
        state = PropertyListFolderState(version: state.version)
        try write(state)
    }

    private func write(_ state: PropertyListFolderState) throws(LocalError) {
        try system.makeFolders(path)
        try replace(schemaPath, with: encoded(state), durability: .synced)
        try replace(schemaPath + ".backup", with: encoded(state), durability: .synced)
    }

    private func encoded(_ state: PropertyListFolderState) throws(LocalError) -> [UInt8] {
        do { return try state.written() } catch {
            throw .unencodable(identifier: "", path: schemaPath, detail: error.description)
        }
    }

    /// Copies all documents as they are into a folder of their own, which a store of the old version can open.
    private func keepOld(in folder: String) throws(LocalError) {
        try system.makeFolders(folder)
        let names = try system.list(path).filter { $0.hasSuffix(Self.suffix) || $0.hasSuffix(".name") }
        for name in names {
            guard let bytes = try system.contents(of: path + "/" + name) else { continue }
            try replace(folder + "/" + name, with: bytes, durability: .synced)
        }
        // From an attempt that was cut short: what is not there any more.
        for name in try system.list(folder) where !names.contains(name) { try system.remove(folder + "/" + name) }
        try system.synchroniseFolder(folder)
    }
}
