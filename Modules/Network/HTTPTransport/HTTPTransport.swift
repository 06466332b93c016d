/// Sends HTTP requests: the protocol that each HTTP library is adapted to.
///
/// A transport performs one exchange: it sends one request and returns one response. It follows no redirects, stores no
/// cookies, responds to no authentication challenges and does not retry a request that a server may have received.
/// Those are policies; they work the same over every transport and belong above it.
///
/// Every transport meets these requirements, which one conformance test suite checks:
/// - It checks the request with ``HTTPRequest/validate()`` before it sends anything.
/// - ``send(_:events:)`` returns when the response's head has arrived; the body follows at its reader's pace.
/// - Cancelling the task ends the exchange and closes its connection, at any time. A body is cancelled when the task that
///   reads it is cancelled, or when the body is released.
/// - Every failure is an ``HTTPTransportError`` and occurs within the request's timeouts.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the response's head with a body that can be read as it arrives.
    /// - Parameters:
    ///   - request: the request.
    ///   - events: called with the progress and, at the end, the metrics; nil costs nothing.
    /// - Returns: the response's head, and its body as it arrives.
    /// - Throws: ``HTTPTransportError``, with ``HTTPTransportError/Code/cancelled`` for a cancelled task.
    func send(_ request: HTTPRequest, events: HTTPEventHandler?) async throws(HTTPTransportError) -> HTTPResponse

    /// The features that requests to this transport cannot use; empty if it supports all of them.
    var unsupportedFeatures: Set<HTTPTransportFeature> { get }
}

extension HTTPTransport {
    /// Sends a request without observing its progress.
    public func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        try await send(request, events: nil)
    }

    /// The empty set.
    public var unsupportedFeatures: Set<HTTPTransportFeature> { [] }
}

/// A feature that a transport may not support on a platform.
///
/// A request that needs an unsupported feature fails with ``HTTPTransportError/Code/unsupported(_:)``.
public enum HTTPTransportFeature: String, Sendable, CaseIterable {
    /// ``HTTPLimits`` other than the default ones.
    case responseLimits
    /// Sending a path's dot segments unchanged.
    case exactPath
    /// A body with any method, such as GET.
    case bodyOnAnyMethod
    /// Receiving a response with status 401 that asks for Basic credentials.
    case basicChallenge
    /// Skipping interim responses (1xx).
    case interimResponses
    /// Choosing the HTTP version: ``HTTPConnectionSettings/version`` other than automatic.
    case versionPolicy
    /// Trusting authorities other than the system's.
    case customTrust
    /// Presenting a client certificate.
    case clientCertificate
    /// Comparing the server's public key with pins.
    case publicKeyPinning
    /// Refusing older versions of TLS: ``HTTPTLSSettings/minimumVersion``.
    case minimumTLSVersion
    /// Using a proxy other than the system's, or none.
    case proxySelection
    /// Connecting to a Unix socket.
    case unixSocket
}
