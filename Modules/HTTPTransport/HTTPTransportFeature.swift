/// What a transport may be unable to do on a platform. It refuses such a request by a typed error, or says so here.
public enum HTTPTransportFeature: String, Sendable, CaseIterable {
    /// Holding the server back while nobody reads the body.
    case backPressure
    /// Sending a body that is made while it is sent.
    case streamedUpload
    /// Noticing a compressed body that ends too early.
    case truncatedCompression
    /// A bound on what a compressed body unfolds to.
    case decompressionLimit
    /// A bound on the bytes of a head while it arrives.
    case headerLimit
    /// Telling name lookup, connection and reuse in the metrics.
    case connectionMetrics
    /// A timeout of its own for connecting.
    case connectTimeout
    /// Header fields kept in their order, with several of a name apart.
    case repeatedHeaders
    /// An answer with status 401 that asks for Basic credentials.
    case basicChallenge
    /// Noticing that a body is shorter than its Content-Length.
    case truncatedBody
    /// Noticing chunks that are none.
    case brokenChunks
    /// Closing the socket within milliseconds of a cancellation, however fast the server sends.
    case promptCancellation
    /// Dot segments of a path sent as they were written.
    case exactPath
    /// Interim answers (1xx) passed over.
    case interimResponses
    /// Fields behind a chunked body.
    case trailers
    /// Surviving an answer that is no HTTP.
    case malformedResponses
    /// Methods with a body of their own, such as GET with a body.
    case bodyOnAnyMethod
    /// Choosing the version of HTTP: ``HTTPConnectionSettings/version`` other than automatic.
    case versionPolicy
    /// Trusting other authorities than the system's.
    case customTrust
    /// Presenting a client certificate.
    case clientCertificate
    /// Comparing the server's public key with pins.
    case publicKeyPinning
    /// Going through a proxy other than the system's, or past it.
    case proxySelection
    /// Connecting to a Unix socket.
    case unixSocket
    /// HTTP/2.
    case http2
    /// A bound on the body's bytes on the wire while they arrive.
    case bodyLimit
    /// Noticing bytes behind a body's end, so that they are never taken for the next answer.
    case excessBytes
    /// Answering many tasks faster than one: no queue through which everything goes one after the other.
    case parallelExchanges
    /// Refusing an answer whose head holds a line that is no field, or two lengths that differ.
    case strictHead
}
