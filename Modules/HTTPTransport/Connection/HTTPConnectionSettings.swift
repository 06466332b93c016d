#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How connections are made: protocol, TLS, proxy, socket. The same for every transport.
///
/// A transport that cannot do what is asked for refuses every request with
/// ``HTTPTransportError/Code/unsupported(_:)`` and sends nothing; nothing here is ever passed over in silence.
public struct HTTPConnectionSettings: Sendable, Hashable {
    /// Which version of HTTP is spoken.
    public var version: HTTPVersionPolicy
    /// Whom `https` connections trust, and as whom they present themselves.
    public var tls: HTTPTLSSettings
    /// Which proxy requests go through.
    public var proxy: HTTPProxy
    /// The path of a Unix socket that every connection is made to, whatever host the URL names; nil for TCP.
    public var unixSocket: String?

    /// Creates settings: HTTP/2 where TLS agrees on it, the system's authorities, the environment's proxy, TCP.
    public init(
        version: HTTPVersionPolicy = .automatic,
        tls: HTTPTLSSettings = HTTPTLSSettings(),
        proxy: HTTPProxy = .environment,
        unixSocket: String? = nil
    ) {
        self.version = version
        self.tls = tls
        self.proxy = proxy
        self.unixSocket = unixSocket
    }

    /// What a transport must be able to do for these settings.
    public var neededFeatures: Set<HTTPTransportFeature> {
        var needed: Set<HTTPTransportFeature> = []
        if version != .automatic { needed.insert(.versionPolicy) }
        if tls.trust != .system { needed.insert(.customTrust) }
        if tls.clientCertificate != nil { needed.insert(.clientCertificate) }
        if !tls.pins.isEmpty { needed.insert(.publicKeyPinning) }
        if proxy != .environment { needed.insert(.proxySelection) }
        if unixSocket != nil { needed.insert(.unixSocket) }
        return needed
    }

    /// Refuses a request that the settings cannot be kept for: one without TLS while keys are pinned.
    package func validate(_ request: HTTPRequest) throws(HTTPTransportError) {
        guard !tls.pins.isEmpty, !HTTPSyntax.isSecure(request.url.absoluteString) else { return }
        throw HTTPTransportError(
            .invalidURL,
            url: request.url,
            detail: "keys are pinned (HTTPTLSSettings.pins) and http shows none: use https, or a transport without pins"
        )
    }

    /// Checks what can be checked before a connection is made: files that are read, paths that fit.
    /// - Throws: ``HTTPTransportError/Code/invalidSettings``, naming the setting.
    public func validate() throws(HTTPTransportError) {
        try tls.validate()
        if case .server(let server) = proxy { try server.validate() }
        // sun_path holds 108 bytes on Linux and 104 on Apple platforms, the closing zero included.
        if let unixSocket, unixSocket.isEmpty || unixSocket.utf8.count > 103 || unixSocket.utf8.contains(0) {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "the Unix socket's path \(unixSocket.debugDescription) must have 1 to 103 bytes and no NUL"
            )
        }
    }
}
