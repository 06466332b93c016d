import SystemCalls
import Threading

/// A store of many small values in one file: a journal of JSON values in which each change has a checksum.
///
/// A write appends a record to the file. When most of the file consists of replaced values, a compaction writes the present
/// values to a new file that replaces it. Several processes can use the same file: a lock makes writes exclusive, and each
/// process reads the records of the others before it reads or writes. A damaged record costs at most that record, and a
/// damaged beginning nothing while the backup is intact; ``recoveries`` reports what was repaired. On a full disk, values
/// can still be removed.
///
/// The values of one change have at most 1 GiB of JSON. Their size is known when they are encoded: what is larger takes the
/// time and the memory of that before ``LocalError/unencodable(identifier:path:detail:)`` is thrown. The same is thrown for a
/// value with which the file would have more than 2 GiB.
///
/// The files for the name `defaults`: `defaults.journal`, its `.lock` (which also reserves 32 KiB for removals on a full
/// disk), its `.backup` (the file before the last compaction), and `.damaged` if damage was found.
public final class JSONDefaults: LocalStore, @unchecked Sendable {
    /// The options of a store.
    public struct Options: Sendable {
        /// The durability of writes that specify none.
        public var durability = LocalDurability.synced
        /// The time limit for waiting for another process that holds the lock.
        public var lockTimeLimit = Duration.seconds(5)
        /// The schema version of the values, and the migrations to it.
        public var schema = LocalSchema<JSONValue>()
        /// Called after each migration, on the thread that migrated.
        public var onMigration: (@Sendable (LocalMigrationReport) -> Void)?
        /// Called after each repair, on the thread that repaired.
        public var onRecovery: (@Sendable (LocalRecovery) -> Void)?

        /// Creates the default options.
        public init() {}
    }

    /// ``LocalStoreKind/defaults``.
    public let kind = LocalStoreKind.defaults
    /// The path of the journal.
    public let path: String

    let options: Options
    let codec: JSONCodec
    let hub = LocalChangeHub()
    let groupCommit = GroupCommit()
    private let lock: FileLock
    /// Guards ``journal`` and the properties below. A thread that needs both locks ``lock`` first.
    private let monitor = Monitor()
    let journal: Journal
    var deferred = DeferredChanges()
    private var watcher: FolderWatcher?
    private var repaired: [LocalRecovery] = []
    private var migration: LocalMigrationReport?

    /// Creates a store. No file is accessed before the first use.
    ///
    /// - Parameters:
    ///   - location: the folder.
    ///   - name: the name of the journal in the folder, without its suffix; any text.
    ///   - options: the options.
    public convenience init(location: FileStoreLocation, name: String = "defaults", options: Options = Options()) {
        self.init(location: location, name: name, options: options, system: FileSystem())
    }

    package init(location: FileStoreLocation, name: String, options: Options, system: FileSystem) {
        path = location.path + "/" + SafeFileName.name(for: name) + ".journal"
        self.options = options
        codec = JSONCodec(path: path)
        journal = Journal(
            path: path,
            system: system,
            writer: Self.processToken,
            supportedSchema: options.schema.version
        )
        lock = FileLock(path: path + ".lock", timeLimit: options.lockTimeLimit, system: system)
        journal.storedPatch = { [lock] in lock.storedPatch() }
    }

    deinit {
        if !deferred.isEmpty { try? withExclusiveAccess(.written) { _ throws(LocalError) in } }
    }

    /// A random number that distinguishes the process. If two processes have the same, the origin of changes is wrong.
    private static let processToken = UInt32.random(in: 1...UInt32.max)

    /// The damage that was found and repaired so far.
    public var recoveries: [LocalRecovery] { monitor.locked { repaired } }

    /// The damage that the last reading has found and could not repair, because the file or its folder may not be written or
    /// the disk is full; otherwise `nil`. Values can be missing; what is intact can be read. If only a backup is there,
    /// the damage is ``LocalRecovery/Damage/replacedByBackup``, and no value can be read.
    ///
    /// It is repaired, and reported in ``recoveries``, by the first use of a store that may write.
    public var unrepairedDamage: LocalRecovery.Damage? { monitor.locked { journal.unrepairedDamage } }

    /// The path of the copy of the damaged file that a repair has left, if there is one: the lasting trace of a loss.
    package var damagedCopy: String? { Self.damagedCopy(of: path) }

    /// Returns the path of the copy of a damaged file that a repair has left, if there is one.
    package static func damagedCopy(of path: String) -> String? {
        let copy = JournalFile.damagedCopy(of: path)
        return (try? POSIX.status(of: copy)) == nil ? nil : copy
    }

