#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a request shows to be let in. Its description never holds the secret.
public enum Credential: Sendable, Hashable {
    /// A token, as `Authorization: Bearer` (RFC 6750).
    case bearer(String)
    /// A user and a password in UTF-8, as `Authorization: Basic` (RFC 7617). The user's name holds no colon.
    case basic(user: String, password: String)
    /// A key in a header field of its own.
    case apiKey(String, header: String = "X-API-Key")
    /// A key in a parameter of the query.
    case queryKey(String, parameter: String)

    /// The header field that carries it; nil for one in the query.
    private var headerName: String? {
        switch self {
        case .bearer, .basic: "Authorization"
        case .apiKey(_, let header): header
        case .queryKey: nil
        }
    }

    /// The field or parameter that carries it.
    var carrier: String {
        switch self {
        case .bearer, .basic: "Authorization"
        case .apiKey(_, let header): header
        case .queryKey(_, let parameter): parameter
        }
    }

    /// The field or parameter that carries it, as what is left out of errors and logs.
    var secrets: Redaction {
        headerName == nil
            ? Redaction(headers: [], parameters: [carrier], fields: [])
            : Redaction(headers: [carrier], parameters: [], fields: [])
    }

    /// Whether a request shows something of its own in this credential's place.
    func isStanding(in request: HTTPRequest) -> Bool {
        if let headerName { return request.headers.contains(headerName) }
        guard case .queryKey(_, let parameter) = self, let query = request.url.query() else { return false }
        let name = PercentEncoding.encode(parameter)
        return query.split(separator: "&").contains { $0 == name || $0.hasPrefix(name + "=") }
    }

    /// Whether it is one of those that a redaction takes for secrets.
    func isSecret(by redaction: Redaction) -> Bool {
        (headerName == nil ? redaction.parameters : redaction.headers).contains(carrier.lowercased())
    }

    /// Checks that it can be sent at all.
    func validate() throws(AuthenticationError) {
        guard case .basic(let user, _) = self, user.contains(":") else { return }
        throw .unusableCredential("the user's name holds a colon")
    }

    /// The request with the credential in it.
    /// - Throws: ``AuthenticationError`` for a user's name with a colon, or a key that makes no URL.
    func applied(to request: HTTPRequest) throws(AuthenticationError) -> HTTPRequest {
        var request = request
        switch self {
        case .bearer(let token):
            request.headers["Authorization"] = "Bearer " + token
        case .basic(let user, let password):
            try validate()
            request.headers["Authorization"] = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .apiKey(let key, let header):
            request.headers[header] = key
        case .queryKey(let key, let parameter):
            let pair = PercentEncoding.encode(parameter) + "=" + PercentEncoding.encode(key)
            let text = request.url.absoluteString
            let end = text.firstIndex(of: "#") ?? text.endIndex
            let separator = text[..<end].contains("?") ? "&" : "?"
            guard let url = URL(string: text[..<end] + separator + pair + text[end...]) else {
                throw .unusableCredential("the key makes no URL")
            }
            request.url = url
        }
        return request
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind alone.
    public var description: String {
        switch self {
        case .bearer: "bearer \(Redaction.mark)"
        case .basic: "basic \(Redaction.mark)"
        case .apiKey(_, let header): "\(header) \(Redaction.mark)"
        case .queryKey(_, let parameter): "\(parameter)=\(Redaction.mark)"
        }
    }

    /// The kind alone.
    public var debugDescription: String { description }

    /// Nothing, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
