extension PropertyListValue: LocalTree {
    /// The property list of a value.
    public init(encoding value: some Encodable) throws {
        self = try PropertyListValue(reading: PropertyListCoding.encode(value, as: .binary))
    }

    /// The value that the property list stands for.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try PropertyListCoding.decode(type, from: self)
    }

    /// The values of a dictionary by name; `nil` for everything else.
    public var members: [String: PropertyListValue]? {
        if case .dictionary(let members) = self { members } else { nil }
    }

    /// A dictionary.
    public init(members: [String: PropertyListValue]) {
        self = .dictionary(members)
    }
}
