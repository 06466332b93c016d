/// The unparsed lines of a received head, which can be searched without parsing all fields.
struct HeaderBlock: Sendable {
    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    let bytes: [UInt8]

    /// Returns all fields in order.
    func fields() -> [HTTPHeaders.Field] {
        var fields: [HTTPHeaders.Field] = []
        forEachLine { name, value in
            // A line that begins with whitespace continues the value before it (RFC 9112, section 5.2).
            if name.isEmpty, let last = fields.indices.last {
                fields[last].value += " " + HeaderBlock.text(HeaderBlock.trimmed(value))
            } else {
                fields.append(
                    HTTPHeaders.Field(name: HeaderBlock.text(name), value: HeaderBlock.text(HeaderBlock.trimmed(value)))
                )
            }
            return true
        }
        return fields
    }

    /// Returns the values of all fields with a name, in order.
    func values(_ wanted: String) -> [String] {
        var wanted = wanted
        return wanted.withUTF8 { wanted in
            var values: [String] = []
            var isContinued = false
            forEachLine { name, value in
                if name.isEmpty {
                    if isContinued { values[values.count - 1] += " " + HeaderBlock.text(HeaderBlock.trimmed(value)) }
                } else {
                    isContinued = HeaderBlock.equal(name, wanted)
                    if isContinued { values.append(HeaderBlock.text(HeaderBlock.trimmed(value))) }
                }
                return true
            }
            return values
        }
    }

    /// Returns the values of all fields with a name, joined by a separator, or the first one if the separator is nil.
    func value(_ wanted: String, joinedBy separator: String?) -> String? {
        var wanted = wanted
        return wanted.withUTF8 { wanted in
            var whole: String?
            var isContinued = false
            forEachLine { name, value in
                if name.isEmpty {
                    if isContinued { whole?.append(" " + HeaderBlock.text(HeaderBlock.trimmed(value))) }
                    return true
                }
                isContinued = HeaderBlock.equal(name, wanted)
                guard isContinued else { return whole == nil || separator != nil }
                if whole == nil {
                    whole = HeaderBlock.text(HeaderBlock.trimmed(value))
                } else {
                    guard let separator else { return false }
                    whole?.append(separator + HeaderBlock.text(HeaderBlock.trimmed(value)))
                }
                return true
            }
            return whole
        }
    }

    /// Returns whether there is a field with a name.
    func contains(_ wanted: String) -> Bool {
        var wanted = wanted
        return wanted.withUTF8 { wanted in
            var isFound = false
            forEachLine { name, _ in
                isFound = !name.isEmpty && HeaderBlock.equal(name, wanted)
                return !isFound
            }
            return isFound
        }
    }

    /// Calls `body` with the name and the value of each line until it returns false; a continuation line has an empty name.
    private func forEachLine(_ body: (_ name: Line, _ value: Line) -> Bool) {
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
                defer { start = end + 1 }
                let line = bytes[start..<end]
                guard let first = line.first, first != UInt8(ascii: "\r") else { continue }
                if HeaderBlock.isBlank(first) {
                    guard body(bytes[start..<start], line) else { return }
                    continue
                }
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
                guard body(bytes[start..<colon], bytes[colon + 1..<end]) else { return }
            }
        }
    }

    private static func equal(_ name: Line, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        guard name.count == wanted.count else { return false }
        for (left, right) in zip(name, wanted) where HTTPSyntax.lowered(left) != HTTPSyntax.lowered(right) {
            return false
        }
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func trimmed(_ line: Line) -> Line {
        var line = line
        while let first = line.first, isBlank(first) { line = line.dropFirst() }
        while let last = line.last, isBlank(last) { line = line.dropLast() }
        return line
    }

    /// Decodes UTF-8 or, if it is invalid, Latin-1, so that no byte is lost.
    private static func text(_ bytes: Line) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
