#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A proxy server, and the hosts that are reached without it.
public struct HTTPProxyServer: Sendable, Hashable {
    /// How one speaks to a proxy.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// HTTP: absolute targets for `http`, a tunnel (CONNECT) for `https`.
        case http
        /// The same over TLS.
        case https
        /// SOCKS version 5; names are looked up by the proxy.
        case socks5
    }

    /// A user and a password for the proxy alone; never sent to a server behind it.
    public struct Credentials: Sendable, Hashable {
        /// The user's name.
        public var user: String
        /// The password.
        public var password: String

        /// Creates credentials.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// How one speaks to it.
    public var kind: Kind
    /// Its name or address; an IPv6 address without brackets.
    public var host: String
    /// Its port.
    public var port: UInt16
    /// Sent to it by HTTP Basic, or by SOCKS.
    public var credentials: Credentials?
    /// Hosts reached without it: names with everything under them (`example.com` also means `www.example.com`),
    /// addresses, or `*` for all.
    public var exceptions: [String]

    /// Names a proxy.
    public init(
        _ kind: Kind = .http,
        host: String,
        port: UInt16,
        credentials: Credentials? = nil,
        exceptions: [String] = []
    ) {
        self.kind = kind
        self.host = host
        self.port = port
        self.credentials = credentials
        self.exceptions = exceptions
    }

    /// The proxy's URL, without credentials.
    public var url: String {
        "\(kind == .socks5 ? "socks5h" : kind.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    func validate() throws(HTTPTransportError) {
        let isName = !host.isEmpty && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"/?#@[]\\".utf8.contains($0) }
        guard isName, port > 0 else {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "the proxy's host \(host.debugDescription) and port \(port) name no server"
            )
        }
        guard !exceptions.contains(where: { $0.isEmpty || $0.contains(",") || $0.utf8.contains { $0 <= 0x20 } }) else {
            throw HTTPTransportError(.invalidSettings, detail: "a proxy exception is empty or holds a comma or a blank")
        }
        guard !(credentials.map { $0.user + $0.password } ?? "").utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }),
            credentials?.user.contains(":") != true
        else {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "the proxy's credentials hold a control character, or the user a colon"
            )
        }
    }
}

extension HTTPProxyServer: CustomStringConvertible {
    /// The proxy's URL; credentials are left out.
    public var description: String { url }
}

extension HTTPProxyServer.Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user, and no password.
    public var description: String { "\(user):<redacted>" }

    /// The user, and no password.
    public var debugDescription: String { description }

    /// Nothing but the description, so that `dump` shows no password.
    public var customMirror: Mirror { Mirror(self, children: [("", description)]) }
}
