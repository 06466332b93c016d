import TestSupport

@testable import LocalProvider

extension LocalStore {
    /// Sets a value that may exist already.
    func set(
        _ name: String,
        _ value: some Codable & Sendable,
        _ durability: LocalDurability? = .written
    ) throws(LocalError) { try set(value, for: LocalIdentifier(name), rule: .set, durability: durability) }

    func value(_ name: String) throws(LocalError) -> Int? {
        try value(for: LocalIdentifier(name), as: Int.self)
    }

    @discardableResult
    func remove(_ name: String, _ durability: LocalDurability?) throws(LocalError) -> Bool {
        try remove(LocalIdentifier(name), durability: durability)
    }

    /// All values, which are numbers.
    func numbers() throws(LocalError) -> [String: Int] { try values(of: Int.self, prefix: "") }
}

extension LocalProvider.Options {
    /// The default options with a time limit for the locks of the stores on disk.
    init(lockTimeLimit: Duration) {
        self.init()
        defaults.lockTimeLimit = lockTimeLimit
        propertyLists.lockTimeLimit = lockTimeLimit
    }
}

extension JSONDefaults {
    /// The store of `defaults.journal` in a folder, by default that of a simulated disk.
    convenience init(on calls: any FileCalls, in folder: String = "/data", options: Options = .init()) {
        let location = FileStoreLocation(directory: folder)
        self.init(location: location, name: "defaults", options: options, system: FileSystem(calls))
    }

    /// The store of a new process.
    convenience init(on disk: SimulatedDisk, options: Options = .init()) {
        self.init(on: SimulatedProcess(disk), options: options)
    }
}

extension PropertyListStore {
    /// The store in a folder, with files of a format.
    convenience init(in folder: TemporaryDirectory, _ format: PropertyListFormat) {
        var options = Options()
        options.format = format
        self.init(location: FileStoreLocation(directory: folder.path), options: options)
    }
}