    // MARK: Access

    /// Runs `body` after reading what other processes have written. Needs no lock between processes, unless the file must
    /// be repaired or migrated.
    func withSharedAccess<Result>(_ body: (Journal) throws(LocalError) -> Result) throws(LocalError) -> Result {
        if let result = try withoutLock(body) { return result }
        do throws(LocalError) {
            try beginExclusiveAccess()
        } catch {
            switch error {
            // Nothing can be repaired here; what is intact can be read all the same.
            case .notPermitted, .full: return try withReadOnlyAccess(body, or: error)
            default: throw error
            }
        }
        defer { endExclusiveAccess() }
        if isOutdated { try migrateIfNeeded() }
        return try body(journal)
    }

    /// Runs `body` with the lock held, after reading what other processes have written and writing the deferred changes;
    /// then waits until the changes have the requested durability.
    ///
    /// - Parameters:
    ///   - durability: the durability of the changes that `body` commits; `nil` for the default.
    ///   - body: reads the journal, and makes changes with ``commitChanges(_:)``.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, and the errors of locking, reading and synchronising.
    func withExclusiveAccess<Result>(
        _ durability: LocalDurability?,
        _ body: (Journal) throws(LocalError) -> Result
    ) throws(LocalError) -> Result {
        let isSynced = durability ?? options.durability == .synced
        let (result, position) = try withLock(isSynced: isSynced, body)
        // Without the lock, so that writes of several threads are synchronised together.
        if isSynced { try groupCommit.wait(for: position) }
        return result
    }

    /// Runs ``withExclusiveAccess(_:_:)`` for a body that throws any error.
    func withExclusiveAccess<Result>(
        _ durability: LocalDurability?,
        throwing body: (Journal) throws -> Result
    ) throws -> Result {
        let isSynced = durability ?? options.durability == .synced
        let (result, position) = try withLock(isSynced: isSynced) { journal throws(LocalError) in
            Swift.Result { try body(journal) }
        }
        // An error of the body comes before one of the disk: nothing was changed.
        let value = try result.get()
        if isSynced { try groupCommit.wait(for: position) }
        return value
    }

    private func withLock<Result>(
        isSynced: Bool,
        _ body: (Journal) throws(LocalError) -> Result
    ) throws(LocalError) -> (Result, position: GroupCommit.Position) {
        try beginExclusiveAccess()
        defer { endExclusiveAccess() }
        try migrateIfNeeded()
        if groupCommit.hasFailed {
            try journal.compact()
            groupCommit.noteReplacement()
        }
        try writeDeferredChanges()
        let result = try body(journal)
        if isSynced { try journal.file.synchroniseFolderIfNeeded() }
        if journal.isWorthCompacting, (try? journal.compact()) != nil { groupCommit.noteReplacement() }
        return (result, groupCommit.position)
    }

    /// Returns whether there are no files but the lock, and no deferred changes: what removes nothing then creates none.
    func isUnused() throws(LocalError) -> Bool {
        try lockMonitor()
        defer { monitor.unlock() }
        guard deferred.isEmpty, try journal.system.outline(of: path) == nil else { return false }
        let beginning = FileSystem.name(of: path) + "."
        return try journal.system.list(FileSystem.parent(of: path)).allSatisfy {
            !$0.hasPrefix(beginning) || $0 == beginning + "lock"
        }
    }

    /// Runs `body` on what can be read without the lock; returns `nil` if only its holder can read the file.
    private func withoutLock<Result>(_ body: (Journal) throws(LocalError) -> Result) throws(LocalError) -> Result? {
        try lockMonitor()
        defer { monitor.unlock() }
        publish(try journal.refresh(.shared))
        return journal.needsRepair || isOutdated ? nil : try body(journal)
    }

    /// Runs `body` on what is intact, without writing anything.
    private func withReadOnlyAccess<Result>(
        _ body: (Journal) throws(LocalError) -> Result,
        or error: LocalError
    ) throws(LocalError) -> Result {
        try lockMonitor()
        defer { monitor.unlock() }
        publish(try journal.refresh(.readOnly))
        guard !isOutdated else { throw error }
        return try body(journal)
    }

    private func beginExclusiveAccess() throws(LocalError) {
        try lock.acquire()
        do throws(LocalError) {
            try lockMonitor()
        } catch {
            lock.release()
            throw error
        }
        do throws(LocalError) {
            publish(try journal.refresh(.exclusive))
        } catch {
            endExclusiveAccess()
            throw error
        }
    }

