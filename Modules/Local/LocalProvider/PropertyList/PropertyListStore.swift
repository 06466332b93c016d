import SystemCalls
import Threading

/// A store with one property list file for each value.
///
/// A write replaces the file by a new one, and the old one becomes the backup; after a crash, either of the two is in place.
/// Each file has a checksum that other programs ignore. Files of other programs have none and are read if they are intact. A
/// damaged file is set aside and replaced by its backup. That includes a file that was edited by hand without deleting its
/// checksum, since the two cannot be distinguished.
///
/// The files for an identifier `x`: `x.plist`, `x.plist.backup`, `x.plist.damaged` if damage was found, and for an identifier
/// that is too long for a file name `x.name`. The folder has one `.lock` for all, and `.schema` with the version.
public final class PropertyListStore: LocalStore, @unchecked Sendable {
    /// The options of a store.
    public struct Options: Sendable {
        /// The format of written files. Both formats are read.
        public var format = PropertyListFormat.binary
        /// The durability of writes that specify none. ``LocalDurability/deferred`` has the effect of
        /// ``LocalDurability/written``.
        public var durability = LocalDurability.synced
        /// The time limit for waiting for another process that holds the lock.
        public var lockTimeLimit = Duration.seconds(5)
        /// The schema version of the documents, and the migrations to it.
        public var schema = LocalSchema<PropertyListValue>()
        /// Called after each migration, on the thread that migrated.
        public var onMigration: (@Sendable (LocalMigrationReport) -> Void)?
        /// Called after each repair, on the thread that repaired.
        public var onRecovery: (@Sendable (LocalRecovery) -> Void)?

        /// Creates the default options.
        public init() {}
    }

    /// ``LocalStoreKind/propertyList``.
    public let kind = LocalStoreKind.propertyList
    /// The path of the folder.
    public var path: String { folder.path }

    let options: Options
    let folder: PropertyListFolder
    private let migrations: PropertyListMigration
    private let hub = LocalChangeHub()
    private let lock: FileLock
    /// Guards the properties below, and is held by every write.
    private let monitor = Monitor()
    private var watcher: FolderWatcher?
    /// The documents as they were last seen, while the store is observed: other processes have made later differences. The
    /// identifier of a removed document may be in no file any more.
    private var known: [String: (status: POSIX.Status, identifier: String?)] = [:]
    private var repaired: [LocalRecovery] = []
    private var migration: LocalMigrationReport?
    /// The state file as it was last read. Has its own lock, since reading requires no other.
    private let lastState = Locked<(status: POSIX.Status?, state: PropertyListFolderState)?>(nil)

    /// Creates a store. No file is accessed before the first use.
    ///
    /// - Parameters:
    ///   - location: the folder, which should contain nothing else.
    ///   - options: the options.
    public convenience init(location: FileStoreLocation, options: Options = Options()) {
        self.init(location: location, options: options, system: FileSystem())
    }

    package init(location: FileStoreLocation, options: Options, system: FileSystem) {
        self.options = options
        folder = PropertyListFolder(path: location.path, system: system)
        migrations = PropertyListMigration(folder: folder, schema: options.schema, format: options.format)
        lock = FileLock(path: location.path + "/.lock", timeLimit: options.lockTimeLimit, system: system)
    }

    /// The damage that was found and repaired so far.
    public var recoveries: [LocalRecovery] { monitor.locked { repaired } }

    /// Returns the path of the file for an identifier, whether or not it exists.
    public func path(for identifier: LocalIdentifier) -> String { folder.documentPath(for: identifier) }

    // MARK: Access

    /// Runs `body` on documents of the current version. Other processes may write at the same time.
    func withSharedAccess<Result>(_ body: () throws(LocalError) -> Result) throws(LocalError) -> Result {
        while true {
            let status = try migrateIfNeeded()
            let result = Swift.Result { () throws(LocalError) in try body() }
            // A newer program may have migrated the documents since.
            if try migrations.stateStatus() == status { return try result.get() }
        }
    }

    /// Runs `body` while no other thread or process can write.
    ///
    /// - Parameters:
    ///   - identifier: the identifier of the document that is written. Its file is written first if it is lost: no migration
    ///     is possible without it.
    ///   - migrates: whether the documents are migrated to the current version; false for what removes them all.
    ///   - body: reads and writes documents.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, and the errors of locking and migrating.
    func withExclusiveAccess<Result>(
        writing identifier: LocalIdentifier? = nil,
        migrates: Bool = true,
        _ body: () throws(LocalError) -> Result
    ) throws(LocalError) -> Result {
        try lock.acquire()
        defer { lock.release() }
        monitor.lock()
        defer { monitor.unlock() }
        try prepareExclusively(writing: identifier, migrates: migrates)
        return try body()
    }

    /// Returns the content of a document; replaces it by its backup if it is damaged.
    func repairedContents(_ path: String) throws(LocalError) -> PropertyListFolder.Contents {
        let contents = try folder.contents(path)
        guard case .damaged = contents else { return contents }
        do throws(LocalError) {
            return try withExclusiveAccess { () throws(LocalError) in try repair(path) }
        } catch {
            // Nothing can be repaired here; the backup can be read all the same.
            switch error {
            case .notPermitted, .full: return try folder.contentsOrBackup(path)
            default: throw error
            }
        }
    }

