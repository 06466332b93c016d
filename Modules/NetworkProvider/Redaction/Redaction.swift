#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is a secret in requests and answers, and is left out of errors and logs.
public struct Redaction: Sendable, Hashable {
    /// Names of header fields whose values are secret, in lower case.
    public var headers: Set<String>
    /// Names of query parameters, and of a form's fields, whose values are secret, in lower case. Underscores and hyphens
    /// do not count: `accessToken` is `access_token`.
    public var parameters: Set<String>
    /// Names of members of a JSON body, and of a form's fields, whose values are secret, in lower case.
    public var fields: Set<String>

    /// What stands in a secret's place.
    public static let mark = "<redacted>"

    /// Creates a redaction; names may be given in any case.
    public init(
        headers: Set<String> = Redaction.usualHeaders,
        parameters: Set<String> = Redaction.usualParameters,
        fields: Set<String> = Redaction.usualFields
    ) {
        self.headers = Set(headers.map { $0.lowercased() })
        self.parameters = Set(parameters.map { $0.lowercased() })
        self.fields = Set(fields.map { $0.lowercased() })
    }

    /// Nothing is secret.
    public static let none = Redaction(headers: [], parameters: [], fields: [])

    /// The header fields that carry credentials as a rule.
    public static let usualHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
        "x-csrf-token", "idtoken", "authentication-info", "www-authenticate", "x-access-token", "x-amz-security-token",
        "x-goog-api-key", "x-session-token", "apikey",
    ]

    /// The query parameters that carry credentials as a rule.
    public static let usualParameters: Set<String> = [
        "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "api-key", "key", "secret",
        "client_secret", "password", "passwd", "pwd", "signature", "sig", "code", "auth", "session",
    ]

    /// The members of a body that are secret as a rule. Names that mean many things, such as `code` and `key`, are not
    /// among them.
    public static let usualFields: Set<String> = [
        "access_token", "refresh_token", "id_token", "token", "session_token", "csrf_token", "api_key", "secret",
        "client_secret", "private_key", "password", "new_password", "old_password", "passwd", "pwd", "passphrase",
        "authorization", "credential", "credentials", "otp",
    ]

    /// What is a secret by this redaction or by another one.
    public func union(_ other: Redaction) -> Redaction {
        var union = self
        union.headers.formUnion(other.headers)
        union.parameters.formUnion(other.parameters)
        union.fields.formUnion(other.fields)
        return union
    }

    /// Fields with secret values replaced, and those secrets that stand in the URLs of others.
    public func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                self.headers.contains(field.name.lowercased())
                    ? HTTPHeaders.Field(name: field.name, value: Redaction.mark)
                    : HTTPHeaders.Field(name: field.name, value: redacted(text: field.value))
            }
        )
    }

    /// A URL's text with secret parameters, of the query and of the fragment, and any credentials replaced.
    public func redacted(_ url: URL) -> String {
        // What has no host is no address: nobody knows what its parts mean.
        if url.host() == nil, let scheme = url.scheme { return "\(scheme):\(Redaction.mark)" }
        return redacted(text: url.absoluteString)
    }

    /// A text that was to be a URL, quoted up to its query and without credentials before the host: what is no URL
    /// cannot be taken apart, so everything that may hold a secret is left out.
    static func plain(_ text: String) -> String {
        var text = String(text.prefix { $0 != "?" && $0 != "#" })
        if let at = text.lastIndex(of: "@") {
            let start = text.firstRange(of: "//").map(\.upperBound) ?? text.startIndex
            if start <= at { text.replaceSubrange(start..<at, with: mark) }
        }
        return text.debugDescription
    }

    /// A request without its secrets and its body.
    public func redacted(_ request: HTTPRequest) -> RedactedRequest {
        RedactedRequest(
            method: request.method,
            url: redacted(request.url),
            headers: redacted(request.headers),
            bodyLength: request.body.knownLength
        )
    }

    /// A head without its secrets, those in its URL included.
    public func redacted(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        head.headers = redacted(head.headers)
        let shown = redacted(head.url)
        if shown != head.url.absoluteString, let url = URLText.escaped(shown).flatMap({ URL(string: $0) }) {
            head.url = url
        }
        return head
    }
}

/// A request as it may be shown: no credentials, no body.
public struct RedactedRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPMethod
    /// The URL's text, secrets replaced.
    public var url: String
    /// The header fields, secrets replaced.
    public var headers: HTTPHeaders
    /// The bytes of the body where that is known.
    public var bodyLength: Int64?
}

extension Redaction {
    /// Whether a parameter's value is secret, by its name as it stands in a query: escaped, in any case, with or without
    /// the brackets of a list.
    func isSecretParameter(_ name: some StringProtocol) -> Bool {
        Redaction.contains(parameters, PercentEncoding.decode(name))
    }

    /// Whether a field of a body is secret.
    func isSecretField(_ name: some StringProtocol) -> Bool { Redaction.contains(fields, String(name)) }

    /// Whether a field of a form is secret: those come in queries and in bodies alike.
    package func isSecretFormField(_ name: some StringProtocol) -> Bool {
        let name = PercentEncoding.decode(name)
        return Redaction.contains(parameters, name) || Redaction.contains(fields, name)
    }

    /// A text with the credentials and the secret parameters of all URLs in it replaced.
    ///
    /// A value goes up to the next pair, or to what cannot stand in a URL; a secret that is longer than that was not
    /// escaped, and no server would have read it whole.
    package func redacted(text: String) -> String {
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
