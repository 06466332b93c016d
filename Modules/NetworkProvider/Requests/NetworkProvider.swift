import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if os(Linux)
    import CurlTransport
#else
    import URLSessionTransport
#endif

/// Sends targets and gives their responses.
///
/// ```swift
/// let provider = NetworkProvider(plugins: [LoggingPlugin { line in log.write(line) }])
/// let breeds = try await provider.request(Breeds())
/// ```
///
/// A provider is a value over its transport: copies share connections. Keep one for the program rather than one for a
/// request. Every failure is a ``NetworkError``.
public struct NetworkProvider: Sendable {
    /// What sends the requests.
    public let transport: any HTTPTransport
    /// What takes part in them, the outermost first.
    public let plugins: [any NetworkPlugin]
    /// Which redirects are followed.
    public let redirects: RedirectPolicy
    /// What is left out of errors, its plugins' secrets included.
    public let redaction: Redaction
    /// The cache of responses; nil for none.
    package let responseCache: (any ResponseCache)?
    /// Whether requests that are the same share one exchange, where a target does not say.
    public let deduplicates: Bool
    /// The greatest body that is taken into memory, in bytes, where a target does not say.
    public let maximumBodyBytes: Int

    let state: ProviderState

    /// Creates a provider.
    /// - Parameters:
    ///   - transport: what sends the requests.
    ///   - plugins: what takes part in them, the outermost first.
    ///   - redirects: which redirects are followed.
    ///   - redaction: what is left out of errors.
    ///   - deduplicates: whether requests by a safe method that are the same, credentials and all header fields
    ///     included, share one exchange while it is under way. Only ``request(_:)`` and ``response(_:events:)`` without
    ///     `events` do; streams and downloads never.
    ///   - maximumBodyBytes: the greatest body that is taken into memory; 64 MiB unless told otherwise. Streams and
    ///     downloads pass it over: targets bound those by their ``RemoteTargetType/limits``.
    public init(
        transport: some HTTPTransport,
        plugins: [any NetworkPlugin] = [],
        redirects: RedirectPolicy = RedirectPolicy(),
        redaction: Redaction = Redaction(),
        deduplicates: Bool = false,
        maximumBodyBytes: Int = 64 << 20
    ) {
        self.init(
            transport: transport,
            plugins: plugins,
            redirects: redirects,
            redaction: redaction,
            responseCache: nil,
            deduplicates: deduplicates,
            maximumBodyBytes: maximumBodyBytes
        )
    }

    /// Creates a provider over the platform's own transport; see the other initializer.
    public init(
        plugins: [any NetworkPlugin] = [],
        redirects: RedirectPolicy = RedirectPolicy(),
        redaction: Redaction = Redaction(),
        deduplicates: Bool = false,
        maximumBodyBytes: Int = 64 << 20
    ) {
        self.init(
            transport: DefaultTransport.make(),
            plugins: plugins,
            redirects: redirects,
            redaction: redaction,
            responseCache: nil,
            deduplicates: deduplicates,
            maximumBodyBytes: maximumBodyBytes
        )
    }

