import Locking

/// One property list file for each value.
///
/// A write puts a whole new file in place of the old one, which becomes the backup; a crash leaves one or the other. Each
/// file carries a checksum that other programs do not mind, and files of other programs, which carry none, are read when
/// they are whole. A damaged file is put aside and its backup takes its place; so is one edited by hand that has kept its
/// checksum, for the two look alike.
///
/// The files, for an identifier `x`: `x.plist`, `x.plist.backup`, `x.plist.damaged` where damage was found, and for
/// identifiers too long for a file name `x.name`; one `.lock` in the folder for all, and `.schema` with the version.
public final class PropertyListStore: LocalStore, @unchecked Sendable {
    /// How the store behaves.
    public struct Options: Sendable {
        /// How files are written; both forms are read.
        public var format = PropertyListFormat.binary
        /// What a write survives that does not say itself; ``LocalDurability/none`` is as ``LocalDurability/written``.
        public var durability = LocalDurability.synced
        /// How long to wait for another process that holds the lock.
        public var patience = Duration.seconds(5)
        /// The version of what is kept, and how to bring documents of an earlier one to it.
        public var schema = LocalSchema<PropertyListValue>()
        /// Told, on the thread that did it, of each migration.
        public var onMigration: (@Sendable (LocalMigrationReport) -> Void)?
        /// Told, on the thread that found it, of each damage that was found and dealt with.
        public var onRecovery: (@Sendable (LocalRecovery) -> Void)?

        /// The options as they stand above.
        public init() {}
    }

    /// Which of the stores it is.
    public let kind = LocalStoreKind.propertyList
    /// The folder's path.
    public let path: String

    let options: Options
    let system: FileSystem
    let hub = ChangeHub()
    /// Guards everything below, and held by every write.
    let monitor = StoreMonitor()
    private let lock: FileLock
    var watcher: FolderWatcher?
    /// The files as they were last seen, while somebody listens: what differs later, others have changed.
    var known: [String: FileStatus] = [:]
    var isWatching: Bool { watcher != nil }
    var found: [LocalRecovery] = []
    var migration: LocalMigrationReport?
    /// The version as it was last seen; guarded by itself, since reading takes no other lock.
    let seenSchema = Locked<SeenSchema?>(nil)

    /// Creates a store. No file is touched before the first use.
    ///
    /// - Parameters:
    ///   - location: the folder, which should hold nothing else.
    ///   - options: how the store behaves.
    public convenience init(location: FileStoreLocation, options: Options = Options()) {
        self.init(location: location, options: options, system: FileSystem())
    }

    package init(location: FileStoreLocation, options: Options, system: FileSystem) {
        path = location.path
        self.options = options
        self.system = system
        lock = FileLock(path: location.path + "/.lock", patience: options.patience, system: system)
    }

    /// What was found damaged so far.
    public var recoveries: [LocalRecovery] {
        monitor.locked { found }
    }

    /// The path of the file for an identifier, whether or not it is there.
    public func path(for identifier: LocalIdentifier) -> String {
        path + "/" + SafeFileName.name(for: identifier.text) + ".plist"
    }

    // MARK: Access

    /// Runs `body` while no other thread or process can write.
    func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
        try lock.take()
        defer { lock.release() }
        monitor.lock()
        defer { monitor.unlock() }
        try settleExclusively()
        return try body()
    }

    /// ``exclusively(_:)`` for bodies that throw nothing but ``LocalError``.
    func exclusive<Result>(_ body: () throws -> Result) throws(LocalError) -> Result {
        do {
            return try exclusively(body)
        } catch let error as LocalError {
            throw error
        } catch {
            throw .io(path: path, operation: "write", errno: 0)
        }
    }

    func report(_ recovery: LocalRecovery) {
        found.append(recovery)
        options.onRecovery?(recovery)
    }

    // MARK: Files

    static let suffix = ".plist"

    static let nameSuffix = ".name"

    func fileNames() throws(LocalError) -> [String] {
        try system.list(path).filter { $0.hasSuffix(Self.suffix) }
    }
}