    private func endExclusiveAccess() {
        monitor.unlock()
        lock.release()
    }

    private func lockMonitor() throws(LocalError) {
        // A store that is used inside its own update would wait for itself.
        guard monitor.lockUnlessHeldByCaller() else { throw .locked(path: path) }
    }

    // MARK: Changes

    /// Appends changes as one record and publishes them. Access is exclusive.
    func commitChanges(_ operations: [JournalFormat.Operation]) throws(LocalError) {
        guard !operations.isEmpty else { return }
        publish(try append(operations))
        if operations.contains(where: { $0.value != nil }) { lock.fillReserve() }
    }

    /// Writes the deferred changes, which were published when they were made.
    private func writeDeferredChanges() throws(LocalError) {
        guard !deferred.isEmpty else { return }
        let operations = deferred.operations(on: journal.entries)
        if !operations.isEmpty { _ = try append(operations) }
        deferred.removeAll()
    }

    /// Waits until there are twice as many deferred changes before they are written for their size.
    func postponeDeferredChanges() { monitor.locked { deferred.postpone() } }

    private func append(_ operations: [JournalFormat.Operation]) throws(LocalError) -> [LocalChange] {
        let isRemoval = operations.allSatisfy { $0.value == nil }
        // What is stored can be removed later, whatever else fills the disk.
        if !isRemoval { try lock.fillPatchSpace(for: path) }
        let changes: [LocalChange]
        do throws(LocalError) {
            changes = try journal.append(operations)
        } catch {
            guard case .full = error, isRemoval else { throw error }
            changes = try removeOnFullDisk(operations, error)
        }
        if let file = journal.file.file { groupCommit.noteAppend(to: file) }
        return changes
    }

    /// Removes values when there is no space for the record that removes them.
    private func removeOnFullDisk(
        _ operations: [JournalFormat.Operation],
        _ full: LocalError
    ) throws(LocalError) -> [LocalChange] {
        if let changes = try withReleasedSpace({ () throws(LocalError) in try journal.append(operations) }) {
            return changes
        }
        let keys = operations.map(\.key)
        if let changes = try journal.shrink(removing: keys) {
            groupCommit.noteReplacement()
            return changes
        }
        guard let changes = try journal.overwrite(removing: keys, storing: lock.storePatch) else { throw full }
        return changes
    }

    /// Runs a body after releasing the reserve and again after releasing the backup, until it finds enough space; returns
    /// `nil` if it never does.
    private func withReleasedSpace<Result>(_ body: () throws(LocalError) -> Result) throws(LocalError) -> Result? {
        for step in 0..<2 {
            let isReleased = step == 0 ? lock.releaseReserve() : try journal.file.releaseBackup(schema: journal.schema)
            guard isReleased else { continue }
            do throws(LocalError) {
                return try body()
            } catch {
                guard case .full = error else { throw error }
            }
        }
        return nil
    }

    /// Publishes the changes and repairs that a reading has found, or the changes that were made.
    private func publish(_ changes: [LocalChange]) {
        if journal.mayBeUnsynchronised, let file = journal.file.file {
            groupCommit.noteAppend(to: file)
            journal.mayBeUnsynchronised = false
        }
        hub.send(changes)
        let recoveries = journal.takeRecoveries()
        repaired += recoveries
        for recovery in recoveries { options.onRecovery?(recovery) }
    }

    /// Publishes a change that is deferred.
    func publishDeferred(_ kind: LocalChange.Kind, of identifier: LocalIdentifier) {
        hub.send([journal.change(identifier, kind, by: journal.writer)])
    }

    /// Removes a value while deferred changes find no space. They stay deferred.
    ///
    /// - Returns: whether the value was stored, or `nil` if no changes are deferred.
    /// - Throws: ``LocalError``; nothing has changed then.
    func removeBeforeDeferredChanges(
        _ identifier: LocalIdentifier,
        _ durability: LocalDurability?
    ) throws(LocalError) -> Bool? {
        guard let wasStored = try removeFromJournal(identifier) else { return nil }
        if durability ?? options.durability == .synced { try groupCommit.wait(for: groupCommit.position) }
        return wasStored
    }

    private func removeFromJournal(_ identifier: LocalIdentifier) throws(LocalError) -> Bool? {
        try beginExclusiveAccess()
        defer { endExclusiveAccess() }
        guard !deferred.isEmpty else { return nil }
        try migrateIfNeeded()
        let wasStored = deferred.value(for: identifier, in: journal.entries) != nil
        if journal.entries[identifier] != nil {
            publish(try append([JournalFormat.Operation(key: identifier, value: nil)]))
        } else if wasStored {
            publishDeferred(.removed, of: identifier)
        }
        deferred.discard(identifier)
        return wasStored
    }

