internal import JSONValues

/// A JSON value whose objects have their members in the order of the text.
indirect enum ReplayJSON: Hashable {
    case null
    case bool(Bool)
    /// A number; infinite if its magnitude is too large for a double.
    case number(Double)
    case string(String)
    case array([ReplayJSON])
    case object([Member])

    struct Member: Hashable {
        var name: String
        var value: ReplayJSON
    }

    /// The maximum number of arrays and objects that are nested.
    private static let maximumDepth = 64

    /// Parses a line.
    init(parsing bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
        self = try JSONReader.read(bytes, maximumDepth: Self.maximumDepth) { reader throws(JSONError) in
            try ReplayJSON(from: &reader)
        }
    }

    private init(from reader: inout JSONReader) throws(JSONError) {
        switch try reader.kind() {
        case .null:
            try reader.readNull()
            self = .null
        case .bool: self = .bool(try reader.readBool())
        case .number: self = .number(try reader.readDouble())
        case .string: self = .string(try reader.readString())
        case .array:
            var elements: [ReplayJSON] = []
            try reader.readArray { reader throws(JSONError) in elements.append(try ReplayJSON(from: &reader)) }
            self = .array(elements)
        case .object:
            var members: [Member] = []
            try reader.readObject { name, reader throws(JSONError) in
                members.append(Member(name: name, value: try ReplayJSON(from: &reader)))
            }
            self = .object(members)
        }
    }

    /// The kind of the value in words.
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
