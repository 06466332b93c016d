public import EssentialFoundation
import TextEscaping

/// A token, a password or a key that a request is sent with. Its description never contains the secret.
public enum Credential: Sendable, Hashable {
    /// A token, as `Authorization: Bearer` (RFC 6750). One that expires is refreshed before that date.
    case bearer(String, expires: Date? = nil)
    /// A user and a password in UTF-8, as `Authorization: Basic` (RFC 7617). The user's name must not contain a colon.
    case basic(user: String, password: String)
    /// A key in a header field.
    case apiKey(String, header: String = "X-API-Key")
    /// A key in a parameter of the query.
    case queryKey(String, parameter: String)

    /// When the credential expires; nil if that is not known.
    var expires: Date? {
        if case .bearer(_, let expires) = self { expires } else { nil }
    }

    /// The header field that carries the credential; nil for one in the query.
    private var headerName: String? {
        switch self {
        case .bearer, .basic: "Authorization"
        case .apiKey(_, let header): header
        case .queryKey: nil
        }
    }

    /// The field or parameter that carries the credential.
    var carrier: String {
        switch self {
        case .bearer, .basic: "Authorization"
        case .apiKey(_, let header): header
        case .queryKey(_, let parameter): parameter
        }
    }

    /// The field or parameter that carries the credential, as a redaction.
    var secrets: Redaction {
        headerName == nil
            ? Redaction(headers: [], parameters: [carrier], fields: [])
            : Redaction(headers: [carrier], parameters: [], fields: [])
    }

    /// Whether a request already has the field or parameter of the credential.
    func isPresent(in request: HTTPRequest) -> Bool {
        if let headerName { return request.headers.contains(headerName) }
        guard case .queryKey(_, let parameter) = self, let query = request.url.query() else { return false }
        let name = PercentEncoding.encode(parameter)
        return query.split(separator: "&").contains { $0 == name || $0.hasPrefix(name + "=") }
    }

    /// Whether a redaction replaces the field or parameter of the credential.
    func isSecret(by redaction: Redaction) -> Bool {
        (headerName == nil ? redaction.parameters : redaction.headers).contains(carrier.lowercased())
    }

    /// Checks that the credential can be sent.
    func validate() throws(AuthenticationError) {
        guard case .basic(let user, _) = self, user.contains(":") else { return }
        throw .unusableCredential("the user's name contains a colon")
    }

    /// Returns the request with the credential.
    /// - Throws: ``AuthenticationError`` for a user's name with a colon, or a key that cannot be part of a URL.
    func applied(to request: HTTPRequest) throws(AuthenticationError) -> HTTPRequest {
        var request = request
        switch self {
        case .bearer(let token, _): request.headers[.authorization] = "Bearer " + token
        case .basic(let user, let password):
            try validate()
            request.headers[.authorization] = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .apiKey(let key, let header):
            request.headers[header] = key
        case .queryKey(let key, let parameter):
            let pair = PercentEncoding.encode(parameter) + "=" + PercentEncoding.encode(key)
            let text = request.url.absoluteString
            let end = text.firstIndex(of: "#") ?? text.endIndex
            let separator = text[..<end].contains("?") ? "&" : "?"
            guard let url = URL(string: text[..<end] + separator + pair + text[end...]) else {
                throw .unusableCredential("the key cannot be part of a URL")
            }
            request.url = url
        }
        return request
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of the credential.
    public var description: String {
        switch self {
        case .bearer: "bearer \(Redaction.mark)"
        case .basic: "basic \(Redaction.mark)"
        case .apiKey(_, let header): "\(header) \(Redaction.mark)"
        case .queryKey(_, let parameter): "\(parameter)=\(Redaction.mark)"
        }
    }

    /// The kind of the credential.
    public var debugDescription: String { description }

    /// An empty mirror, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
