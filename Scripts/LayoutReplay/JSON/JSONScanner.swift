/// Reads one JSON value (RFC 8259) from bytes.
///
/// A reader of its own because a replay may have a million lines, each a document: this one makes nothing but the
/// value, keeps the order of members, refuses a member named twice, and tells the column of what is wrong.
struct JSONScanner {
    struct Failure: Error {
        /// The place of the byte that could not be read, counted from one.
        var column: Int
        var message: String
    }

    private static let deepest = 64
    private static let few = 8
    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0
    private var depth = 0

    /// The value of the bytes, with nothing but white space around it.
    static func value(of bytes: UnsafeBufferPointer<UInt8>) throws(Failure) -> JSONValue {
        var scanner = JSONScanner(bytes: bytes)
        let value = try scanner.value()
        scanner.skipSpace()
        guard scanner.place == bytes.count else { throw scanner.failure("nothing may follow the value") }
        return value
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    func failure(_ message: String) -> Failure {
        Failure(column: place + 1, message: message)
    }

    var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { place += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func value() throws(Failure) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw failure("the text ends where a value must stand")
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard place + index < bytes.count, bytes[place + index] == word.utf8Start[index] else {
                throw failure("this is no JSON value")
            }
        }
        place += word.utf8CodeUnitCount
        return value
    }

    private mutating func enter() throws(Failure) {
        depth += 1
        guard depth <= JSONScanner.deepest else { throw failure("values are nested too deep") }
        place += 1
    }

    private mutating func object() throws(Failure) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure("a member's name must stand here, in quotes") }
            let start = place
            let name = try string()
            // A few are compared faster than hashed; but a demand may name every variable of a large system.
            if members.count == JSONScanner.few { names = Set(members.map(\.name)) }
            let isKnown =
                members.count < JSONScanner.few
                ? members.contains { $0.name == name } : !names.insert(name).inserted
            guard !isKnown else {
                place = start
                throw failure("the member \"\(name)\" stands here twice")
            }
            guard take(UInt8(ascii: ":")) else { throw failure("a colon must follow the name \"\(name)\"") }
            members.append(JSONValue.Member(name: name, value: try value()))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw failure("a comma or } must stand here") }
        return .object(members)
    }

    private mutating func array() throws(Failure) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat { elements.append(try value()) } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw failure("a comma or ] must stand here") }
        return .array(elements)
    }
}
