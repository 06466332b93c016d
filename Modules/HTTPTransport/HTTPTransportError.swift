#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Why an exchange failed: what kind of failure, at which URL, and what the library underneath said.
public struct HTTPTransportError: Error, Sendable, Equatable {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable {
        /// The URL cannot be sent to: its scheme, host or characters. Nothing was sent.
        case invalidURL
        /// The method is no token. Nothing was sent.
        case invalidMethod
        /// A header field cannot be sent. Nothing was sent.
        case invalidHeader
        /// The body cannot be sent: unreadable file, negative length. Nothing was sent.
        case invalidBody
        /// This transport cannot do what the request or its answer needs.
        case unsupported(HTTPTransportFeature)
        /// The host's name has no address.
        case cannotResolveHost
        /// Nobody listens there, or the network does not reach it.
        case cannotConnect
        /// A timeout passed.
        case timedOut(Phase)
        /// TLS failed for another reason than the server's certificate: version, cipher, a handshake broken off.
        case tls
        /// The server's certificate is not accepted; nothing was sent.
        case certificate(CertificateProblem)
        /// The server's public key is none of those pinned; nothing was sent. The key presented is nil where the
        /// library does not tell it.
        case pinMismatch(expected: [PublicKeyPin], presented: PublicKeyPin?)
        /// The client certificate cannot be used (its key does not fit, the passphrase is wrong), or the server does
        /// not accept it.
        case clientCertificate
        /// The proxy refused, is not reached or is none.
        case proxy
        /// The transport's connection settings cannot be used. Nothing was sent.
        case invalidSettings
        /// The connection broke in the middle.
        case connectionLost
        /// The server closed the connection without an answer.
        case noResponse
        /// What came is no HTTP, or its framing is broken.
        case malformedResponse
        /// The head grew over ``HTTPLimits/headerBytes`` or ``HTTPLimits/headerFields``.
        case headersTooLarge
        /// The body grew over a limit: the reader's, ``HTTPLimits/bodyBytes``, ``HTTPLimits/decompressedBytes`` or
        /// ``HTTPLimits/decompressionRatio``; ``HTTPTransportError/bound`` tells which.
        case bodyTooLarge
        /// The body ended before its declared length.
        case bodyTruncated
        /// A compressed body does not unpack, or ends too early.
        case badContentEncoding
        /// The request's body failed while it was made or read, or kept not to its length.
        case uploadFailed
        /// The task was cancelled or the body let go of.
        case cancelled
        /// The transport was shut down.
        case shutDown
        /// A transport that stands in for a network got a request that it has no answer for.
        case unexpectedRequest
        /// The library underneath is too old or refused; the detail says what it told.
        case library
    }

    /// Which timeout passed.
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

    /// The kind of failure.
    public var code: Code
    /// Scheme, host, port and path of the request; credentials, query and fragment are left out. Nil where not known.
    public var location: String?
    /// What happened in words, with what to do where that is known.
    public var detail: String
    /// Which bound a body grew over, with ``Code/bodyTooLarge``; nil for anything else, and where it is not known.
    public var bound: BodyBound?

    /// Creates an error.
    public init(_ code: Code, url: URL? = nil, detail: String = "") {
        self.code = code
        self.location = url.map { HTTPTransportError.location(of: $0) }
        self.detail = detail
    }

    /// The exchange was cancelled.
    public static let cancelled = HTTPTransportError(.cancelled, detail: "the exchange was cancelled")

    /// The same error with the request's place, where none is known yet.
    public func at(_ url: URL) -> HTTPTransportError {
        guard location == nil else { return self }
        var copy = self
        copy.location = HTTPTransportError.location(of: url)
        return copy
    }

    static func location(of url: URL) -> String {
        var text = url.scheme.map { $0 + "://" } ?? ""
        // The path of `user:password@host`, which has no host, is no path.
        guard let host = url.host() else { return text }
        text += host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        if let port = url.port { text += ":\(port)" }
        return text + url.path()
    }
}
