public import EssentialFoundation
import HTTPTransport

/// A user's access to a CalDAV server.
public struct CalDAVAccount: Sendable {
    /// How the server recognises the user.
    public enum Credential: Sendable, Hashable {
        /// A user and a password: as Basic over TLS or a loopback connection, or as Digest where the server requires it.
        case basic(user: String, password: String)
        /// A token, over TLS or a loopback connection.
        case bearer(String)
        /// No credential.
        case none
    }

    /// Where discovery begins: any URL of the server.
    public var url: URL
    /// How the server recognises the user.
    public var credential: Credential

    /// Creates an account.
    public init(url: URL, credential: Credential) {
        self.url = url
        self.credential = credential
    }

    /// Creates an account from what a person types; nil if that is no address, or a URL that contains a password.
    /// - Parameters:
    ///   - address: a URL, a host (`dav.example.com`, `dav.example.com:8443/calendars`), or a mail address, whose host is
    ///     used; `https` unless the address has a scheme.
    ///   - credential: how the server recognises the user.
    public init?(address: String, credential: Credential) {
        let text = HTTPSyntax.trimmed(address)
        // What comes before the path, in which an @ or :// is no part of the server's name.
        let end = text.firstIndex { "/?#".contains($0) } ?? text.endIndex
        let (start, path) = (text[..<end], text[end...])
        let hasScheme = start.hasSuffix(":") && path.hasPrefix("//")
        let host = start.lastIndex(of: "@").map { start[start.index(after: $0)...] } ?? start
        guard let escaped = URLText.escaped((hasScheme ? start.lowercased() : "https://" + host) + path),
            let url = URL(string: escaped),
            url.scheme == "https" || url.scheme == "http", let name = url.host(percentEncoded: false), !name.isEmpty,
            !name.contains(where: \.isWhitespace), url.user() == nil, url.password() == nil
        else { return nil }
        self.init(url: url, credential: credential)
    }
}

extension CalDAVAccount.Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of the credential, without the secret.
    public var description: String {
        switch self {
        case .basic: "basic …"
        case .bearer: "bearer …"
        case .none: "none"
        }
    }

    /// The kind of the credential, without the secret.
    public var debugDescription: String { description }

    /// An empty mirror, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
