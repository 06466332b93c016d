/// The raw lines of a received head, searched without parsing the fields that nobody asks for.
struct HeaderBlock: Sendable {
    let bytes: [UInt8]

    /// All fields in their order.
    func fields() -> [HTTPHeaders.Field] {
        var fields: [HTTPHeaders.Field] = []
        eachLine { name, value in
            // A line that begins with a blank continues the value before it (RFC 9112, section 5.2).
            if name.isEmpty, let last = fields.indices.last {
                fields[last].value += " " + HeaderBlock.text(value)
            } else {
                fields.append(HTTPHeaders.Field(name: HeaderBlock.text(name), value: HeaderBlock.text(value)))
            }
            return true
        }
        return fields
    }

    /// The value of the first field of that name.
    func first(_ wanted: String) -> String? {
        var wanted = wanted
        return wanted.withUTF8 { wanted in
            var found: String?
            eachLine { name, value in
                if let text = found {
                    guard name.isEmpty else { return false }
                    found = text + " " + HeaderBlock.text(value)
                    return true
                }
                guard name.count == wanted.count else { return true }
                for (left, right) in zip(name, wanted) where HTTPSyntax.lowered(left) != HTTPSyntax.lowered(right) {
                    return true
                }
                found = HeaderBlock.text(value)
                return true
            }
            return found
        }
    }

    /// Calls `take` with each line's name and trimmed value until it says false; a continuation has an empty name.
    private func eachLine(
        _ take: (_ name: Slice<UnsafeBufferPointer<UInt8>>, _ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool
    ) {
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
                defer { start = end + 1 }
                let line = bytes[start..<end]
                guard let first = line.first, first != UInt8(ascii: "\r") else { continue }
                if HeaderBlock.isBlank(first) {
                    guard take(bytes[start..<start], HeaderBlock.trimmed(line)) else { return }
                    continue
                }
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
                guard take(bytes[start..<colon], HeaderBlock.trimmed(bytes[colon + 1..<end])) else { return }
            }
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func trimmed(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var line = line
        while let first = line.first, isBlank(first) { line = line.dropFirst() }
        while let last = line.last, isBlank(last) { line = line.dropLast() }
        return line
    }

    /// UTF-8 where it is valid, else Latin-1, so that no byte is lost.
    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
