/// Keeps values: create, read, update and delete for each of the three stores, by what a ``LocalStorable`` says.
///
/// ```swift
/// let theme = LocalKey("theme", in: .defaults, default: "dark")
/// let provider = try LocalProvider(namespace: "example")
/// try provider.set(theme, to: "light")
/// let present = try provider.read(theme)
/// ```
///
/// All calls are safe from any thread and block until they are done, synced writes until the disk has them; those of
/// ``async`` suspend instead.
public struct LocalProvider: Sendable {
    /// The store of property list files.
    public let propertyLists: PropertyListStore
    /// The store of many small values.
    public let defaults: JSONDefaults
    /// The store in memory.
    public let memory: MemoryStore
    /// For the calls that suspend.
    let threads = WorkerThreads()

    /// How the stores behave.
    public struct Options: Sendable {
        /// How the property list files are kept.
        public var propertyLists = PropertyListStore.Options()
        /// How the journal is kept.
        public var defaults = JSONDefaults.Options()
        /// How the memory is bounded.
        public var memory = MemoryStore.Options()

        /// Each store's own options.
        public init() {}
    }

    /// Creates a provider over a folder; nothing is written before something is kept.
    ///
    /// - Parameters:
    ///   - location: the folder: it gets `defaults.journal` and the folder `plists`.
    ///   - options: how the stores behave.
    public init(location: FileStoreLocation, options: Options = Options()) {
        self.init(location: location, options: options, system: FileSystem())
    }

    /// Creates a provider for a namespace, where the platform keeps a program's data.
    ///
    /// - Parameters:
    ///   - namespace: the program's name; providers of different namespaces never meet.
    ///   - options: how the stores behave.
    /// - Throws: ``LocalError/invalidIdentifier(identifier:detail:)`` as ``FileStoreLocation`` does.
    public init(namespace: String, options: Options = Options()) throws(LocalError) {
        self.init(location: try FileStoreLocation(namespace: namespace), options: options)
    }

    package init(location: FileStoreLocation, options: Options, system: FileSystem) {
        let folder = FileStoreLocation(directory: location.path + "/plists")
        propertyLists = PropertyListStore(location: folder, options: options.propertyLists, system: system)
        defaults = JSONDefaults(location: location, name: "defaults", options: options.defaults, system: system)
        memory = MemoryStore(options.memory)
    }

    /// The same calls in a form that suspends instead of blocking: for tasks and actors, the main one above all.
    public var async: AsyncLocalProvider { AsyncLocalProvider(self) }

    /// The store of a kind.
    public func store(_ kind: LocalStoreKind) -> any LocalStore {
        switch kind {
        case .propertyList: propertyLists
        case .defaults: defaults
        case .memory: memory
        }
    }

    /// What the stores found damaged so far, and dealt with.
    public var recoveries: [LocalRecovery] {
        propertyLists.recoveries + defaults.recoveries
    }
}

extension LocalProvider {
    /// Brings what both stores on disk keep to the program's schema versions, which otherwise the first use of each does.
    ///
    /// - Returns: what each has migrated since the provider was created.
    /// - Throws: ``LocalError/migrationFailed(path:version:step:detail:)``, ``LocalError/newerVersion(path:found:supported:)``,
    ///   and what reading and writing throw; the store concerned is then as it was.
    @discardableResult
    public func migrate() throws(LocalError) -> [LocalMigrationReport] {
        var reports: [LocalMigrationReport] = []
        for kind in LocalStoreKind.allCases {
            if let report = try migrate(kind) { reports.append(report) }
        }
        return reports
    }

    /// What ``migrate()`` would do. Nothing is written, locked or repaired.
    ///
    /// - Throws: as ``migrate()``.
    public func migrationPlan() throws(LocalError) -> [LocalMigrationReport] {
        let plans = [try propertyLists.migrationPlan(), try defaults.migrationPlan()]
        return plans.compactMap(\.self)
    }

    /// As ``migrate()``, for one store; memory has nothing to migrate.
    package func migrate(_ kind: LocalStoreKind) throws(LocalError) -> LocalMigrationReport? {
        switch kind {
        case .propertyList: try propertyLists.migrate()
        case .defaults: try defaults.migrate()
        case .memory: nil
        }
    }
}
