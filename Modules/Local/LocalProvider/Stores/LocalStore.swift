/// A store of values by identifier: the interface between ``LocalProvider`` and the place where values are stored.
///
/// The module has three stores: ``PropertyListStore``, ``JSONDefaults`` and ``MemoryStore``. A type of the client can be
/// a store too; ``LocalProvider/adding(_:)`` makes it available to keys, to ``LocalProvider/async``, to ``Stored`` and to
/// observation. Only the requirements without a default implementation must be written.
///
/// The methods of a store and of a cache take the value first, as in `set(value, for: key)`. Those of a provider take the key
/// first, as in `set(key, to: value)`, because its type decides that of the value.
///
/// All methods are safe to call from any thread. They block until they are done. Each change is made completely or not at
/// all: when a method throws, the stored values are unchanged.
public protocol LocalStore: Sendable {
    /// The kind by which keys refer to the store.
    var kind: LocalStoreKind { get }

    /// The file or folder of the store, for error messages; any text for a store without one.
    var path: String { get }

    /// Whether the methods can block for the disk or for another process. ``AsyncLocalProvider`` calls a store that
    /// does not block without switching threads. The default is true.
    var mayBlock: Bool { get }

    /// The damage that the store has found and repaired since it was created. The default is empty.
    var recoveries: [LocalRecovery] { get }

    /// Reads a value.
    ///
    /// - Returns: the value, or `nil` if none is stored.
    /// - Throws: ``LocalError/undecodable(identifier:path:detail:)`` if the stored value has another type, and other errors.
    func value<Value: Codable & Sendable>(
        for identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value?

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - identifier: its identifier.
    ///   - rule: whether a value may or must be stored already; see ``LocalWriteRule/check(isPresent:identifier:path:)``.
    ///   - durability: what the write survives; `nil` for the store's default.
    /// - Throws: ``LocalError``.
    func set<Value: Codable & Sendable>(
        _ value: Value,
        for identifier: LocalIdentifier,
        rule: LocalWriteRule,
        durability: LocalDurability?
    ) throws(LocalError)

    /// Reads a value, changes it with `body` and writes it, while no other thread or process can change it.
    ///
    /// - Parameters:
    ///   - identifier: the identifier of the value.
    ///   - type: the type of the value.
    ///   - durability: what the write survives; `nil` for the store's default.
    ///   - body: changes the value; `nil` means that no value is stored.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, unchanged, and ``LocalError``. Nothing is written then.
    func update<Value: Codable & Sendable, Result>(
        _ identifier: LocalIdentifier,
        as type: Value.Type,
        durability: LocalDurability?,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result

    /// Removes a value.
    ///
    /// - Returns: whether a value was stored.
    /// - Throws: ``LocalError``.
    func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool

    /// Returns whether a value is stored.
    func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool

    /// Returns the identifiers of all values, in no particular order.
    func identifiers() throws(LocalError) -> [String]

    /// Returns the values whose identifiers begin with `prefix`, by identifier.
    ///
    /// - Throws: ``LocalError`` for the first value that cannot be read as a `Value`, and
    ///   ``LocalError/invalidIdentifier(identifier:detail:)`` if two identifiers are canonically equivalent: a dictionary
    ///   does not distinguish them. Read such values one by one.
    func values<Value: Codable & Sendable>(of type: Value.Type, prefix: String) throws(LocalError) -> [String: Value]

    /// Returns the values whose identifiers begin with `prefix`, and an error for each value that cannot be read.
    ///
    /// - Throws: ``LocalError`` if the store itself cannot be read.
    func readableValues<Value: Codable & Sendable>(
        of type: Value.Type,
        prefix: String
    ) throws(LocalError) -> LocalValues<Value>

    /// Returns the number of values.
    func count() throws(LocalError) -> Int

    /// Removes all values.
    ///
    /// - Throws: ``LocalError``. Unlike other changes, this one may have removed values then, of which bytes may
    ///   be left in files; it can be repeated.
    func removeAll(durability: LocalDurability?) throws(LocalError)

    /// Writes the changes that were made with ``LocalDurability/deferred``, and returns when all changes are on the disk.
    /// The default does nothing.
    func flush() throws(LocalError)

    /// Removes the bytes of replaced and removed values from all files of the store, with the files that were set aside and
    /// the archives of migrations. The default does nothing.
    func purge() throws(LocalError)

    /// Migrates the values to the schema version of the program, if that has not happened yet.
    ///
    /// - Returns: the migration that this store has done since it was created, or `nil` if none was necessary. The
    ///   default returns `nil`.
    @discardableResult
    func migrate() throws(LocalError) -> LocalMigrationReport?

    /// Returns what ``migrate()`` would change, without writing, locking or repairing anything; `nil` if nothing. The
    /// default returns `nil`.
    func migrationPlan() throws(LocalError) -> LocalMigrationReport?

    /// Returns a new stream of every change from now on, by this or another process. ``LocalChangeHub`` implements it.
    func changes() -> AsyncStream<LocalChange>
}

extension LocalStore {
    /// True: the methods can block.
    public var mayBlock: Bool { true }

    /// Empty: the store repairs nothing.
    public var recoveries: [LocalRecovery] { [] }

    /// Returns the values whose identifiers begin with the prefix, read one by one.
    public func values<Value: Codable & Sendable>(
        of type: Value.Type,
        prefix: String
    ) throws(LocalError) -> [String: Value] {
        var result: [String: Value] = [:]
        for identifier in try identifiers() where identifier.utf8.starts(with: prefix.utf8) {
            // Another process may have removed it since.
            guard let value = try value(for: LocalIdentifier(identifier), as: type) else { continue }
            try result.insert(value, for: identifier)
        }
        return result
    }

    /// Returns the values whose identifiers begin with the prefix and the errors of the unreadable ones, read one by one.
    public func readableValues<Value: Codable & Sendable>(
        of type: Value.Type,
        prefix: String
    ) throws(LocalError) -> LocalValues<Value> {
        var result = LocalValues<Value>()
        for identifier in try identifiers() where identifier.utf8.starts(with: prefix.utf8) {
            result.add(identifier) { () throws(LocalError) in
                try value(for: LocalIdentifier(identifier), as: type)
            }
        }
        return result
    }

    /// Returns the number of identifiers.
    public func count() throws(LocalError) -> Int { try identifiers().count }

    /// Does nothing: no change is deferred.
    public func flush() throws(LocalError) {}

    /// Does nothing: no file has replaced values.
    public func purge() throws(LocalError) {}

    /// Does nothing and returns `nil`: the store has no schema.
    public func migrate() throws(LocalError) -> LocalMigrationReport? { nil }

    /// Returns `nil`: the store has no schema.
    public func migrationPlan() throws(LocalError) -> LocalMigrationReport? { nil }
}

/// The name by which a ``LocalStorable`` refers to its store.
///
/// A custom store has its own kind: `extension LocalStoreKind { static let keychain = LocalStoreKind(rawValue: "keychain") }`.
public struct LocalStoreKind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// One property list file for each value: for documents, and for files that other programs read.
    public static let propertyList = LocalStoreKind(rawValue: "propertyList")
    /// Many small values in one journal file: for settings and records.
    public static let defaults = LocalStoreKind(rawValue: "defaults")
    /// The bounded memory of this process: for values that can be obtained again.
    public static let memory = LocalStoreKind(rawValue: "memory")

    /// The kinds of the three stores that every ``LocalProvider`` has.
    public static let standard: [LocalStoreKind] = [.propertyList, .defaults, .memory]

    /// The name.
    public let rawValue: String

    /// Creates a kind with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
}

/// Whether a value may, must or must not be stored before a write.
public enum LocalWriteRule: Hashable, Sendable {
    /// No value may be stored; otherwise the write throws ``LocalError/exists(identifier:path:)``.
    case create
    /// A value must be stored; otherwise the write throws ``LocalError/absent(identifier:path:)``.
    case replace
    /// Both are allowed.
    case set

