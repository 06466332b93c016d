/// The grammar of RFC 9110 that both sides of an exchange need.
package enum HTTPSyntax {
    /// Whether a text is a token (section 5.6.2): what methods and field names are made of.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

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

    /// Whether a text may be a field's value: no control characters but the tab.
    package static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    }

    /// A field's value without the blanks around it, which are no part of it.
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

    /// Whether a URL's text begins with `https:`, in any case.
    package static func isSecure(_ url: String) -> Bool {
        zip(url.utf8, "https:".utf8).allSatisfy { lowered($0) == $1 } && url.utf8.count > 5
    }

    /// Whether a field tells where a message ends, which only the transport may say.
    package static func isFraming(_ name: String) -> Bool {
        equal(name, "content-length") || equal(name, "transfer-encoding")
    }

    /// Whether two names are equal without regard to the case of ASCII letters.
    package static func equal(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8) { lowered($0) == lowered($1) }
    }

    /// An ASCII letter in lower case; any other byte as it is.
    package static func lowered(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
