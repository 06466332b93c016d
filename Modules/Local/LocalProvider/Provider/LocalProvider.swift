import Threading

/// Stores and loads values: create, read, update and delete in the stores that the keys name.
///
/// ```swift
/// let theme = LocalKey("theme", in: .defaults, default: "dark")
/// let provider = try LocalProvider(namespace: "example")
/// try provider.set(theme, to: "light")
/// let present = try provider.read(theme)
/// ```
///
/// All calls are safe from any thread. They block until they are done, synced writes until the disk has the change; the
/// calls of ``async`` suspend instead.
public struct LocalProvider: Sendable {
    /// The options of the three standard stores.
    public struct Options: Sendable {
        /// The options of the property list store.
        public var propertyLists = PropertyListStore.Options()
        /// The options of the JSON defaults.
        public var defaults = JSONDefaults.Options()
        /// The options of the memory store.
        public var memory = MemoryStore.Options()

        /// Creates the default options of each store.
        public init() {}
    }

    /// The store of property list files, also if ``adding(_:)`` has replaced it for keys.
    public let propertyLists: PropertyListStore
    /// The store of many small values, also if ``adding(_:)`` has replaced it for keys.
    public let defaults: JSONDefaults
    /// The store in memory, also if ``adding(_:)`` has replaced it for keys.
    public let memory: MemoryStore
    /// The stores, of which each has another kind.
    public private(set) var stores: [any LocalStore]

    /// The threads for the calls that suspend. There may be many: writes that wait for the disk at the same time share one
    /// synchronisation.
    let threads = ThreadCache(limit: 32)

    /// Creates a provider for a folder. Nothing is written before the first value is stored.
    ///
    /// - Parameters:
    ///   - location: the folder. It will contain `defaults.journal` and the folder `plists`.
    ///   - options: the options of the stores.
    public init(location: FileStoreLocation, options: Options = Options()) {
        self.init(location: location, options: options, system: FileSystem())
    }

    /// Creates a provider for a namespace, in the folder where the platform stores the data of a program.
    ///
    /// - Parameters:
    ///   - namespace: the name of the program. Providers of different namespaces have no files in common.
    ///   - options: the options of the stores.
    /// - Throws: ``LocalError/invalidIdentifier(identifier:detail:)`` as ``FileStoreLocation`` does.
    public init(namespace: String, options: Options = Options()) throws(LocalError) {
        self.init(location: try FileStoreLocation(namespace: namespace), options: options)
    }

    package init(location: FileStoreLocation, options: Options, system: FileSystem) {
        let folder = FileStoreLocation(directory: location.path + "/plists")
        propertyLists = PropertyListStore(location: folder, options: options.propertyLists, system: system)
        defaults = JSONDefaults(location: location, name: "defaults", options: options.defaults, system: system)
        memory = MemoryStore(options.memory)
        stores = [propertyLists, defaults, memory]
    }

    /// The same calls in a form that suspends instead of blocking, for tasks and actors.
    public var async: AsyncLocalProvider { AsyncLocalProvider(self) }

    // MARK: Stores

    /// Returns a provider with one more store, or with a store in place of the one that has the same kind.
    ///
    /// - Parameter store: the store for the keys of its kind; see ``LocalStore``.
    /// - Returns: the provider; this one is unchanged.
    public func adding(_ store: any LocalStore) -> LocalProvider {
        var provider = self
        if let index = stores.firstIndex(where: { $0.kind == store.kind }) {
            provider.stores[index] = store
        } else {
            provider.stores.append(store)
        }
        return provider
    }

    /// Returns the store for keys of a kind.
    ///
    /// - Throws: ``LocalError/noStore(_:)`` if no store has it.
    public func store(_ kind: LocalStoreKind) throws(LocalError) -> any LocalStore {
        for store in stores where store.kind == kind { return store }
        throw .noStore(kind)
    }

    /// The damage that the stores have found and repaired so far.
    public var recoveries: [LocalRecovery] { stores.flatMap(\.recoveries) }

    /// Writes all deferred changes of all stores, and returns when every change is on the disk.
    ///
    /// - Throws: ``LocalError``.
    public func flush() throws(LocalError) {
        for store in stores { try store.flush() }
    }

    // MARK: Migration

    /// Migrates the values of all stores to the schema versions of the program, which otherwise the first use of each does.
    ///
    /// - Returns: the migrations that the stores have done since the provider was created.
    /// - Throws: ``LocalError/migrationFailed(path:version:step:detail:)``, ``LocalError/newerVersion(path:found:supported:)``,
    ///   and the errors of reading and writing. The store concerned is then unchanged.
    @discardableResult
    public func migrate() throws(LocalError) -> [LocalMigrationReport] {
        var reports: [LocalMigrationReport] = []
        for store in stores {
            if let report = try store.migrate() { reports.append(report) }
        }
        return reports
    }

    /// Returns what ``migrate()`` would change, without writing, locking or repairing anything.
    ///
    /// - Throws: as ``migrate()``.
    public func migrationPlan() throws(LocalError) -> [LocalMigrationReport] {
        var plans: [LocalMigrationReport] = []
        for store in stores {
            if let plan = try store.migrationPlan() { plans.append(plan) }
        }
        return plans
    }
}
