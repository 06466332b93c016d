/// Percent-encoding of URLs that a person wrote, and texts that are none in errors.
package enum URLText {
    /// Returns a text with every character that a URL cannot contain percent-encoded as UTF-8, and an international host in
    /// its ASCII form (``HostName``).
    ///
    /// `URL(string:)` encodes every percent sign if any character needs encoding, so that "/강/a%2Fb" would become
    /// "%252F"; this function leaves a percent sign before two hexadecimal digits unchanged.
    /// - Returns: nil for a text with a control character, since encoding would hide a mistake or an attack.
    package static func escaped(_ text: String) -> String? {
        var copy = text
        let escaped: String?? = copy.withUTF8 { bytes in
            guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return .some(nil) }
            let (host, path) = hostAndPath(in: bytes)
            let name = HostName.ascii(bytes[host])
            guard name != nil || (path..<bytes.count).contains(where: { !isAllowed(bytes[$0], at: $0, in: bytes) })
            else { return nil }
            var escaped = Array(bytes[..<path])
            if let name { escaped.replaceSubrange(host, with: name.utf8) }
            for (index, byte) in zip(path..., bytes[path...]) {
                if isAllowed(byte, at: index, in: bytes) {
                    escaped.append(byte)
                } else {
                    escaped.append(UInt8(ascii: "%"))
                    escaped.append(digits[Int(byte >> 4)])
                    escaped.append(digits[Int(byte & 15)])
                }
            }
            return String(decoding: escaped, as: UTF8.self)
        }
        // Usually nothing is to be escaped.
        return escaped ?? text
    }

    /// The replacement of a secret.
    package static let redactionMark = "<redacted>"

    /// Returns a text that is not a URL, quoted up to its query and without credentials before the host: its parts are
    /// not known, so that every possible secret is left out.
    package static func quoted(_ text: String) -> String {
        var text = String(text.prefix { $0 != "?" && $0 != "#" })
        if let at = text.lastIndex(of: "@") {
            let start = text.firstRange(of: "//").map(\.upperBound) ?? text.startIndex
            if start <= at { text.replaceSubrange(start..<at, with: redactionMark) }
        }
        return text.debugDescription
    }

    /// Returns whether a percent-encoded path has a segment of one or two dots, encoded or not.
    package static func hasDotSegments(_ path: String) -> Bool {
        guard path.utf8.contains(UInt8(ascii: ".")) || path.contains("%2") else { return false }
        return path.split(separator: "/").contains { segment in
            guard segment.utf8.count <= 6 else { return false }
            let plain = segment.lowercased().split(separator: "%2e", omittingEmptySubsequences: false).joined(
                separator: "."
            )
            return plain == "." || plain == ".."
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns the place of the host, and the index at which the part after the authority begins: 0 in a reference that has
    /// no authority, such as `강/a` or `/강`.
    private static func hostAndPath(in bytes: UnsafeBufferPointer<UInt8>) -> (host: Range<Int>, path: Int) {
        func isEnd(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        guard let first = bytes.firstIndex(where: isEnd), first == 0 || bytes[first - 1] == UInt8(ascii: ":"),
            bytes[first...].starts(with: "//".utf8)
        else { return (0..<0, 0) }
        let path = bytes[(first + 2)...].firstIndex(where: isEnd) ?? bytes.count
        let authority = bytes[(first + 2)..<path]
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
        let end = authority[start...].firstIndex(of: UInt8(ascii: ":")) ?? path
        return (start..<end, path)
    }

    private static func isAllowed(_ byte: UInt8, at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch byte {
        case UInt8(ascii: "%"):
            index + 2 < bytes.count && isHexadecimal(bytes[index + 1]) && isHexadecimal(bytes[index + 2])
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
            UInt8(ascii: "}"):
            false
        case 0x21...0x7e: true
        default: false
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
