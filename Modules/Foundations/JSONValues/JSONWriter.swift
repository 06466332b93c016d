/// Writes JSON as `JSONEncoder` does with `.sortedKeys` and `.withoutEscapingSlashes`, without an encoder for each value.
///
/// The caller writes the members of an object in the order of their names; the writer does not sort.
package struct JSONWriter: ~Copyable {
    private var buffer = JSONBuffer()
    private let isPretty: Bool
    private let writesNull: Bool
    /// The spaces before an element that is on a separate line.
    private var indentation = 0
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

    /// The text so far, in UTF-8.
    package var bytes: [UInt8] { buffer.bytes }

    /// The number of bytes so far.
    package var count: Int { buffer.count }

    /// Returns the text of one value.
    package static func bytes(isPretty: Bool = false, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(isPretty: isPretty)
        write(&writer)
        return writer.bytes
    }

    /// Returns the text of a tree on one line.
    package static func bytes(_ value: JSONValue) -> [UInt8] { bytes { $0.write(value) } }

    /// Calls a closure with the text so far and forgets it, so that a long text needs little memory.
    package mutating func removeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.removeBytes(body)
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
        buffer.append(UInt8(ascii: start))
        isFirst = true
        indentation += 2
        try body(&self)
        indentation -= 2
        // Foundation leaves an empty line in an empty container.
        if isPretty, isFirst { buffer.append(UInt8(ascii: "\n")) }
        isFirst = false
        breakLine()
        buffer.append(UInt8(ascii: end))
    }

    private mutating func breakLine() {
        if isPretty { buffer.appendLine(indentation: indentation) }
    }

    private mutating func beginElement() {
        if !isFirst { buffer.append(UInt8(ascii: ",")) }
        isFirst = false
        breakLine()
    }

    // MARK: Members

    /// Writes a member with the value that `write` writes. The name of this and of the methods below needs no escapes.
    package mutating func member(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        begin(name)
        write(&self)
    }

    /// Writes a member with any name, and the value that `write` writes.
    package mutating func member(named name: String, _ write: (inout JSONWriter) -> Void) {
        beginElement()
        buffer.append(quoted: name)
        buffer.append(literal: isPretty ? " : " : ":")
        write(&self)
    }

    private mutating func begin(_ name: StaticString) {
        buffer.append(member: name, isFirst: isFirst, indentation: isPretty ? indentation : nil)
        isFirst = false
    }

    /// Begins a member with a value that may be missing; returns false if nothing follows.
    private mutating func begin(_ name: StaticString, isMissing: Bool) -> Bool {
        guard !isMissing || writesNull else { return false }
        begin(name)
        if isMissing { buffer.append(literal: "null") }
        return !isMissing
    }

    package mutating func member(_ name: StaticString, _ value: String?) {
        if begin(name, isMissing: value == nil), let value { write(value) }
    }
    package mutating func member(_ name: StaticString, _ value: Bool?) {
        if begin(name, isMissing: value == nil), let value { write(.bool(value)) }
    }
    package mutating func member(_ name: StaticString, _ value: Int?) {
        if begin(name, isMissing: value == nil), let value { write(.integer(Int64(value))) }
    }
    package mutating func member(_ name: StaticString, _ value: Double?) {
        if begin(name, isMissing: value == nil), let value { write(.number(value)) }
    }
    package mutating func member(_ name: StaticString, _ values: [String]) {
        begin(name)
        array(values) { $0.write($1) }
    }

    // MARK: Values

    /// Writes a string.
    package mutating func write(_ text: String) { buffer.append(quoted: text) }

    /// Writes a tree. A number that is not finite, which JSON does not have, becomes `null`.
    package mutating func write(_ value: JSONValue) {
        switch value {
        case .null: buffer.append(literal: "null")
        case .bool(let value): buffer.append(literal: value ? "true" : "false")
        case .integer(let value): buffer.append(String(value))
        case .unsigned(let value): buffer.append(String(value))
        case .number(let value):
            let text = value.isFinite ? value.description : "null"
            buffer.append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        case .string(let text): write(text)
        case .array(let values): array(values) { $0.write($1) }
        case .object(let members):
            object { writer in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    writer.member(named: name) { $0.write(value) }
                }
            }
        }
    }
}
