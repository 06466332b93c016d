public import EssentialFoundation
import TextEscaping

/// The secrets in requests and responses, which are replaced in errors and logs.
public struct Redaction: Sendable, Hashable {
    /// Names of header fields whose values are secret, in lower case.
    public var headers: Set<String>
    /// Names of parameters of a query or a form whose values are secret, in lower case. Underscores and hyphens are
    /// ignored: `accessToken` is `access_token`.
    public var parameters: Set<String>
    /// Names of members of a JSON body, or of a form, whose values are secret, in lower case.
    public var fields: Set<String>

    /// The replacement of a secret.
    public static let mark = URLText.redactionMark

    /// Creates a redaction; the names may be in any case.
    public init(
        headers: Set<String> = Redaction.usualHeaders,
        parameters: Set<String> = Redaction.usualParameters,
        fields: Set<String> = Redaction.usualFields
    ) {
        self.headers = Set(headers.map { $0.lowercased() })
        self.parameters = Set(parameters.map { $0.lowercased() })
        self.fields = Set(fields.map { $0.lowercased() })
    }

    /// Replaces nothing.
    public static let none = Redaction(headers: [], parameters: [], fields: [])

    /// The header fields that usually contain credentials.
    public static let usualHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
        "x-csrf-token", "idtoken", "authentication-info", "www-authenticate", "x-access-token", "x-amz-security-token",
        "x-goog-api-key", "x-session-token", "apikey",
    ]

    /// The query parameters that usually contain credentials.
    public static let usualParameters: Set<String> = [
        "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "api-key", "key", "secret",
        "client_secret", "password", "passwd", "pwd", "signature", "sig", "code", "auth", "session",
    ]

    /// The members of a body that are usually secret. Names with many meanings, such as `code` and `key`, are not
    /// among them.
    public static let usualFields: Set<String> = [
        "access_token", "refresh_token", "id_token", "token", "session_token", "csrf_token", "api_key", "secret",
        "client_secret", "private_key", "password", "new_password", "old_password", "passwd", "pwd", "passphrase",
        "authorization", "credential", "credentials", "otp",
    ]

    /// Returns the secrets of this redaction and of another one.
    public func union(_ other: Redaction) -> Redaction {
        var union = self
        union.headers.formUnion(other.headers)
        union.parameters.formUnion(other.parameters)
        union.fields.formUnion(other.fields)
        return union
    }

    /// Returns the fields with secret values replaced, also those in the URLs of other values.
    public func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                self.headers.contains(field.name.lowercased())
                    ? HTTPHeaders.Field(name: field.name, value: Redaction.mark)
                    : HTTPHeaders.Field(name: field.name, value: redacted(text: field.value))
            }
        )
    }

    /// Returns a URL's text with secret parameters, of the query and of the fragment, and any credentials replaced.
    public func redacted(_ url: URL) -> String {
        // Without a host, the meaning of the parts is not known.
        if url.host() == nil, let scheme = url.scheme { return "\(scheme):\(Redaction.mark)" }
        return redacted(text: url.absoluteString)
    }

    /// Returns a request without its secrets and its body.
    public func redacted(_ request: HTTPRequest) -> RedactedRequest {
        RedactedRequest(
            method: request.method,
            url: redacted(request.url),
            headers: redacted(request.headers),
            bodyLength: request.body.knownLength
        )
    }

    /// Returns a head without its secrets, those in its URL included. The authentication schemes of a refusal stay.
    public func redacted(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        let schemes = head.authenticationSchemes
        head.headers = redacted(head.headers)
        if !schemes.isEmpty, head.headers.values(.wwwAuthenticate).contains(Redaction.mark) {
            head.headers[.wwwAuthenticate] = schemes.map { "\($0) \(Redaction.mark)" }.joined(separator: ", ")
        }
        let shown = redacted(head.url)
        if shown != head.url.absoluteString, let url = URLText.escaped(shown).flatMap({ URL(string: $0) }) {
            head.url = url
        }
        return head
    }
}

/// A request without credentials and body, for errors and logs.
public struct RedactedRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPMethod
    /// The URL's text, with secrets replaced.
    public var url: String
    /// The header fields, with secrets replaced.
    public var headers: HTTPHeaders
    /// The size of the body in bytes; nil if it is not known.
    public var bodyLength: Int64?
}

extension Redaction {
    /// Returns whether a parameter's value is secret, by its name in a query: escaped, in any case, with or without
    /// the brackets of a list or of members.
    func isSecretParameter(_ name: some StringProtocol) -> Bool {
        Redaction.contains(parameters, PercentEncoding.decode(name))
    }

    /// Returns whether a member of a body is secret.
    func isSecretField(_ name: some StringProtocol) -> Bool { Redaction.contains(fields, String(name)) }

    /// Returns whether a field of a form is secret; these occur in queries and in bodies.
    package func isSecretFormField(_ name: some StringProtocol) -> Bool {
        let name = PercentEncoding.decode(name)
        return Redaction.contains(parameters, name) || Redaction.contains(fields, name)
    }

    /// Returns a text with the credentials and the secret parameters of all URLs in it replaced.
    ///
    /// A value ends at the next parameter, or at a character that a URL cannot contain.
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
            rest = rest[rest.index(after: end)...]
            // The text may have been redacted before.
            if rest.hasPrefix(Redaction.mark) { rest = rest.dropFirst(Redaction.mark.count) }
            rest = rest.drop { !"&# \t<>\"\r\n".contains($0) }
        }
        return result + rest
    }

    /// Returns the text with everything between `//` and the last `@` of each authority replaced.
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

    /// Returns whether a set contains a name, or a part of a name with brackets, in any case and with any separators:
    /// `accessToken`, `access_token[]`, `credentials[login]`.
    private static func contains(_ names: Set<String>, _ name: String) -> Bool {
        let name = name.lowercased()
        if names.contains(name) { return true }
        return name.split { $0 == "[" || $0 == "]" }.contains { part in
            let plain = part.utf8.lazy.filter(isPlain)
            return names.contains { $0.utf8.lazy.filter(isPlain).elementsEqual(plain) }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") }
}
