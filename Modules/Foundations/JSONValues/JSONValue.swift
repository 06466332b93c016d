/// A JSON value of any shape.
///
/// Public because `LocalProvider` re-exports it: the target is not a product.
public enum JSONValue: Codable, Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits into 64 bits.
    case integer(Int64)
    /// A number without a fraction, above the range of ``integer(_:)``.
    case unsigned(UInt64)
    /// Any other number, rounded to a `Double`.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])

    /// Decodes the value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// Parsing, stricter and with better errors than `JSONDecoder`; see ``JSONReader``.
extension JSONValue {
    /// Parses a JSON text.
    ///
    /// - Throws: ``JSONError`` with the line and the column of what is invalid. An object with two members whose names are
    ///   equal as Swift strings is invalid, since a dictionary holds only one of them.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        self = try JSONReader.read(bytes) { reader throws(JSONError) in try reader.readValue() }
    }

    /// Parses a JSON text that is one object, and returns its members in their order.
    ///
    /// The names differ in their bytes, but may be equal as Swift strings.
    package static func members(parsing bytes: [UInt8]) throws(JSONError) -> [(name: String, value: JSONValue)] {
        try JSONReader.read(bytes) { reader throws(JSONError) in
            var members: [(name: String, value: JSONValue)] = []
            try reader.readObject { name, reader throws(JSONError) in members.append((name, try reader.readValue())) }
            return members
        }
    }
}

extension JSONReader {
    /// Reads the next value as a tree.
    package mutating func readValue() throws(JSONError) -> JSONValue {
        switch try kind() {
        case .null:
            try readNull()
            return .null
        case .bool: return .bool(try readBool())
        case .string: return .string(try readString())
        case .number:
            switch try readNumber() {
            case .integer(let value): return .integer(value)
            case .unsigned(let value): return .unsigned(value)
            // As JSONDecoder does: 1.0 and 1e2 are integers, and what was rounded to the lowest integer is not.
            case .double(let value):
                let integer = value > -0x1p63 ? Int64(exactly: value) : nil
                return integer.map(JSONValue.integer) ?? .number(value)
            }
        case .array:
            var elements: [JSONValue] = []
            try readArray { reader throws(JSONError) in elements.append(try reader.readValue()) }
            return .array(elements)
        case .object:
            var members: [String: JSONValue] = [:]
            try readObject { name, reader throws(JSONError) in
                let start = reader.offset
                if members.isEmpty { members.reserveCapacity(8) }
                guard members.updateValue(try reader.readValue(), forKey: name) == nil else {
                    throw reader.error("the name of this member equals that of another", at: start)
                }
            }
            return .object(members)
        }
    }
}
