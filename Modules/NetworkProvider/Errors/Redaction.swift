#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is a secret in requests and answers, and is left out of errors and logs.
public struct Redaction: Sendable, Hashable {
    /// Names of header fields whose values are secret, in lower case.
    public var headers: Set<String>
    /// Names of query parameters whose values are secret, in lower case.
    public var parameters: Set<String>

    /// What stands in a secret's place.
    public static let mark = "<redacted>"

    /// Creates a redaction; names may be given in any case.
    public init(headers: Set<String> = Redaction.usualHeaders, parameters: Set<String> = Redaction.usualParameters) {
        self.headers = Set(headers.map { $0.lowercased() })
        self.parameters = Set(parameters.map { $0.lowercased() })
    }

    /// The header fields that carry credentials as a rule.
    public static let usualHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
        "x-csrf-token", "idtoken", "authentication-info", "www-authenticate",
    ]

    /// The query parameters that carry credentials as a rule.
    public static let usualParameters: Set<String> = [
        "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "api-key", "key", "secret",
        "client_secret", "password", "passwd", "pwd", "signature", "sig", "code", "auth", "session",
    ]

    /// What is a secret by this redaction or by another one.
    public func union(_ other: Redaction) -> Redaction {
        Redaction(headers: headers.union(other.headers), parameters: parameters.union(other.parameters))
    }

    /// Fields with secret values replaced.
    public func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                self.headers.contains(field.name.lowercased())
                    ? HTTPHeaders.Field(name: field.name, value: Redaction.mark) : field
            }
        )
    }

    /// A URL's text with secret parameters and any credentials replaced.
    public func redacted(_ url: URL) -> String {
        var text = url.absoluteString
        if url.user() != nil, let scheme = text.firstIndex(of: ":"), let end = text.firstIndex(of: "@") {
            text.replaceSubrange(text.index(after: scheme)..<end, with: "//" + Redaction.mark)
        }
        guard let mark = text.firstIndex(of: "?") else { return text }
        let query = text[text.index(after: mark)...]
        let end = query.firstIndex(of: "#") ?? query.endIndex
        let pairs = query[..<end].split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
            guard let equals = pair.firstIndex(of: "="), parameters.contains(pair[..<equals].lowercased()) else {
                return String(pair)
            }
            return pair[...equals] + Redaction.mark
        }
        return text[...mark] + pairs.joined(separator: "&") + query[end...]
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

    /// A head without its secrets.
    public func redacted(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        head.headers = redacted(head.headers)
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
