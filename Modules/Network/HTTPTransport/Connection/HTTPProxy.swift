import EssentialFoundation

/// The proxy that requests are sent through.
public enum HTTPProxy: Sendable, Hashable {
    /// The system's choice: on Linux, the proxy named by the variables `http_proxy`, `https_proxy`, `all_proxy` and
    /// `no_proxy`, if any.
    ///
    /// They are read at each request, in lower case first and then in upper case. But a transport uses no proxy from its
    /// first request on if none of the first three is set then.
    /// - `http_proxy` applies to `http`, `https_proxy` to `https`, `all_proxy` to a scheme without its own variable. An
    ///   empty variable is ignored, and so is `HTTP_PROXY` in upper case, which the clients of a CGI program can set.
    /// - The value is `HOST:PORT`, or a URL of `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h` (with the
    ///   last, the proxy resolves names), with `user:password@` before the host of a proxy that needs credentials. Any
    ///   other value fails requests with ``HTTPTransportError/Code/proxy``.
    /// - `no_proxy` is a comma-separated list of hosts that are reached without a proxy: domain names including their
    ///   subdomains, with or without a leading dot, addresses and, from libcurl 7.86, ranges (`10.0.0.0/8`); `*` alone
    ///   means all hosts. An entry with a port matches nothing.
    ///
    /// Loopback hosts use the proxy as well, unless they are listed: `no_proxy=localhost,127.0.0.1,::1`.
    case environment
    /// No proxy, regardless of the system's choice.
    case none
    /// The given proxy.
    case server(HTTPProxyServer)
}

/// A proxy server, and the hosts that are reached without it.
public struct HTTPProxyServer: Sendable, Hashable {
    /// The protocol of a proxy.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// HTTP: absolute targets for `http`, a tunnel (CONNECT) for `https`.
        case http
        /// HTTP over TLS.
        case https
        /// SOCKS version 5; the proxy resolves names.
        case socks5
    }

    /// A user name and password for the proxy; never sent to a server behind it.
    public struct Credentials: Sendable, Hashable {
        /// The user name.
        public var user: String
        /// The password.
        public var password: String

        /// Creates credentials.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// The protocol.
    public var kind: Kind
    /// The host name, also an international one, or address; an IPv6 address without brackets.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The credentials, sent by HTTP Basic or SOCKS authentication; nil for none.
    public var credentials: Credentials?
    /// Hosts reached without the proxy: names including their subdomains (`example.com` includes `www.example.com`, and
    /// `*.example.com` is the same), addresses, or `*` for all. Entries have no port.
    public var exceptions: [String]

    /// Creates a proxy server.
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
        let host = host.contains(":") ? "[\(host)]" : asciiHost
        return "\(kind == .socks5 ? "socks5h" : kind.rawValue)://\(host):\(port)"
    }

    /// The host, in its ASCII form if it is an international one.
    package var asciiHost: String { HostName.ascii(host.utf8) ?? host }

    /// The exceptions as libcurl compares them: without brackets and wildcards, in ASCII. It finds `*` only alone.
    package var exceptionPatterns: [String] {
        if exceptions.contains("*") { return ["*"] }
        return exceptions.map { exception in
            var name = exception[...]
            if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
            if name.hasPrefix("*.") { name = name.dropFirst() }
            return HostName.ascii(name.utf8) ?? String(name)
        }
    }

    /// Returns whether a pattern can match a host: not with a port, another wildcard or a character that no host has.
    private static func isPattern(_ pattern: String) -> Bool {
        pattern == "*"
            || pattern.contains { $0 != "." } && pattern.count { $0 == ":" } != 1
                && pattern.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !",*[]".utf8.contains($0) }
    }

    func validate() throws(HTTPTransportError) {
        let name = asciiHost.utf8
        guard !name.isEmpty, name.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"/?#@[]\\".utf8.contains($0) }), port > 0
        else {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "the proxy's host \(host.debugDescription) or port \(port) is invalid"
            )
        }
        if let invalid = exceptionPatterns.first(where: { !HTTPProxyServer.isPattern($0) }) {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "the proxy exception \(invalid.debugDescription) is not one name or address without a port"
            )
        }
        guard !(credentials.map { $0.user + $0.password } ?? "").utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }),
            credentials?.user.contains(":") != true
        else {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "the proxy's credentials contain a control character, or the user name contains a colon"
            )
        }
    }
}

extension HTTPProxyServer: CustomStringConvertible {
    /// The proxy's URL, without credentials.
    public var description: String { url }
}

extension HTTPProxyServer.Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user name, without the password.
    public var description: String { "\(user):<redacted>" }

    /// The user name, without the password.
    public var debugDescription: String { description }

    /// The description only, so that `dump` does not print the password.
    public var customMirror: Mirror { Mirror(self, children: [("", description)]) }
}
