import EssentialFoundation
@_exported public import JSONValues

extension JSONValue: LocalTree {
    /// Encodes a value as JSON.
    public init(encoding value: some Encodable) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
    }

    /// Decodes a value from the JSON.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
    }

    /// The members of an object by name, or `nil` for every other value.
    public var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// Creates an object.
    public init(members: [String: JSONValue]) { self = .object(members) }
}
