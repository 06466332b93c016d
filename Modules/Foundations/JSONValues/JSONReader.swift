import TextEscaping

/// The error of text that is not valid JSON, or not the JSON that is expected.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset of the byte at fault.
    package let offset: Int
    /// The line of that byte, counted from 1.
    package let line: Int
    /// The position of that byte in its line, in bytes, counted from 1.
    package let column: Int
    /// The problem, as a clause without a full stop: `a comma or } is missing`.
    package let message: String

    package var description: String { "line \(line), column \(column): \(message)" }
}

/// Reads JSON (RFC 8259) from UTF-8, value by value, without building a tree.
///
/// The reader is strict: it accepts no trailing commas, no comments, no leading zeros, no unescaped control characters, no
/// invalid UTF-8, no lone surrogates, and no object with two members of the same name.
///
/// ```swift
/// let titles = try JSONReader.read(bytes) { reader throws(JSONError) in
///     var titles: [String] = []
///     try reader.readArray { reader throws(JSONError) in titles.append(try reader.readString()) }
///     return titles
/// }
/// ```
package struct JSONReader {
    /// The kind of the value that begins at the current position.
    package enum Kind: Hashable, Sendable {
        case null, bool, number, string, array, object
    }

    /// A number: as an integer if it has neither fraction nor exponent and fits, otherwise as a floating-point value.
    package enum Number: Hashable, Sendable {
        case integer(Int64)
        /// An integer above `Int64.max`.
        case unsigned(UInt64)
        /// Infinite if the magnitude is too large.
        case double(Double)
    }

    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0
    private var depth = 0
    private let maximumDepth: Int
    /// The number of comparisons between members' names so far, where a lookup by hash counts as one: a measure of effort
    /// that does not depend on the machine.
    package private(set) var nameComparisons = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// Reads one value with nothing but white space around it.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8, without a byte order mark.
    ///   - maximumDepth: the number of arrays and objects that may be nested.
    ///   - body: reads the value.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, and ``JSONError`` for text after the value.
    package static func read<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int = 512,
        _ body: (inout JSONReader) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        var reader = JSONReader(bytes, maximumDepth: maximumDepth)
        let result = try body(&reader)
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.error("the value is followed by more text") }
        return result
    }

    /// Reads one value from an array of bytes, as ``read(_:maximumDepth:_:)-(UnsafeBufferPointer<UInt8>,_,_)``.
    package static func read<Result>(
        _ bytes: [UInt8],
        maximumDepth: Int = 512,
        _ body: (inout JSONReader) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
            try read(buffer, maximumDepth: maximumDepth, body)
        }
    }

    /// The offset of the next byte.
    package var offset: Int { index }

    /// Returns an error for the current position, or for another one.
    package func error(_ message: String, at offset: Int? = nil) -> JSONError {
        let end = min(offset ?? index, bytes.count)
        var line = 1
        var start = 0
        for index in 0..<end where bytes[index] == 0x0A {
            line += 1
            start = index + 1
        }
        return JSONError(offset: end, line: line, column: end - start + 1, message: message)
    }

    /// The kind of the next value.
    package mutating func kind() throws(JSONError) -> Kind {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"): return .number
        case .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number
        case nil: throw error("the text ends where a value is expected")
        default: throw error("a value is expected")
        }
    }

    /// Reads an object.
    ///
    /// - Parameter member: reads the value of a member; receives its name.
    /// - Throws: ``JSONError``.
    package mutating func readObject(
        _ member: (_ name: String, _ reader: inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try readObject(expecting: .none) { name, reader throws(JSONError) in
            if case .other(let name) = name { try member(name, &reader) }
        }
    }

    /// Reads an object most of whose members have expected names.
    ///
    /// - Parameters:
    ///   - names: the expected names.
    ///   - member: reads the value of a member; receives its name.
    /// - Throws: ``JSONError``.
    package mutating func readObject(
        expecting names: JSONNames,
        _ member: (_ name: JSONNames.Name, _ reader: inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try open(UInt8(ascii: "{"), "an object")
        defer { depth -= 1 }
        if take(UInt8(ascii: "}")) { return }
        var others = NameSet()
        var (found, last): (UInt64, Int) = (0, -1)
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("a member's name in quotes is expected") }
            let start = index
            let name: JSONNames.Name
            var isNew = true
            if let match = names.next(after: last, in: bytes, at: index + 1) {
                index += 1 + match.size
                name = .expected(match.place)
            } else {
                let text = try string()
                name = names.place(of: text).map { .expected($0) } ?? .other(text)
                if case .other = name { isNew = others.insert(text, &nameComparisons) }
            }
            if case .expected(let place) = name {
                isNew = found & 1 << UInt64(place) == 0
                found |= 1 << UInt64(place)
                last = place
            }
            guard isNew else {
                index = start
                throw error("the object has two members named \(try string().quoted())", at: start)
            }
            guard take(UInt8(ascii: ":")) else { throw error("a colon after the member's name is expected") }
            skipSpace()
            try member(name, &self)
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw error("a comma or } is expected") }
    }

    /// Reads an array.
    ///
    /// - Parameter element: reads one element.
    /// - Throws: ``JSONError``.
    package mutating func readArray(
        _ element: (_ reader: inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try open(UInt8(ascii: "["), "an array")
        defer { depth -= 1 }
        if take(UInt8(ascii: "]")) { return }
        repeat {
            skipSpace()
            try element(&self)
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw error("a comma or ] is expected") }
    }

    /// Reads a string.
    package mutating func readString() throws(JSONError) -> String {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw error("a string is expected") }
        return try string()
    }

    /// Reads a number.
    package mutating func readNumber() throws(JSONError) -> Number {
        skipSpace()
        return try number()
    }

    /// Reads a number as a floating-point value; one of too large a magnitude is infinite.
    package mutating func readDouble() throws(JSONError) -> Double {
        switch try readNumber() {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        }
    }

    /// Reads `true` or `false`.
    package mutating func readBool() throws(JSONError) -> Bool {
        skipSpace()
        if take("true") { return true }
        if take("false") { return false }
        throw error("true or false is expected")
    }

    /// Reads `null`.
    package mutating func readNull() throws(JSONError) {
        skipSpace()
        guard take("null") else { throw error("null is expected") }
    }

    /// Reads the next value, whatever it is, and returns the range of its bytes.
    @discardableResult
    package mutating func skipValue() throws(JSONError) -> Range<Int> {
        let kind = try kind()
        let start = index
        switch kind {
        case .null: try readNull()
        case .bool: _ = try readBool()
        case .number: _ = try number()
        case .string: _ = try string()
        case .array: try readArray { reader throws(JSONError) in _ = try reader.skipValue() }
        case .object: try readObject { _, reader throws(JSONError) in _ = try reader.skipValue() }
        }
        return start..<index
    }

    // MARK: - Bytes

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        guard bytes.count - index >= word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] { return false }
        index += word.utf8CodeUnitCount
        return true
    }

    private mutating func open(_ byte: UInt8, _ name: String) throws(JSONError) {
        skipSpace()
        guard next == byte else { throw error("\(name) is expected") }
        guard depth < maximumDepth else { throw error("arrays and objects are nested more than \(maximumDepth) deep") }
        depth += 1
        index += 1
    }

    /// The names of an object's members, compared by their bytes.
    private struct NameSet {
        private static let limit = 8
        private var few: [String] = []
        private var many: Set<[UInt8]> = []
        /// Whether each name so far is greater than the one before, as in what ``JSONWriter`` writes: then all differ.
        private var isAscending = true

        /// Adds a name; false if it is present.
        mutating func insert(_ name: String, _ comparisons: inout Int) -> Bool {
            comparisons += 1
            if isAscending, few.last.map({ $0.utf8.lexicographicallyPrecedes(name.utf8) }) ?? true {
                // Most objects need no further memory.
                if few.isEmpty { few.reserveCapacity(2 * Self.limit) }
                few.append(name)
                return true
            }
            isAscending = false
            // A few names are compared faster than they are hashed.
            if many.isEmpty, few.count < Self.limit {
                comparisons += few.count
                guard !few.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return false }
                few.append(name)
                return true
            }
            if many.isEmpty { many = Set(few.map { Array($0.utf8) }) }
            return many.insert(Array(name.utf8)).inserted
        }
    }
}
