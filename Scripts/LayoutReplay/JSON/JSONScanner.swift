/// Reads one JSON value (RFC 8259) from bytes.
///
/// A reader of its own because a replay may have a million lines, each a document: this one makes nothing but the value,
/// keeps the order of members, refuses a member named twice, and tells the column of what is wrong.
struct JSONScanner {
    struct Failure: Error {
        /// The place of the byte that could not be read, counted from one.
        var column: Int
        var message: String
    }

    private static let deepest = 64
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
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

    private func failure(_ message: String) -> Failure {
        Failure(column: place + 1, message: message)
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

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
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure("a member's name must stand here, in quotes") }
            let start = place
            let name = try string()
            guard !members.contains(where: { $0.name == name }) else {
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

// MARK: - Strings

extension JSONScanner {
    private mutating func string() throws(Failure) -> String {
        place += 1
        let start = place
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { place += 1 }
        var text = try text(from: start)
        while true {
            switch next {
            case UInt8(ascii: "\""):
                place += 1
                return text
            case UInt8(ascii: "\\"): text.unicodeScalars.append(try escape())
            case nil: throw failure("the text ends inside a string")
            default: throw failure("a control character must be escaped inside a string")
            }
            let start = place
            while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { place += 1 }
            text += try self.text(from: start)
        }
    }

    private func text(from start: Int) throws(Failure) -> String {
        guard let text = String(validating: bytes[start..<place], as: UTF8.self) else {
            throw failure("the string is no UTF-8")
        }
        return text
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        place += 1
        guard let byte = next else { throw failure("the text ends inside a string") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let first = try hexadecimal()
            if let scalar = Unicode.Scalar(first) { return scalar }
            guard first < 0xDC00, next == UInt8(ascii: "\\"), place + 1 < bytes.count,
                bytes[place + 1] == UInt8(ascii: "u")
            else { throw failure("half of a surrogate pair stands alone") }
            place += 2
            let second = try hexadecimal()
            guard (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { throw failure("half of a surrogate pair stands alone") }
            return scalar
        default:
            place -= 1
            throw failure("there is no such escape")
        }
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("four hexadecimal digits must stand here")
            }
            code = code << 4 + UInt32(digit)
            place += 1
        }
        return code
    }
}

// MARK: - Numbers

extension JSONScanner {
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private mutating func digits(_ mantissa: inout UInt64, _ count: inout Int) -> Int {
        let start = place
        while let byte = next, byte >= 0x30, byte <= 0x39 {
            // Past 18 digits the mantissa is not used any more.
            if count < 18 { mantissa = mantissa * 10 + UInt64(byte - 0x30) }
            if count > 0 || byte != 0x30 { count += 1 }
            place += 1
        }
        return place - start
    }

    private mutating func number() throws(Failure) -> Double {
        let start = place
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { place += 1 }
        var mantissa: UInt64 = 0
        var count = 0
        let isLeadingZero = next == 0x30
        let whole = digits(&mantissa, &count)
        guard whole > 0 else {
            place = start
            throw failure("this is no JSON value")
        }
        guard !isLeadingZero || whole == 1 else { throw failure("a number may not begin with 0") }
        var exponent = 0
        if next == UInt8(ascii: ".") {
            place += 1
            let fraction = digits(&mantissa, &count)
            guard fraction > 0 else { throw failure("a digit must follow the point") }
            exponent = -fraction
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            place += 1
            let isFalling = next == UInt8(ascii: "-")
            if isFalling || next == UInt8(ascii: "+") { place += 1 }
            var power: UInt64 = 0
            var powerCount = 0
            guard digits(&power, &powerCount) > 0 else { throw failure("a digit must follow the exponent's sign") }
            exponent += (isFalling ? -1 : 1) * (powerCount > 6 ? 999_999 : Int(power))
        }
        // Exact: both are doubles without error, so their product or quotient is rounded once (Clinger 1990).
        if count <= 15, exponent >= -22, exponent <= 22 {
            let value =
                exponent < 0
                ? Double(mantissa) / JSONScanner.powersOfTen[-exponent]
                : Double(mantissa) * JSONScanner.powersOfTen[exponent]
            return isNegative ? -value : value
        }
        guard let value = Double(String(decoding: bytes[start..<place], as: UTF8.self)) else {
            throw failure("this is no JSON value")
        }
        return value
    }
}
