extension PropertyListStore {
    /// What a migration is going to do.
    struct Plan {
        var state: PropertyListFolderState
        var report: LocalMigrationReport
    }

    /// Runs the steps on a view of the documents; `nil` where there are none.
    func plan(
        from state: PropertyListFolderState,
        reading read: @escaping (String) throws(LocalError) -> Contents
    ) throws(LocalError) -> Plan? {
        let identifiers = try identifiersNow().map { name throws(LocalError) in try LocalIdentifier(name) }
        guard !identifiers.isEmpty else { return nil }
        var values = LocalMigration<PropertyListValue>(Set(identifiers)) { identifier in
            let path = self.path(for: identifier)
            return try self.tree(read(path), path)
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
                if SafeFileName.isHashed(name) { next.removed.append(name + Self.nameSuffix) }
                changes[identifier.text] = .removed
                continue
            }
            let plain: [UInt8]
            do { plain = try tree.written(as: options.format) } catch {
                throw .unencodable(identifier: identifier.text, path: path(for: identifier), detail: error.description)
            }
            if isThere, case .sealed(plain) = try read(path(for: identifier)) { continue }
            files[name + Self.suffix] = PropertyListSeal.sealed(plain)
            if SafeFileName.isHashed(name) { files[name + Self.nameSuffix] = Array(identifier.text.utf8) }
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
    func migrate(_ state: inout PropertyListFolderState) throws(LocalError) {
        guard let plan = try plan(from: state, reading: restored) else {
            state.version = options.schema.version
            return try write(state)
        }
        try keepOld(plan.report.oldVersion, in: plan.report.backup)
        try replace(schemaPath, with: encoded(plan.state), durability: .synced)
        state = plan.state
        try finish(&state)
        migration = plan.report
        options.onMigration?(plan.report)
    }

    /// Writes what is pending; as often as it is begun, the end is the same.
    func finish(_ state: inout PropertyListFolderState) throws(LocalError) {
        let files = state.files ?? [:]
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            // The identifier of a name that does not hold it has to be there first.
            try replace(path + "/" + name, with: bytes, durability: .written)
            if let identifier = identifierToTell(ofFile: name) { changed(identifier, path + "/" + name, .set) }
        }
        for name in state.removed {
            let identifier = identifierToTell(ofFile: name)
            for suffix in [".backup", ".damaged", ".tmp", ""] { try system.remove(path + "/" + name + suffix) }
            if let identifier { changed(identifier, path + "/" + name, .removed) }
        }
        // A backup of the old version must not stand in for a document of the new one; then all names are on the disk, too.
        try renewBackups()
        state = PropertyListFolderState(version: state.version)
        try write(state)
    }

    private func write(_ state: PropertyListFolderState) throws(LocalError) {
        try system.makeFolders(path)
        try replace(schemaPath, with: encoded(state), durability: .synced)
        try replace(schemaPath + ".backup", with: encoded(state), durability: .synced)
    }

    func encoded(_ state: PropertyListFolderState) throws(LocalError) -> [UInt8] {
        do { return try state.written() } catch {
            throw .unencodable(identifier: "", path: schemaPath, detail: error.description)
        }
    }

    /// The identifier of a document for the listeners; `nil` where it cannot be read.
    func identifierToTell(ofFile name: String) -> LocalIdentifier? {
        guard isWatching, name.hasSuffix(Self.suffix) else { return nil }
        return ((try? identifier(ofFile: name)) ?? nil).map(LocalIdentifier.init(unchecked:))
    }
}
