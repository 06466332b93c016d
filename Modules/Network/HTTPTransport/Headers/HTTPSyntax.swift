/// Rules of the grammar of HTTP (RFC 9110) and of URLs.
package enum HTTPSyntax {
    /// Returns whether a text is a token (section 5.6.2), as methods and field names must be.
    package static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
            UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Returns whether a text is valid as a field's value: it has no control characters except tabs.
    package static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    }

    /// Returns a field's value without surrounding spaces and tabs, which are not part of it.
    package static func trimmed(_ value: String) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = value.utf8.first, let last = value.utf8.last, isBlank(first) || isBlank(last) else {
            return value
        }
        guard let start = value.utf8.firstIndex(where: { !isBlank($0) }),
            let end = value.utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(value[start...end])
    }

    /// Splits the values of several Set-Cookie fields that a library has joined by commas.
    ///
    /// A comma also occurs in a date and in a cookie's value: one that ends a field is followed by the name of a cookie.
    package static func setCookieFields(_ joined: String) -> [String] {
        var fields: [String] = []
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.prefix { $0 != ";" }
            let isStart = pair.firstIndex(of: "=").map { isToken(trimmed(String(pair[..<$0]))) } ?? false
            if isStart || fields.isEmpty { fields.append(String(part)) } else { fields[fields.count - 1] += "," + part }
        }
        return fields.map(trimmed)
    }

    /// Returns whether a URL begins with `https:`, without regard to case.
    package static func isSecure(_ url: String) -> Bool {
        zip(url.utf8, "https:".utf8).allSatisfy { lowered($0) == $1 } && url.utf8.count > 5
    }

    /// Returns whether a field determines where a message ends; only the transport sets these.
    package static func isFraming(_ name: String) -> Bool {
        equal(name, "content-length") || equal(name, "transfer-encoding")
    }

    /// Returns whether two names are equal without regard to the case of ASCII letters.
    package static func equal(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8) { lowered($0) == lowered($1) }
    }

    /// Returns an ASCII letter in lower case, and any other byte unchanged.
    package static func lowered(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
