import TextEscaping

/// Writes JSON text without an encoder.
package enum JSONText {
    /// Returns a string in quotation marks, in UTF-8: byte for byte the output of `JSONEncoder` with
    /// `.withoutEscapingSlashes`.
    package static func quoted(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(quoted: text, to: &bytes)
        return bytes
    }

    /// Appends a string in quotation marks.
    static func append(quoted text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { source in
            bytes.append(UInt8(ascii: "\""))
            var start = 0
            // A slice is appended byte by byte; a buffer is copied.
            for index in source.indices where needsEscape(source[index]) {
                bytes += UnsafeBufferPointer(rebasing: source[start..<index])
                append(escapeOf: source[index], to: &bytes)
                start = index + 1
            }
            bytes += UnsafeBufferPointer(rebasing: source[start...])
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func append(escapeOf byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default: bytes += ("u" + Hexadecimal.string(of: byte, digits: 4)).utf8
        }
    }
}
