/// Percent-encoding of what stands inside one name, value or path segment.
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text with all but RFC 3986's unreserved characters escaped.
    static func encode(_ text: String, plusForSpace: Bool = false) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            case UInt8(ascii: " ") where plusForSpace:
                encoded.append(UInt8(ascii: "+"))
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

/// Helps to put values into a target's path.
public enum RemotePath {
    /// A value as one segment of a path: slashes, percent signs and all else that has a meaning is escaped.
    ///
    /// The segments `.` and `..` cannot be escaped and mean other places; a server sees them as they are.
    public static func segment(_ value: String) -> String { PercentEncoding.encode(value) }
}
