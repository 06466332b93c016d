/// Writes JSON as `JSONEncoder` does with `.sortedKeys` and `.withoutEscapingSlashes`, without an encoder for each value.
///
/// The caller writes the members of an object in the order of their names; the writer does not sort.
package struct JSONWriter {
    /// The text, in UTF-8.
    package private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    private let writesNull: Bool
    private var depth = 0
    /// Whether the next element is the first one of its array or object.
    private var isFirst = true

    /// Creates a writer without text.
    ///
    /// - Parameters:
    ///   - isPretty: whether each member is on a separate line, as with `.prettyPrinted`.
    ///   - writesNull: whether a missing value is written as `null`; otherwise its member is omitted.
    package init(isPretty: Bool = false, writesNull: Bool = false) {
        (self.isPretty, self.writesNull) = (isPretty, writesNull)
    }

    /// Returns the text of one value.
    package static func bytes(isPretty: Bool = false, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(isPretty: isPretty)
        write(&writer)
        return writer.bytes
    }

    /// Returns the text of a tree on one line.
    package static func bytes(_ value: JSONValue) -> [UInt8] { bytes { $0.write(value) } }

    /// Returns the text so far and forgets it, so that a long text needs little memory.
    package mutating func removeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    // MARK: Containers

    /// Writes an object, whose members `body` writes.
    package mutating func object<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        try container("{", "}", body)
    }

    /// Writes an array, whose elements `write` writes.
    package mutating func array<Elements: Sequence>(
        _ elements: Elements,
        _ write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        container("[", "]") { writer in
            for element in elements {
                writer.beginElement()
                write(&writer, element)
            }
        }
    }

    private mutating func container<Failure>(
        _ start: Unicode.Scalar,
        _ end: Unicode.Scalar,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        bytes.append(UInt8(ascii: start))
        (depth, isFirst) = (depth + 1, true)
        try body(&self)
        depth -= 1
        // Foundation leaves an empty line in an empty container.
        if isPretty, isFirst { bytes.append(UInt8(ascii: "\n")) }
        isFirst = false
        breakLine()
        bytes.append(UInt8(ascii: end))
    }

    private mutating func beginElement() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        breakLine()
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }

    // MARK: Members

    /// Writes a member with the value that `write` writes.
    package mutating func member(_ name: String, _ write: (inout JSONWriter) -> Void) {
        beginElement()
        JSONText.append(quoted: name, to: &bytes)
        if isPretty { bytes.append(UInt8(ascii: " ")) }
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(UInt8(ascii: " ")) }
        write(&self)
    }

    /// Writes a member with a value that may be missing.
    private mutating func member<Value>(_ name: String, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
        if let value {
            member(name) { write(&$0, value) }
        } else if writesNull {
            member(name) { $0.write(.null) }
        }
    }

    package mutating func member(_ name: String, _ value: String?) { member(name, value) { $0.write($1) } }
    package mutating func member(_ name: String, _ value: Bool?) { member(name, value) { $0.write(.bool($1)) } }
    package mutating func member(_ name: String, _ value: Int?) {
        member(name, value) { $0.write(.integer(Int64($1))) }
    }
    package mutating func member(_ name: String, _ value: Double?) { member(name, value) { $0.write(.number($1)) } }
    package mutating func member(_ name: String, _ values: [String]) {
        member(name) { $0.array(values) { $0.write($1) } }
    }

    // MARK: Values

    /// Writes a string.
    package mutating func write(_ text: String) { JSONText.append(quoted: text, to: &bytes) }

    /// Writes a tree. A number that is not finite, which JSON does not have, becomes `null`.
    package mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .unsigned(let value): bytes += String(value).utf8
        case .number(let value):
            let start = bytes.count
            bytes += (value.isFinite ? value.description : "null").utf8
            if bytes[start...].suffix(2).elementsEqual(".0".utf8) { bytes.removeLast(2) }
        case .string(let text): write(text)
        case .array(let values): array(values) { $0.write($1) }
        case .object(let members):
            object { writer in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    writer.member(name) { $0.write(value) }
                }
            }
        }
    }
}
