/// The values of a store during a step of a ``LocalSchema``, as trees or decoded.
///
/// Nothing is written before the last step has returned.
public struct LocalMigration<Tree: LocalTree> {
    private let stored: Set<LocalIdentifier>
    private let read: (LocalIdentifier) throws -> Tree?
    /// The changes of the steps so far; `nil` for removed values.
    private(set) var changed: [LocalIdentifier: Tree?] = [:]
    /// The stored identifiers of the values that were only renamed, by their new ones.
    private(set) var renamed: [LocalIdentifier: LocalIdentifier] = [:]

    /// Creates a view of the values.
    ///
    /// - Parameters:
    ///   - stored: the identifiers of the stored values.
    ///   - read: reads a value.
    init(_ stored: Set<LocalIdentifier>, reading read: @escaping (LocalIdentifier) throws -> Tree?) {
        self.stored = stored
        self.read = read
    }

    /// Returns the identifiers of the present values that begin with `prefix`, in the order of their bytes.
    public func identifiers(prefix: String = "") -> [String] {
        var present = stored.filter { changed[$0] == nil }
        for case (let identifier, .some) in changed { present.insert(identifier) }
        return present.map(\.text).filter { $0.utf8.starts(with: prefix.utf8) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns a value as a tree, or `nil` if no value is stored.
    ///
    /// - Throws: the error of reading it.
    public func tree(_ identifier: String) throws -> Tree? {
        let identifier = try LocalIdentifier(identifier)
        if let tree = changed[identifier] { return tree }
        return stored.contains(identifier) ? try read(identifier) : nil
    }

    /// Sets a value as a tree; `nil` removes it.
    public mutating func setTree(_ identifier: String, to tree: Tree?) throws {
        let identifier = try LocalIdentifier(identifier)
        changed[identifier] = .some(tree)
        renamed[identifier] = nil
    }

    /// Returns a decoded value, or `nil` if no value is stored.
    ///
    /// - Throws: the error of decoding if it has another type.
    public func value<Value: Decodable>(_ identifier: String, as type: Value.Type = Value.self) throws -> Value? {
        try tree(identifier)?.decoded(as: type)
    }

    /// Sets a value.
    public mutating func set(_ identifier: String, to value: some Encodable) throws {
        try setTree(identifier, to: Tree(encoding: value))
    }

    /// Removes a value; does nothing if it does not exist.
    public mutating func remove(_ identifier: String) throws { try setTree(identifier, to: nil) }

    /// Changes the identifier of a value and replaces the value that has it; does nothing if the value does not
    /// exist. The value keeps all digits of its numbers.
    public mutating func rename(_ identifier: String, to newIdentifier: String) throws {
        guard !identifier.utf8.elementsEqual(newIdentifier.utf8), let tree = try tree(identifier) else { return }
        let (old, new) = (try LocalIdentifier(identifier), try LocalIdentifier(newIdentifier))
        let origin = changed[old] == nil ? old : renamed[old]
        try remove(identifier)
        try setTree(newIdentifier, to: tree)
        renamed[new] = origin
    }

    /// Changes a value as a tree; does nothing if it does not exist.
    public mutating func update(_ identifier: String, _ change: (inout Tree) throws -> Void) throws {
        guard var tree = try tree(identifier) else { return }
        try change(&tree)
        try setTree(identifier, to: tree)
    }

    /// Changes every value whose identifier begins with `prefix`, as a tree.
    public mutating func updateAll(prefix: String = "", _ change: (inout Tree) throws -> Void) throws {
        for identifier in identifiers(prefix: prefix) { try update(identifier, change) }
    }

    /// Replaces a value of an earlier type by one of the present type; does nothing if it does not exist.
    public mutating func convert<Old: Decodable>(
        _ identifier: String,
        from type: Old.Type,
        _ change: (Old) throws -> some Encodable
    ) throws {
        guard let old = try value(identifier, as: type) else { return }
        try set(identifier, to: change(old))
    }
}
