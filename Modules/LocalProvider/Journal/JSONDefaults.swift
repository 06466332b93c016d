#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Many small values in one file: a journal of JSON values, each change with a checksum of its own.
///
/// A write appends; now and then a compaction writes the present values to a new file that takes the old one's place.
/// Several processes may use the same file: writes exclude each other by a lock file, and each reads what the others
/// have appended before it looks or writes. A damaged record costs that record at most, a damaged beginning nothing
/// while the backup is whole; what was found is told through ``recoveries``.
///
/// The files, for the name `defaults`: `defaults.journal`, its `.lock`, its `.backup` (the file before the last
/// compaction), and `.damaged` where damage was found.
public final class JSONDefaults: LocalStore, @unchecked Sendable {
    /// How the store behaves.
    public struct Options: Sendable {
        /// What a write survives that does not say itself.
        public var durability = LocalDurability.synced
        /// How long to wait for another process that holds the lock.
        public var patience = Duration.seconds(5)
        /// The version of what is kept, and how to bring values of an earlier one to it.
        public var schema = LocalSchema<JSONValue>()
        /// Told, on the thread that did it, of each migration.
        public var onMigration: (@Sendable (LocalMigrationReport) -> Void)?
        /// Told, on the thread that found it, of each damage that was found and dealt with.
        public var onRecovery: (@Sendable (LocalRecovery) -> Void)?

        /// The options as they stand above.
        public init() {}
    }

    /// Which of the stores it is.
    public let kind = LocalStoreKind.defaults
    /// The journal's path.
    public let path: String

    let options: Options
    let journal: Journal
    let hub = ChangeHub()
    let commit = GroupCommit()
    /// Guards everything below and the journal; taken after ``lock`` by who takes both.
    let monitor = StoreMonitor()
    let lock: FileLock
    private var watcher: FolderWatcher?
    var found: [LocalRecovery] = []
    var migration: LocalMigrationReport?
    /// What has been set with ``LocalDurability/none`` and is in no file yet; removed where the value is `nil`.
    var pending: [LocalIdentifier: [UInt8]?] = [:]
    var pendingBytes = 0

    /// Creates a store. No file is touched before the first use.
    ///
    /// - Parameters:
    ///   - location: the folder.
    ///   - name: the journal's name in it, without its suffix; any text.
    ///   - options: how the store behaves.
    public convenience init(location: FileStoreLocation, name: String = "defaults", options: Options = Options()) {
        self.init(location: location, name: name, options: options, system: FileSystem())
    }

    package init(location: FileStoreLocation, name: String, options: Options, system: FileSystem) {
        path = location.path + "/" + SafeFileName.name(for: name) + ".journal"
        self.options = options
        journal = Journal(
            path: path,
            system: system,
            writer: Self.processToken,
            supportedSchema: options.schema.version
        )
        lock = FileLock(path: path + ".lock", patience: options.patience, system: system)
    }

    deinit {
        if !pending.isEmpty { try? written(.written) { _ in ([], ()) } }
    }

    /// A number that no other process has but by a rare chance, and then only the origin of a change is told wrongly.
    private static let processToken = UInt32.random(in: 1...UInt32.max)

    /// What was found damaged so far.
    public var recoveries: [LocalRecovery] {
        monitor.locked { found }
    }

    /// Brings the values of an earlier schema version to the program's, which otherwise the first use does.
    ///
    /// - Returns: what this store has migrated since it was created; `nil` where there was nothing to do.
    /// - Throws: ``LocalError/migrationFailed(path:version:step:detail:)``, ``LocalError/newerVersion(path:found:supported:)``,
    ///   and what reading and writing throw; the values are then as they were.
    @discardableResult
    public func migrate() throws(LocalError) -> LocalMigrationReport? {
        try reading { _ throws(LocalError) in migration }
    }

    /// What ``migrate()`` would do. Nothing is written, locked or repaired.
    ///
    /// - Returns: what would change; `nil` where there is nothing to do.
    /// - Throws: as ``migrate()``.
    public func migrationPlan() throws(LocalError) -> LocalMigrationReport? {
        let journal = Journal(
            path: path,
            system: journal.system,
            writer: 0,
            supportedSchema: options.schema.version
        )
        _ = try journal.refresh(.readOnly)
        return try journal.migrationPlan(for: options.schema)?.report
    }

    /// Looks whether other processes have changed something, and tells the listeners.
    func notice() {
        try? reading { _ throws(LocalError) in }
    }

    /// Writes the present values to a new file now, which otherwise happens when most of the old one is replaced values.
    ///
    /// - Parameter keepsBackup: whether the old file is kept as the backup; without, values that have been replaced or
    ///   removed are nowhere any more, neither in what a repair has set aside nor in what a migration has kept.
    /// - Throws: ``LocalError``.
    public func compactNow(keepsBackup: Bool = true) throws(LocalError) {
        try begin()
        defer { end() }
        try appendPending()
        if journal.file != nil {
            if keepsBackup { try journal.compact() } else { try journal.compactWithoutTraces() }
            commit.noteReplacement()
        }
        if !keepsBackup { try journal.removeLeftovers() }
    }

    /// Every change from now on, by whomever, as a stream of its own for each call.
    public func changes() -> AsyncStream<LocalChange> {
        monitor.locked {
            guard watcher == nil else { return }
            let folder = FileSystem.parent(of: path)
            try? journal.system.makeFolders(folder)
            let name = FileSystem.name(of: path)
            watcher = FolderWatcher(folder) { [weak self] names in
                if names?.contains(name) ?? true { self?.notice() }
            }
        }
        // Watch first, then look, so that nothing falls between; and look before there is a stream, so that only what
        // changes from now on is told.
        notice()
        return hub.stream()
    }
}
