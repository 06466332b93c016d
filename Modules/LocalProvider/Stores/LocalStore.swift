/// What each of the three stores does; ``LocalProvider`` needs no more of them.
///
/// All calls are safe from any thread and block until they are done; each change is whole or not at all.
public protocol LocalStore: Sendable {
    /// Which of the stores it is.
    var kind: LocalStoreKind { get }

    /// Reads a value; `nil` where there is none.
    func value<Value: Codable & Sendable>(
        for identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value?

    /// Writes a value; `durability` is the store's own where it is `nil`.
    func set<Value: Codable & Sendable>(
        _ value: Value,
        for identifier: LocalIdentifier,
        rule: LocalWriteRule,
        durability: LocalDurability?
    ) throws(LocalError)

    /// Reads a value, lets `body` change it, and writes it back, while no other thread or process can change it; `nil`
    /// stands for no value. Nothing is written where `body` throws.
    func update<Value: Codable & Sendable, Result>(
        _ identifier: LocalIdentifier,
        as type: Value.Type,
        durability: LocalDurability?,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result

    /// Removes a value; false where there was none.
    func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool

    /// Whether there is a value.
    func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool

    /// The identifiers of all values, in no particular order.
    func identifiers() throws(LocalError) -> [String]

    /// All values whose identifier begins with `prefix`, by identifier; each must be a `Value`.
    ///
    /// A dictionary takes identifiers for equal that have the same characters in other bytes. Where there are two such,
    /// ``LocalError/invalidIdentifier(identifier:detail:)`` is thrown; read them one by one.
    func values<Value: Codable & Sendable>(
        of type: Value.Type,
        prefix: String
    ) throws(LocalError) -> [String: Value]

    /// How many values there are.
    func count() throws(LocalError) -> Int

    /// Removes all values.
    func removeAll(durability: LocalDurability?) throws(LocalError)

    /// A stream of its own for each call: every change from now on, by whomever.
    func changes() -> AsyncStream<LocalChange>
}

extension LocalStore {
    /// All values whose identifier begins with the prefix, by identifier.
    public func values<Value: Codable & Sendable>(
        of type: Value.Type,
        prefix: String
    ) throws(LocalError) -> [String: Value] {
        var result: [String: Value] = [:]
        for identifier in try identifiers() where identifier.utf8.starts(with: prefix.utf8) {
            // Removed meanwhile by another process: not there, no error.
            guard let value = try value(for: LocalIdentifier(identifier), as: type) else { continue }
            try result.insert(value, for: identifier)
        }
        return result
    }

    /// How many values there are.
    public func count() throws(LocalError) -> Int {
        try identifiers().count
    }
}

/// The three stores of a ``LocalProvider``.
public enum LocalStoreKind: String, Hashable, Sendable, CaseIterable, Codable {
    /// One property list file for each value: for documents, and for files that other programs read.
    case propertyList
    /// Many small values in one journal: for settings and records.
    case defaults
    /// The memory of this process, bounded: for what can be had again.
    case memory
}

/// Whether a value may be, must be or must not be there already when one is written.
public enum LocalWriteRule: Hashable, Sendable {
    /// There must be none: ``LocalError/exists(identifier:path:)`` otherwise.
    case create
    /// There must be one: ``LocalError/absent(identifier:path:)`` otherwise.
    case replace
    /// Either way.
    case set

    /// Throws where the rule forbids the write.
    func check(isPresent: Bool, identifier: String, path: String) throws(LocalError) {
        switch self {
        case .create where isPresent: throw .exists(identifier: identifier, path: path)
        case .replace where !isPresent: throw .absent(identifier: identifier, path: path)
        default: return
        }
    }
}

/// What a write survives once it has returned.
public enum LocalDurability: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Kept by this process only, and written together with what is written next: by another write, by `flush`, or at
    /// the latest when the store closes. A crash of the process loses it.
    ///
    /// Where an optional is expected, write `LocalDurability.none`: Swift takes a bare `.none` for `nil`.
    case none
    /// Given to the system: survives the end of the process, even by `kill -9`, not a loss of power.
    case written
    /// On the disk: survives a loss of power.
    case synced

    /// The weaker one is less.
    public static func < (left: LocalDurability, right: LocalDurability) -> Bool {
        left.rawValue < right.rawValue
    }
}