    /// Returns the content of a document; replaces it by its backup if it is damaged. Access is exclusive.
    func repair(_ path: String) throws(LocalError) -> PropertyListFolder.Contents {
        let (contents, recovery) = try folder.repair(path)
        if let recovery {
            repaired.append(recovery)
            options.onRecovery?(recovery)
            let name = FileSystem.name(of: path)
            if isObserved, let identifier = (try? folder.identifier(ofDocument: name)) ?? nil {
                publish(LocalIdentifier(unchecked: identifier), path, .set)
            }
        }
        return contents
    }

    // MARK: Migration

    /// Migrates the documents to the schema version of the program, which otherwise the first use does.
    ///
    /// - Returns: the migration that this store has done since it was created, or `nil` if none was necessary.
    /// - Throws: ``LocalError/migrationFailed(path:version:step:detail:)``, ``LocalError/newerVersion(path:found:supported:)``,
    ///   and the errors of reading and writing. The documents are then unchanged.
    @discardableResult
    public func migrate() throws(LocalError) -> LocalMigrationReport? {
        _ = try migrateIfNeeded()
        return monitor.locked { migration }
    }

    /// Returns what ``migrate()`` would change, or `nil` if nothing. Nothing is written, locked or repaired.
    ///
    /// - Throws: as ``migrate()``.
    public func migrationPlan() throws(LocalError) -> LocalMigrationReport? {
        let state = try migrations.readState()
        guard state.version < options.schema.version else { return nil }
        let plan = try migrations.plan(from: state) { path throws(LocalError) in
            try self.folder.contentsOrBackup(path)
        }
        return plan?.report
    }

    /// Whether the state file has not changed since it was read as current.
    private func isCurrent(_ status: POSIX.Status?) -> Bool {
        guard let last = lastState.withLock({ $0 }) else { return false }
        return last.status == status && !last.state.isPending && last.state.version == options.schema.version
    }

    /// Migrates the documents if they have another version than the program.
    ///
    /// - Returns: the status of the state file.
    private func migrateIfNeeded() throws(LocalError) -> POSIX.Status? {
        let status = try migrations.stateStatus()
        if isCurrent(status) { return status }
        let state = try migrations.readState()
        if !state.isPending, state.version == options.schema.version {
            lastState.withLock { $0 = (status, state) }
            return status
        }
        // An empty folder gets its version when the first value is stored.
        if !state.isPending, try folder.identifiers().isEmpty { return status }
        try withExclusiveAccess { () throws(LocalError) in }
        return try migrations.stateStatus()
    }

    private func prepareExclusively(writing identifier: LocalIdentifier?, migrates: Bool) throws(LocalError) {
        guard try !isCurrent(migrations.stateStatus()) else { return }
        var state = try migrations.readState()
        var observer: PropertyListMigration.Observer?
        if isObserved { observer = { self.publish($0, $1, $2) } }
        if state.isPending { try migrations.finish(&state, observer) }
        if migrates, state.version < options.schema.version {
            if let identifier, try folder.system.outline(of: path(for: identifier)) != nil {
                try folder.storeIdentifier(identifier)
            }
            let report = try migrations.migrate(
                &state,
                reading: { path throws(LocalError) in try self.repair(path) },
                observer
            )
            if let report {
                migration = report
                options.onMigration?(report)
            }
        }
        let status = try migrations.stateStatus()
        lastState.withLock { $0 = (status, state) }
    }

    // MARK: Observation

    /// Returns a new stream of every change from now on, by this or another process.
    public func changes() -> AsyncStream<LocalChange> {
        let stream = hub.stream()
        monitor.locked {
            guard watcher == nil else { return }
            // The files are listed after the watcher has begun, so that nothing is missed.
            watcher = FolderWatcher(path) { [weak self] names in self?.findChanges(names) }
            for name in (try? folder.documentNames()) ?? [] {
                note(name, (try? folder.identifier(ofDocument: name)) ?? nil)
            }
        }
        return stream
    }

    /// Notes a document as it is now.
    private func note(_ name: String, _ identifier: String?) {
        known[name] = (try? folder.system.status(of: path + "/" + name)).map { ($0, identifier) }
    }

    private var isObserved: Bool { watcher != nil }

    /// Publishes the changes of other processes in the files of these names, or in all files.
    private func findChanges(_ names: Set<String>?) {
        monitor.lock()
        defer { monitor.unlock() }
        let candidates = names ?? Set((try? folder.documentNames()) ?? []).union(known.keys)
        for name in candidates where name.hasSuffix(PropertyListFolder.documentSuffix) {
            let status = try? folder.system.status(of: path + "/" + name)
            // A document whose identifier cannot be read now is reported when it can.
            guard status != known[name]?.status,
                let identifier = (try? folder.identifier(ofDocument: name)) ?? known[name]?.identifier
            else { continue }
            known[name] = status.map { ($0, identifier) }
            send(identifier, status == nil ? .removed : .set, .anotherProcess)
        }
    }

    /// Publishes a change that this store has made. Access is exclusive.
    func publish(_ identifier: LocalIdentifier, _ path: String, _ kind: LocalChange.Kind) {
        guard isObserved else { return }
        let name = FileSystem.name(of: path)
        if kind == .removed { known[name] = nil } else { note(name, identifier.text) }
        send(identifier.text, kind, .thisProcess)
    }

    private func send(_ identifier: String, _ kind: LocalChange.Kind, _ origin: LocalChange.Origin) {
        hub.send([LocalChange(store: .propertyList, identifier: identifier, kind: kind, origin: origin)])
    }
}
