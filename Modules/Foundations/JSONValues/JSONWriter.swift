/// Writes JSON as `JSONEncoder` does with `.sortedKeys` and `.withoutEscapingSlashes`, without an encoder for each value.
///
/// The caller writes the members of an object in the order of their names; the writer does not sort.
package struct JSONWriter {
    /// The text, in UTF-8.
    package private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    private let writesNull: Bool
    /// What is between the name and the value of a member.
    private let separator: [UInt8]
    /// The line break before an element, with its indentation; empty if all is on one line.
    private var lineBreak: [UInt8]
    /// Whether the next element is the first one of its array or object.
    private var isFirst = true

    /// Creates a writer without text.
    ///
    /// - Parameters:
    ///   - isPretty: whether each member is on a separate line, as with `.prettyPrinted`.
    ///   - writesNull: whether a missing value is written as `null`; otherwise its member is omitted.
    package init(isPretty: Bool = false, writesNull: Bool = false) {
        (self.isPretty, self.writesNull) = (isPretty, writesNull)
        separator = Array((isPretty ? " : " : ":").utf8)
        lineBreak = isPretty ? [UInt8(ascii: "\n")] : []
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
        isFirst = true
        if isPretty { lineBreak += [UInt8(ascii: " "), UInt8(ascii: " ")] }
        try body(&self)
        if isPretty { lineBreak.removeLast(2) }
        // Foundation leaves an empty line in an empty container.
        if isPretty, isFirst { bytes.append(UInt8(ascii: "\n")) }
        isFirst = false
        bytes += lineBreak
        bytes.append(UInt8(ascii: end))
    }

    private mutating func beginElement() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes += lineBreak
    }

    // MARK: Members

    /// Writes a member with the value that `write` writes.
    package mutating func member(_ name: String, _ write: (inout JSONWriter) -> Void) {
        begin(name)
        write(&self)
    }

    private mutating func begin(_ name: String) {
        beginElement()
        JSONText.append(quoted: name, to: &bytes)
        bytes += separator
    }

    /// Begins a member with a value that may be missing; returns false if nothing follows.
    private mutating func begin(_ name: String, isMissing: Bool) -> Bool {
        guard !isMissing || writesNull else { return false }
        begin(name)
        if isMissing { bytes += "null".utf8 }
        return !isMissing
    }

    package mutating func member(_ name: String, _ value: String?) {
        if begin(name, isMissing: value == nil), let value { write(value) }
    }
    package mutating func member(_ name: String, _ value: Bool?) {
        if begin(name, isMissing: value == nil), let value { write(.bool(value)) }
    }
    package mutating func member(_ name: String, _ value: Int?) {
        if begin(name, isMissing: value == nil), let value { write(.integer(Int64(value))) }
    }
    package mutating func member(_ name: String, _ value: Double?) {
        if begin(name, isMissing: value == nil), let value { write(.number(value)) }
    }
    package mutating func member(_ name: String, _ values: [String]) {
        begin(name)
        array(values) { $0.write($1) }
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
