extension Redaction {
    /// Whether a parameter's value is secret, by its name as it stands in a query: escaped, in any case, with or without
    /// the brackets of a list.
    func isSecretParameter(_ name: some StringProtocol) -> Bool {
        Redaction.contains(parameters, PercentEncoding.decode(name))
    }

    /// Whether a field of a body is secret.
    func isSecretField(_ name: some StringProtocol) -> Bool { Redaction.contains(fields, String(name)) }

    /// Whether a field of a form is secret: those come in queries and in bodies alike.
    func isSecretFormField(_ name: some StringProtocol) -> Bool {
        let name = PercentEncoding.decode(name)
        return Redaction.contains(parameters, name) || Redaction.contains(fields, name)
    }

    /// A text with the credentials and the secret parameters of all URLs in it replaced.
    ///
    /// A value goes up to the next pair, or to what cannot stand in a URL; a secret that is longer than that was not
    /// escaped, and no server would have read it whole.
    func redacted(text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x3f || $0 == 0x23 || $0 == 0x40 }) else { return text }
        return redactedPairs(Redaction.withoutUserInfo(text))
    }

    private func redactedPairs(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(where: { $0 == "?" || $0 == "&" || $0 == "#" }) {
            result += rest[...mark]
            rest = rest[rest.index(after: mark)...]
            let end = rest.firstIndex { "&#?= \t<>\"\r\n".contains($0) } ?? rest.endIndex
            guard end < rest.endIndex, rest[end] == "=", isSecretParameter(rest[..<end]) else { continue }
            result += rest[...end] + Redaction.mark
            rest = rest[rest.index(after: end)...].drop { !"&# \t<>\"\r\n".contains($0) }
        }
        return result + rest
    }

    /// The text with what stands between `//` and the last `@` of each authority replaced.
    private static func withoutUserInfo(_ text: String) -> String {
        guard text.contains("@") else { return text }
        var result = ""
        var rest = text[...]
        while let slashes = rest.firstRange(of: "//") {
            result += rest[..<slashes.upperBound]
            rest = rest[slashes.upperBound...]
            let authority = rest.prefix { !"/?# \t<>\"".contains($0) }
            guard let at = authority.lastIndex(of: "@") else { continue }
            result += mark
            rest = rest[at...]
        }
        return result + rest
    }

    /// Whether a name is one of a set, whatever its case and its separators: `accessToken`, `access_token[]`.
    private static func contains(_ names: Set<String>, _ name: String) -> Bool {
        var name = name.lowercased()
        if names.contains(name) { return true }
        if let bracket = name.lastIndex(of: "["), name.hasSuffix("]") {
            let inner = name[name.index(after: bracket)...].dropLast()
            name = inner.isEmpty ? String(name[..<bracket]) : String(inner)
        }
        let plain = name.utf8.lazy.filter(isPlain)
        return names.contains { $0.utf8.lazy.filter(isPlain).elementsEqual(plain) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") }
}
