public import HTTPTransport
import LoopbackServer

/// A requirement that every transport must meet, as a named case that can be run with any of them.
public struct ConformanceCase: Sendable, CustomStringConvertible {
    /// The requirement, as a sentence.
    public let name: String
    /// The capabilities that the transport needs for it; a transport that is known to lack one may fail the case.
    public let needs: Set<TransportCapability>
    private let handler: LoopbackServer.Handler
    private let check: @Sendable (ConformanceSetting) async throws -> Void

    init(
        _ name: String,
        needs: Set<TransportCapability> = [],
        serving handler: @escaping LoopbackServer.Handler = { _ in ServedResponse() },
        check: @escaping @Sendable (ConformanceSetting) async throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.handler = handler
        self.check = check
    }

    /// The name.
    public var description: String { name }

    /// Runs the case with a transport, a new server and a time limit of half a minute.
    /// - Parameter make: makes the transport.
    /// - Throws: ``ConformanceFailure``, or the transport's unexpected error.
    public func run(_ make: @escaping @Sendable (HTTPConnectionSettings) -> any HTTPTransport) async throws {
        let server = try LoopbackServer(handler: handler)
        defer { server.stop() }
        let setting = ConformanceSetting(transport: make(HTTPConnectionSettings()), make: make, server: server)
        try await withDeadline(.seconds(30)) { try await check(setting) }
    }

    /// Every case.
    public static let all: [ConformanceCase] =
        exchanges + uploads + framing + refusals + faults + compression + limits + cancellation + urlSessionFaults
}

/// A capability of a transport that only some cases need.
public enum TransportCapability: String, Sendable, CaseIterable {
    /// Pausing the server while the body is not read.
    case backPressure
    /// Sending a body while it is produced.
    case streamedUpload
    /// Detecting a truncated compressed body.
    case truncatedCompression
    /// Accepting an unknown content coding of an empty body, or of one that is not to be decoded.
    case unknownCodings
    /// A limit on the size that a compressed body expands to.
    case decompressionLimit
    /// A limit on the size of a head while it arrives.
    case headerLimit
    /// A limit on the size of a body while it arrives.
    case bodyLimit
    /// Name lookup, connection and reuse in the metrics.
    case connectionMetrics
    /// Fields in their order, with several of a name separately.
    case repeatedHeaders
    /// Receiving a response with status 401 that asks for Basic credentials.
    case basicChallenge
    /// Detecting a body that is shorter than its Content-Length.
    case truncatedBody
    /// Detecting malformed chunks.
    case brokenChunks
    /// Closing the socket within milliseconds of a cancellation, however fast the server sends.
    case promptCancellation
    /// Sending a path's dot segments unchanged.
    case exactPath
    /// Skipping interim responses (1xx).
    case interimResponses
    /// Fields after a chunked body.
    case trailers
    /// Surviving a response that is not HTTP.
    case malformedResponses
    /// A body with any method, such as GET.
    case bodyOnAnyMethod
    /// Detecting bytes after a body's end, so that they are never taken for the next response.
    case excessBytes
    /// Running many exchanges faster than one after the other.
    case parallelExchanges
    /// Rejecting a response whose head has a malformed field, or two different lengths.
    case strictHead

    /// The feature by whose name a transport without this capability refuses a request; nil if it does not refuse it.
    public var feature: HTTPTransportFeature? {
        switch self {
        case .decompressionLimit, .headerLimit, .bodyLimit: .responseLimits
        case .basicChallenge: .basicChallenge
        case .exactPath: .exactPath
        case .interimResponses: .interimResponses
        case .bodyOnAnyMethod: .bodyOnAnyMethod
        default: nil
        }
    }
}
