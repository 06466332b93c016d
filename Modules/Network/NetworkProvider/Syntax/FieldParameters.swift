/// The parameters in the value of a field, such as `form-data; name="a"; filename=b` (RFC 9110, section 5.6.6).
enum FieldParameters {
    /// Returns the value of the first parameter with a name in any case, without its quotes and escapes; nil if there is none.
    static func value(_ name: String, in field: String) -> String? {
        var rest = field.utf8.drop { $0 != UInt8(ascii: ";") }
        while rest.popFirst() != nil {
            let label = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest[label.endIndex...]
            if rest.popFirst() == UInt8(ascii: "=") {
                let value = value(at: &rest)
                if HTTPSyntax.equal(HTTPSyntax.trimmed(String(Substring(label))), name) { return value }
            }
            rest = rest.drop { $0 != UInt8(ascii: ";") }
        }
        return nil
    }

    /// Reads a token or a quoted string; the last quote may be missing.
    private static func value(at rest: inout Substring.UTF8View) -> String {
        rest = rest.drop(while: isBlank)
        guard rest.first == UInt8(ascii: "\"") else {
            let token = rest.prefix { $0 != UInt8(ascii: ";") && !isBlank($0) }
            rest = rest[token.endIndex...]
            return String(Substring(token))
        }
        rest.removeFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
