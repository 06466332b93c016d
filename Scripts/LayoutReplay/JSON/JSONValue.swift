/// A JSON value, objects with their members in the order of the text.
indirect enum JSONValue: Hashable {
    case null
    case bool(Bool)
    /// A number; one too large for a double is infinite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Hashable {
        var name: String
        var value: JSONValue
    }

    /// What the value is, in words.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
