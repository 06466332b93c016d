/// The JSON of the plainest values, which needs no encoder: most of what a set costs beside the disk is starting one.
///
/// Byte for byte what `JSONEncoder` gives without escaped slashes, so that a value is the same however it was written.
enum JSONFragment {
    /// The JSON of a text, a whole number or a truth value; `nil` for everything else.
    static func bytes<Value>(of value: Value) -> [UInt8]? {
        // Compared before it is cast: a cast that fails takes longer than the look.
        if Value.self == String.self { return (value as? String).map(quoted) }
        if Value.self == Int.self { return (value as? Int).map { Array(String($0).utf8) } }
        if Value.self == Bool.self { return (value as? Bool).map { Array(($0 ? "true" : "false").utf8) } }
        return nil
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { source in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(source.count + source.count / 16 + 2)
            bytes.append(UInt8(ascii: "\""))
            var start = 0
            for (index, byte) in source.enumerated() where needsEscape(byte) {
                bytes += source[start..<index]
                escape(byte, into: &bytes)
                start = index + 1
            }
            bytes += source[start...]
            bytes.append(UInt8(ascii: "\""))
            return bytes
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes += "u00".utf8
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}
