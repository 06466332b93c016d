import EssentialFoundation

/// The protocol version, TLS, proxy and socket that a transport's connections use.
///
/// A transport that does not support a setting fails every request with ``HTTPTransportError/Code/unsupported(_:)`` and
/// sends nothing; it never ignores one.
public struct HTTPConnectionSettings: Sendable, Hashable {
    /// The HTTP version.
    public var version: VersionPolicy
    /// The trusted authorities, the client certificate and the pins of `https` connections.
    public var tls: HTTPTLSSettings
    /// The proxy.
    public var proxy: HTTPProxy
    /// The path of a Unix socket that every connection is made to, regardless of the URL's host; nil for TCP.
    public var unixSocket: String?

    /// Creates settings; by default HTTP/2 if negotiated by TLS, the system's authorities, the environment's proxy, TCP.
    public init(
        version: VersionPolicy = .automatic,
        tls: HTTPTLSSettings = HTTPTLSSettings(),
        proxy: HTTPProxy = .environment,
        unixSocket: String? = nil
    ) {
        self.version = version
        self.tls = tls
        self.proxy = proxy
        self.unixSocket = unixSocket
    }

    /// The features that a transport must support for these settings.
    public var requiredFeatures: Set<HTTPTransportFeature> {
        var required: Set<HTTPTransportFeature> = []
        if version != .automatic { required.insert(.versionPolicy) }
        if tls.trust != .system { required.insert(.customTrust) }
        if tls.clientCertificate != nil { required.insert(.clientCertificate) }
        if !tls.pins.isEmpty { required.insert(.publicKeyPinning) }
        if tls.minimumVersion != nil { required.insert(.minimumTLSVersion) }
        if proxy != .environment { required.insert(.proxySelection) }
        if unixSocket != nil { required.insert(.unixSocket) }
        return required
    }

    /// Checks that a request can be sent with these settings: one without TLS cannot while keys are pinned.
    package func validate(_ request: HTTPRequest) throws(HTTPTransportError) {
        guard !tls.pins.isEmpty, !HTTPSyntax.isSecure(request.url.absoluteString) else { return }
        throw HTTPTransportError(
            .invalidURL,
            url: request.url,
            detail: "keys are pinned (HTTPTLSSettings.pins) and http has none: use https, or a transport without pins"
        )
    }

    /// Checks what can be checked before a connection is made: that files are readable and values are valid.
    ///
    /// Reads the PEM files on another thread, so that a slow file system does not block the caller's.
    /// - Throws: ``HTTPTransportError/Code/invalidSettings``, naming the setting, or
    ///   ``HTTPTransportError/Code/cancelled``.
    public func validate() async throws(HTTPTransportError) {
        if case .server(let server) = proxy { try server.validate() }
        // sun_path has 108 bytes on Linux and 104 on Apple platforms, including the terminating zero.
        if let unixSocket, unixSocket.isEmpty || unixSocket.utf8.count > 103 || unixSocket.utf8.contains(0) {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "the Unix socket's path \(unixSocket.debugDescription) must have 1 to 103 bytes and no NUL"
            )
        }
        try await tls.validate()
    }
}

extension HTTPConnectionSettings {
    /// The HTTP version that a transport uses.
    public enum VersionPolicy: Sendable, Hashable {
        /// HTTP/2 over TLS if the server supports it (ALPN), otherwise HTTP/1.1.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2 from the first byte, also without TLS. Use it only for servers that support HTTP/2.
        case http2PriorKnowledge
    }
}