    /// Creates a provider with a cache, or without one; HTTPCaching adds the public initializers with a cache.
    package init(
        transport: any HTTPTransport,
        plugins: [any NetworkPlugin],
        redirects: RedirectPolicy,
        redaction: Redaction,
        responseCache: (any ResponseCache)?,
        deduplicates: Bool,
        maximumBodyBytes: Int
    ) {
        let secrets = plugins.reduce(Redaction.none) { $0.union($1.secrets) }
        self.transport = transport
        self.plugins = plugins
        self.redirects = redirects.withholding(secrets.headers)
        self.redaction = redaction.union(secrets)
        self.responseCache = responseCache
        self.deduplicates = deduplicates
        state = ProviderState(
            credentialNames: Redaction.usualHeaders.union(self.redirects.credentials).union(self.redaction.headers)
        )
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Sends a target and gives its response.
    public func request<Target: RemoteTargetType>(_ target: Target) async throws(NetworkError) -> Target.Response {
        try await response(target).value
    }

    /// Sends a target and gives its response with the head it came with.
    public func response<Target: RemoteTargetType>(
        _ target: Target,
        events: HTTPEventHandler? = nil
    ) async throws(NetworkError) -> NetworkResponse<Target.Response> {
        let limit = target.maximumBodyBytes ?? maximumBodyBytes
        return try await perform(target, events: events, gathering: limit) { exchange throws(NetworkError) in
            let body = try await exchange.gather(upTo: limit)
            do {
                return NetworkResponse(value: try target.decode(body, exchange.head), head: exchange.head)
            } catch {
                throw exchange.error(.decoding(error), body)
            }
        }
    }

    /// Sends a target whose body is worth watching; the same as ``response(_:events:)``, with progress.
    public func upload<Target: RemoteTargetType>(
        _ target: Target,
        events: @escaping HTTPEventHandler
    ) async throws(NetworkError) -> NetworkResponse<Target.Response> {
        try await response(target, events: events)
    }

    /// Sends a target and gives the validated answer with its body as it arrives.
    ///
    /// What fails while the body is read is thrown to its reader, as an `HTTPTransportError`.
    public func stream<Target: RemoteTargetType>(
        _ target: Target,
        events: HTTPEventHandler? = nil
    ) async throws(NetworkError) -> HTTPResponse {
        try await perform(target, events: events) { exchange throws(NetworkError) in exchange.response }
    }

    /// Sends a target and writes the answer's body to a file, whatever its size; a compressed one only as far as the
    /// target's ``RemoteTargetType/limits`` let it unfold.
    ///
    /// The file is written beside its place and moved there when it is whole: whoever looks sees the old file or the
    /// new one, and a failure leaves the old one. Only a process that is killed leaves its part, as `PATH.*.part`.
    /// - Parameters:
    ///   - target: what is asked for.
    ///   - path: where the file goes; its folder must be there.
    ///   - events: told of progress.
    /// - Returns: the head of the answer.
    /// - Throws: ``NetworkError``, with ``NetworkError/Reason/file(path:code:)`` where the file cannot be written.
    @discardableResult
    public func download<Target: RemoteTargetType>(
        _ target: Target,
        to path: String,
        events: HTTPEventHandler? = nil
    ) async throws(NetworkError) -> HTTPResponseHead {
        try await perform(target, events: events) { exchange throws(NetworkError) in
            do {
                let file = try AtomicFile(path)
                for try await piece in exchange.response.body { try file.write(piece) }
                try file.commit()
                return exchange.head
            } catch let failure as AtomicFile.Failure {
                exchange.response.body.cancel()
                throw exchange.error(.file(path: failure.path, code: failure.code))
            } catch {
                throw exchange.wrap(error)
            }
        }
    }
}

/// What a target gave: its response, and the head it came with.
public struct NetworkResponse<Value: Sendable>: Sendable {
    /// The decoded response.
    public var value: Value
    /// Status and header fields.
    public var head: HTTPResponseHead

    /// Creates a response.
    public init(value: Value, head: HTTPResponseHead) {
        self.value = value
        self.head = head
    }

    /// The status code.
    public var status: Int { head.status }
}

/// What a provider and its copies have in common.
final class ProviderState: Sendable {
    /// The exchanges that several requests may share.
    let flights = RequestFlights<RequestFlightKey, SharedAnswer>()
    /// Names of header fields that carry credentials, in lower case.
    let credentialNames: Set<String>
    private let last = Locked<UInt64>(0)

    init(credentialNames: Set<String>) { self.credentialNames = credentialNames }

    /// A number for the next request, from 1.
    func nextNumber() -> UInt64 {
        last.withLock { number in
            number += 1
            return number
        }
    }
}

/// The transport that a provider uses when it is given none.
public enum DefaultTransport {
    /// A new transport: libcurl on Linux, URLSession on Apple platforms.
    public static func make() -> any HTTPTransport {
        #if os(Linux)
            CurlTransport()
        #else
            URLSessionTransport()
        #endif
    }
}