    // MARK: Compaction

    /// Writes the present values to a new file now. Otherwise that happens when most of the file consists of replaced values.
    ///
    /// - Parameter keepsBackup: whether the old file becomes the backup. If not, replaced and removed values are in no file
    ///   afterwards, neither in files that were set aside nor in archives of migrations.
    /// - Throws: ``LocalError``.
    public func compactNow(keepsBackup: Bool = true) throws(LocalError) {
        guard try !isUnused() else { return }
        try beginExclusiveAccess()
        defer { endExclusiveAccess() }
        try migrateIfNeeded()
        try writeDeferredChanges()
        if journal.file.file != nil {
            do throws(LocalError) {
                if keepsBackup { try journal.compact() } else { try journal.compactWithoutBackup() }
            } catch {
                guard case .full = error else { throw error }
                try compactOnFullDisk(error)
            }
            groupCommit.noteReplacement()
        }
        if !keepsBackup { try journal.file.removeLeftovers() }
    }

    private func compactOnFullDisk(_ full: LocalError) throws(LocalError) {
        let isCompacted: Void? = try withReleasedSpace { () throws(LocalError) in try journal.replaceFile() }
        if isCompacted != nil { return }
        guard try journal.shrink(removing: []) != nil else { throw full }
    }

    /// Removes the bytes of replaced and removed values from all files, with the files that were set aside and the archives of
    /// migrations: ``compactNow(keepsBackup:)`` without a backup.
    public func purge() throws(LocalError) { try compactNow(keepsBackup: false) }

    /// Removes all values when there is no space for the record that removes them.
    func removeAllOnFullDisk() throws(LocalError) {
        try beginExclusiveAccess()
        defer { endExclusiveAccess() }
        _ = lock.releaseReserve()
        _ = try journal.file.releaseBackup(schema: journal.schema)
        deferred.removeAll()
        publish(try journal.shrink(removing: Array(journal.entries.all.keys)) ?? [])
        groupCommit.noteReplacement()
    }

    // MARK: Migration

    /// Migrates the values to the schema version of the program, which otherwise the first use does.
    ///
    /// - Returns: the migration that this store has done since it was created, or `nil` if none was necessary.
    /// - Throws: ``LocalError/migrationFailed(path:version:step:detail:)``, ``LocalError/newerVersion(path:found:supported:)``,
    ///   and the errors of reading and writing. The values are then unchanged.
    @discardableResult
    public func migrate() throws(LocalError) -> LocalMigrationReport? {
        try withSharedAccess { _ throws(LocalError) in migration }
    }

    /// Returns what ``migrate()`` would change, or `nil` if nothing. Nothing is written, locked or repaired.
    ///
    /// - Throws: as ``migrate()``.
    public func migrationPlan() throws(LocalError) -> LocalMigrationReport? {
        let journal = Journal(path: path, system: journal.system, writer: 0, supportedSchema: options.schema.version)
        _ = try journal.refresh(.readOnly)
        return try journal.migrationPlan(for: options.schema)?.report
    }

    /// Whether there are values of an earlier schema version.
    private var isOutdated: Bool { journal.schema < journal.supportedSchema && !journal.entries.isEmpty }

    /// Migrates the values. Access is exclusive.
    private func migrateIfNeeded() throws(LocalError) {
        guard journal.schema < journal.supportedSchema else { return }
        guard let (report, changes) = try journal.migrate(by: options.schema) else { return }
        groupCommit.noteReplacement()
        hub.send(changes)
        migration = report
        options.onMigration?(report)
    }

    // MARK: Observation

    /// Returns a new stream of every change from now on, by this or another process.
    public func changes() -> AsyncStream<LocalChange> {
        monitor.locked {
            guard watcher == nil else { return }
            let name = FileSystem.name(of: path)
            watcher = FolderWatcher(FileSystem.parent(of: path)) { [weak self] names in
                if names?.contains(name) ?? true { self?.findChanges() }
            }
        }
        // Read after the watcher has begun, so that nothing is missed, and before there is a stream, which reports only
        // changes from now on.
        findChanges()
        return hub.stream()
    }

    /// Reads what other processes have changed, and publishes it.
    func findChanges() { try? withSharedAccess { _ throws(LocalError) in } }
}
