/// A value of any shape as a store keeps it: ``JSONValue`` or ``PropertyListValue``.
public protocol LocalTree: Hashable, Sendable {
    /// The tree of a value.
    ///
    /// - Throws: what encoding throws.
    init(encoding value: some Encodable) throws

    /// The value that the tree stands for.
    ///
    /// - Throws: what decoding throws.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value

    /// The members of an object or dictionary by name; `nil` for every other tree.
    var members: [String: Self]? { get }

    /// An object or dictionary.
    init(members: [String: Self])
}

extension LocalTree {
    /// A member of an object or dictionary; `nil` where there is none. Setting `nil` removes it; setting one in a tree that
    /// has no members makes it an object with that one.
    public subscript(name: String) -> Self? {
        get { members?[name] }
        set {
            var changed = members ?? [:]
            changed[name] = newValue
            self = Self(members: changed)
        }
    }

    /// Gives a member another name; nothing happens where there is none.
    public mutating func renameMember(_ name: String, to newName: String) {
        guard name != newName, let member = self[name] else { return }
        self[name] = nil
        self[newName] = member
    }
}