    /// Throws if the rule forbids the write.
    ///
    /// - Parameters:
    ///   - isPresent: whether a value is stored.
    ///   - identifier: its identifier, for the error.
    ///   - path: the path of the store, for the error.
    /// - Throws: ``LocalError/exists(identifier:path:)`` or ``LocalError/absent(identifier:path:)``.
    public func check(isPresent: Bool, identifier: String, path: String) throws(LocalError) {
        switch self {
        case .create where isPresent: throw .exists(identifier: identifier, path: path)
        case .replace where !isPresent: throw .absent(identifier: identifier, path: path)
        default: return
        }
    }
}

/// What a write survives after it has returned.
public enum LocalDurability: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// The end of the process loses the change. It is in memory only until the next write, `flush`, or the end of the
    /// store, which write it too and throw the errors of writing it.
    case deferred
    /// The change survives the end of the process, even by `kill -9`, but not a loss of power.
    case written
    /// The change survives a loss of power.
    case synced

    /// Returns whether the first is weaker than the second.
    public static func < (left: LocalDurability, right: LocalDurability) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The result of reading many values of which some may be unreadable.
public struct LocalValues<Value: Sendable>: Sendable {
    /// The readable values, by identifier.
    public var values: [String: Value] = [:]
    /// Why each of the other values could not be read, by identifier.
    public var failures: [String: LocalError] = [:]

    /// Creates an empty result.
    public init() {}

    /// Adds the value of an identifier, or the error of reading it; nothing if `read` returns `nil`.
    ///
    /// Canonically equivalent identifiers, which a dictionary does not distinguish, have an error and no value.
    public mutating func add(_ identifier: String, _ read: () throws(LocalError) -> Value?) {
        do throws(LocalError) {
            guard let value = try read() else { return }
            try values.insert(value, for: identifier)
            guard let failure = failures[identifier] else { return }
            throw failure
        } catch {
            values[identifier] = nil
            failures[identifier] = error
        }
    }
}
