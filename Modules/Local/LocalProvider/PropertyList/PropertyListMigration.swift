import SystemCalls

/// The migration of a folder of property lists: the state file, and the steps from one version to the next.
///
/// Everything that a migration writes is first written to the state file, by a rename. From then on the migration is decided:
/// after a crash, the next process finishes what the state file lists. Before, it finds nothing and starts anew. Finishing
/// has the same result however often it is started. Methods that write require the lock of the store.
struct PropertyListMigration: Sendable {
    /// Called after each change of a document with its identifier and its path.
    typealias Observer = (LocalIdentifier, _ path: String, LocalChange.Kind) -> Void

    let folder: PropertyListFolder
    let schema: LocalSchema<PropertyListValue>
    let format: PropertyListFormat

    /// The path of the state file.
    var statePath: String { folder.path + "/" + PropertyListFolder.schemaName }

    // MARK: The state file

    /// Returns the status of the state file, or `nil` if it does not exist.
    func stateStatus() throws(LocalError) -> POSIX.Status? { try folder.system.status(of: statePath) }

    /// Reads the state, from the backup if the file is damaged or missing.
    ///
    /// - Throws: ``LocalError/newerVersion(path:found:supported:)``, ``LocalError/corrupt(path:detail:)``, and other errors.
    func readState() throws(LocalError) -> PropertyListFolderState {
        var found = try state(at: statePath)
        if found == nil { found = try state(at: statePath + ".backup") }
        if found == nil {
            guard try stateStatus() != nil else { return PropertyListFolderState() }
            // Another process may have written it since.
            found = try state(at: statePath)
        }
        guard let state = found else {
            throw .corrupt(path: statePath, detail: "the version of the documents cannot be read")
        }
        guard state.version <= schema.version else {
            throw .newerVersion(path: folder.path, found: state.version, supported: schema.version)
        }
        return state
    }

    private func state(at path: String) throws(LocalError) -> PropertyListFolderState? {
        guard case .sealed(let bytes) = try folder.contents(path) else { return nil }
        return PropertyListFolderState(reading: bytes)
    }

    private func write(_ state: PropertyListFolderState) throws(LocalError) {
        try folder.system.makeFolders(folder.path)
        try folder.replace(statePath, with: encoded(state), durability: .synced)
        try folder.replace(statePath + ".backup", with: encoded(state), durability: .synced)
    }

    private func encoded(_ state: PropertyListFolderState) throws(LocalError) -> [UInt8] {
        do { return try state.written() } catch {
            throw .unencodable(identifier: "", path: statePath, detail: error.description)
        }
    }

    // MARK: Migrating

    /// The changes of a migration.
    struct Plan {
        var state: PropertyListFolderState
        var report: LocalMigrationReport
    }

    /// Runs the steps without writing anything.
    ///
    /// - Parameters:
    ///   - state: the present state.
    ///   - read: returns the content of the document at a path.
    /// - Returns: the changes, or `nil` if there are no documents.
    /// - Throws: ``LocalError``.
    func plan(
        from state: PropertyListFolderState,
        reading read: @escaping (String) throws(LocalError) -> PropertyListFolder.Contents
    ) throws(LocalError) -> Plan? {
        let identifiers = try folder.identifiers().map { name throws(LocalError) in try LocalIdentifier(name) }
        guard !identifiers.isEmpty else { return nil }
        let stored = Set(identifiers)
        var values = LocalMigration<PropertyListValue>(stored) { identifier in
            let path = folder.documentPath(for: identifier)
            return try folder.tree(read(path), path)
        }
        try schema.run(from: state.version, on: &values, path: folder.path)
        var next = PropertyListFolderState(version: schema.version)
        var files: [String: [UInt8]] = [:]
        var changes: [String: LocalMigrationReport.Change] = [:]
        for (identifier, tree) in values.changed {
            let isStored = stored.contains(identifier)
            let name = SafeFileName.name(for: identifier.text)
            guard let tree else {
                guard isStored else { continue }
                next.removed.append(name + PropertyListFolder.documentSuffix)
                if SafeFileName.isHashed(name) { next.removed.append(name + PropertyListFolder.nameSuffix) }
                changes.add(.removed, of: identifier)
                continue
            }
            let path = folder.documentPath(for: identifier)
            let plain: [UInt8]
            do { plain = try tree.written(as: format) } catch {
                throw .unencodable(identifier: identifier.text, path: path, detail: error.description)
            }
            if isStored, case .sealed(plain) = try read(path) { continue }
            files[name + PropertyListFolder.documentSuffix] = PropertyListSeal.sealed(plain)
            if SafeFileName.isHashed(name) {
                files[name + PropertyListFolder.nameSuffix] = Array(identifier.text.utf8)
            }
            changes.add(isStored ? .changed : .added, of: identifier)
        }
        next.files = files
        let report = LocalMigrationReport(
            path: folder.path,
            oldVersion: state.version,
            newVersion: next.version,
            steps: schema.steps.dropFirst(state.version - 1).map(\.name),
            changes: changes,
            backup: folder.path + "/.v\(state.version)"
        )
        return Plan(state: next, report: report)
    }

    /// Migrates the documents to the version of the schema.
    ///
    /// - Parameters:
    ///   - state: the present state; the new one afterwards.
    ///   - read: returns the content of the document at a path, repaired if necessary.
    ///   - observer: called after each change of a document.
    /// - Returns: the report, or `nil` if there are no documents.
    /// - Throws: ``LocalError``.
    func migrate(
        _ state: inout PropertyListFolderState,
        reading read: @escaping (String) throws(LocalError) -> PropertyListFolder.Contents,
        _ observer: Observer?
    ) throws(LocalError) -> LocalMigrationReport? {
        guard let plan = try plan(from: state, reading: read) else {
            state.version = schema.version
            try write(state)
            return nil
        }
        let old = plan.report.oldVersion
        let oldState = old > 1 ? try encoded(PropertyListFolderState(version: old)) : nil
        try folder.archiveDocuments(oldState, in: plan.report.backup)
        try folder.replace(statePath, with: encoded(plan.state), durability: .synced)
        state = plan.state
        try finish(&state, observer)
        return plan.report
    }

    /// Writes the files that the state lists.
    func finish(_ state: inout PropertyListFolderState, _ observer: Observer?) throws(LocalError) {
        let files = state.files ?? [:]
        // In this order, the file with an identifier is written before its document.
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            let path = folder.path + "/" + name
            try folder.replace(path, with: bytes, durability: .written)
            if let observer, let identifier = readableIdentifier(name) { observer(identifier, path, .set) }
        }
        for name in state.removed {
            let path = folder.path + "/" + name
            let identifier = observer == nil ? nil : readableIdentifier(name)
            for suffix in [".backup", ".damaged", ".tmp", ""] { try folder.system.remove(path + suffix) }
            if let observer, let identifier { observer(identifier, path, .removed) }
        }
        // A backup of the old version must not replace a document of the new one. This also makes all names durable.
        try folder.renewBackups()
        state = PropertyListFolderState(version: state.version)
        try write(state)
    }

    private func readableIdentifier(_ name: String) -> LocalIdentifier? {
        guard name.hasSuffix(PropertyListFolder.documentSuffix) else { return nil }
        return ((try? folder.identifier(ofDocument: name)) ?? nil).map(LocalIdentifier.init(unchecked:))
    }
}
