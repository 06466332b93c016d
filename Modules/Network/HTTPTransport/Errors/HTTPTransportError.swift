public import EssentialFoundation

/// A failed exchange: the kind of failure, the URL, and the details that the HTTP library reported.
public struct HTTPTransportError: Error, Sendable, Equatable {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable {
        /// The URL's scheme, host or characters are invalid. Nothing was sent.
        case invalidURL
        /// The method is not a token. Nothing was sent.
        case invalidMethod
        /// A header field is invalid. Nothing was sent.
        case invalidHeader
        /// The body is invalid: an unreadable file, a negative length. Nothing was sent.
        case invalidBody
        /// The request or its response needs a feature that this transport does not support.
        case unsupported(HTTPTransportFeature)
        /// The host name cannot be resolved.
        case cannotResolveHost
        /// The server refuses connections, or the network does not reach it.
        case cannotConnect
        /// A timeout expired.
        case timedOut(Phase)
        /// TLS failed for a reason other than the server's certificate: the version, the cipher, an aborted handshake.
        case tls
        /// The server's certificate is not accepted; nothing was sent.
        case certificate(CertificateProblem)
        /// The server's public key matches no pin; nothing was sent. The presented key is nil if the library does not
        /// report it.
        case pinMismatch(expected: [HTTPTLSSettings.PublicKeyPin], presented: HTTPTLSSettings.PublicKeyPin?)
        /// The client certificate cannot be used (its key does not match, the passphrase is wrong), or the server does
        /// not accept it.
        case clientCertificate
        /// The proxy refused, cannot be reached or is invalid; ``HTTPTransportError/isProxyUnreachable`` distinguishes these.
        case proxy
        /// The transport's connection settings cannot be used. Nothing was sent.
        case invalidSettings
        /// The connection broke, or the server reset the HTTP/2 stream, during the exchange.
        case connectionLost
        /// The server closed the connection, or reset the HTTP/2 stream, without a response.
        case noResponse
        /// The response is not HTTP, or its framing is invalid.
        case malformedResponse
        /// The head exceeds ``HTTPLimits/headerBytes`` or ``HTTPLimits/headerFields``.
        case headersTooLarge
        /// The body exceeds a limit: the reader's, ``HTTPLimits/bodyBytes``, ``HTTPLimits/decompressedBytes`` or
        /// ``HTTPLimits/decompressionRatio``. The detail names it.
        case bodyTooLarge
        /// The body ended before its declared length.
        case bodyTruncated
        /// A compressed body is malformed or truncated, or uses a coding that is not supported.
        case badContentEncoding
        /// The request's body could not be produced or read, or has a different length than declared.
        case uploadFailed
        /// The task was cancelled, or the body was released before its end.
        case cancelled
        /// The transport was shut down.
        case shutDown
        /// A transport that replaces the network in a test has no response for this request.
        case unexpectedRequest
        /// The HTTP library is too old or failed; the detail says what it reported.
        case library
    }

    /// Identifies the timeout that expired.
    public enum Phase: Sendable, Hashable {
        /// ``HTTPTimeouts/connect``.
        case connect
        /// ``HTTPTimeouts/idle``.
        case idle
        /// ``HTTPTimeouts/total``.
        case total
        /// ``HTTPTimeouts/queue``. Nothing was sent.
        case queue
    }

    /// Identifies the limit that a body exceeded.
    package enum BodyBound: String, Sendable, Hashable, CaseIterable {
        /// The limit passed to ``HTTPResponseBody/collect(upTo:)``.
        case reader
        /// ``HTTPLimits/bodyBytes``.
        case bodyBytes
        /// ``HTTPLimits/decompressedBytes``.
        case decompressedBytes
        /// ``HTTPLimits/decompressionRatio``.
        case decompressionRatio
    }

    /// The kind of failure.
    public var code: Code
    /// The request's scheme, host, port and path, without credentials, query and fragment; nil if unknown.
    public var location: String?
    /// A description of what happened and, if known, of what to do.
    public var detail: String
    /// Whether, with ``Code/proxy``, the proxy could not be reached or could not reach the server, so that the request was not
    /// sent and a later attempt may succeed; false for a proxy that refuses the request or whose settings are invalid.
    public var isProxyUnreachable = false
    /// The limit that a body exceeded, with ``Code/bodyTooLarge``; nil for any other failure, and if unknown.
    package var bound: BodyBound?

    /// Creates an error.
    public init(_ code: Code, url: URL? = nil, detail: String = "") {
        self.code = code
        self.location = url.map { HTTPTransportError.location(of: $0) }
        self.detail = detail
    }

    /// Whether no connection was made, so that the request was not sent and a later attempt may succeed.
    public var isConnectionFailure: Bool {
        switch code {
        case .cannotResolveHost, .cannotConnect, .timedOut(.connect): true
        case .proxy: isProxyUnreachable
        default: false
        }
    }

    /// The error of a cancelled exchange.
    public static let cancelled = HTTPTransportError(.cancelled, detail: "the exchange was cancelled")

    /// Returns the error of a body that exceeds a reader's limit.
    public static func bodyTooLarge(limit: Int, url: URL? = nil) -> HTTPTransportError {
        bodyTooLarge(.reader, limit: Int64(limit), url: url)
    }

    /// Returns the error of a body that exceeds one of its limits; the detail names the limit and what to do.
    package static func bodyTooLarge(_ bound: BodyBound, limit: Int64, url: URL? = nil) -> HTTPTransportError {
        let detail =
            switch bound {
            case .reader:
                "the body is longer than \(limit) bytes; raise the limit, stream it or download it to a file"
            case .bodyBytes: "the server sends more than \(limit) bytes; raise HTTPLimits.bodyBytes"
            case .decompressedBytes:
                "the compressed body expands to more than \(limit) bytes; raise HTTPLimits.decompressedBytes"
            case .decompressionRatio:
                "the compressed body expands to more than \(limit) times its size, as a decompression bomb does; "
                    + "if the server is trusted, raise HTTPLimits.decompressionRatio"
            }
        var error = HTTPTransportError(.bodyTooLarge, url: url, detail: detail)
        error.bound = bound
        return error
    }

    /// Returns a copy with the request's URL, unless the error has a location already.
    public func at(_ url: URL) -> HTTPTransportError {
        guard location == nil else { return self }
        var copy = self
        copy.location = HTTPTransportError.location(of: url)
        return copy
    }

    static func location(of url: URL) -> String {
        var text = url.scheme.map { $0 + "://" } ?? ""
        // Without a host, `user:password@host` is parsed as a path, which must not be shown.
        guard let host = url.host() else { return text }
        text += host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        if let port = url.port { text += ":\(port)" }
        return text + url.path()
    }
}
