import EssentialFoundation
import Threading

#if os(Linux)
    import CurlTransport
#else
    import URLSessionTransport
#endif

/// Sends targets and returns their responses.
///
/// ```swift
/// let provider = NetworkProvider(plugins: [LoggingPlugin { line in log.write(line) }])
/// let breeds = try await provider.request(Breeds())
/// ```
///
/// A provider is a value over its transport: copies share connections. Create one for the program rather than one for each
/// request. Every failure of a call is a ``NetworkError``; the body of a stream throws `HTTPTransportError` while it is read.
public struct NetworkProvider: Sendable {
    /// Sends the requests.
    public let transport: any HTTPTransport
    /// The plugins, the outermost first.
    public let plugins: [any NetworkPlugin]
    /// Which redirects are followed.
    public let redirects: RedirectPolicy
    /// What is left out of errors, the plugins' secrets included.
    public let redaction: Redaction
    /// The cookies of all requests; nil for no cookies.
    public let cookies: CookieJar?
    /// The cache of responses; nil for none.
    public let cache: (any ResponseCache)?
    /// Whether equal requests share one exchange, unless a target says otherwise.
    public let deduplicates: Bool
    /// The maximum size of a body that is read into memory, in bytes, unless a target says otherwise.
    public let maximumBodyBytes: Int

    let state: ProviderState

    /// Creates a provider.
    /// - Parameters:
    ///   - transport: sends the requests; nil for the platform's default transport, which is libcurl on Linux and URLSession
    ///     on Apple platforms.
    ///   - plugins: the plugins, the outermost first.
    ///   - redirects: which redirects are followed.
    ///   - redaction: what is left out of errors.
    ///   - cookies: stores the cookies of responses and adds them to requests; nil for no cookies.
    ///   - cache: stores responses, such as an `HTTPCache` of the module HTTPCaching; nil for no cache. Providers that share a
    ///     cache must send their requests for the same user, as far as their transports decide who that is (by a client
    ///     certificate, for example).
    ///   - deduplicates: whether equal requests by a safe method share one exchange while it is under way. Equal includes
    ///     credentials and all header fields. Only ``request(_:)`` and ``response(_:events:)`` without `events` share
    ///     exchanges; streams and downloads do not.
    ///   - maximumBodyBytes: the maximum size of a body that is read into memory; 64 MiB by default. Streams and downloads
    ///     are bounded by ``RemoteTargetType/limits`` only.
    public init(
        transport: (any HTTPTransport)? = nil,
        plugins: [any NetworkPlugin] = [],
        redirects: RedirectPolicy = RedirectPolicy(),
        redaction: Redaction = Redaction(),
        cookies: CookieJar? = nil,
        cache: (any ResponseCache)? = nil,
        deduplicates: Bool = false,
        maximumBodyBytes: Int = 64 << 20
    ) {
        let secrets = plugins.reduce(Redaction.none) { $0.union($1.secrets) }
        self.transport = transport ?? NetworkProvider.defaultTransport()
        self.plugins = plugins
        self.redirects = redirects.withholding(secrets)
        self.redaction = redaction.union(secrets)
        self.cookies = cookies
        self.cache = cache
        self.deduplicates = deduplicates
        self.maximumBodyBytes = maximumBodyBytes
        state = ProviderState(
            credentialNames: Redaction.usualHeaders.union(self.redirects.credentials).union(self.redaction.headers),
            measuring: plugins.compactMap { $0 as? any MeasuringPlugin }
        )
    }

    /// Returns a new transport of the platform's default type.
    package static func defaultTransport() -> any HTTPTransport {
        #if os(Linux)
            CurlTransport()
        #else
            URLSessionTransport()
        #endif
    }

    /// Sends a target and returns its response.
    public func request<Target: RemoteTargetType>(_ target: Target) async throws(NetworkError) -> Target.Response {
        try await response(target).value
    }

    /// Sends a target and returns its response with the head.
    /// - Parameters:
    ///   - target: the target.
    ///   - events: called with the progress of both bodies.
    /// - Returns: the decoded response, with status and header fields.
    /// - Throws: ``NetworkError``.
    public func response<Target: RemoteTargetType>(
        _ target: Target,
        events: HTTPEventHandler? = nil
    ) async throws(NetworkError) -> NetworkResponse<Target.Response> {
        let limit = target.maximumBodyBytes > 0 ? target.maximumBodyBytes : maximumBodyBytes
        return try await perform(target, events: events, collecting: limit) { pending throws(NetworkError) in
            let body = try await pending.collect(upTo: limit)
            do {
                return NetworkResponse(value: try target.decode(body, pending.head), head: pending.head)
            } catch {
                throw pending.error(.decoding(error), body)
            }
        }
    }

    /// Sends a target and returns the validated response, whose body is read as it arrives.
    ///
    /// A failure while the body is read is thrown to its reader, as an `HTTPTransportError`.
    public func stream<Target: RemoteTargetType>(
        _ target: Target,
        events: HTTPEventHandler? = nil
    ) async throws(NetworkError) -> HTTPResponse {
        try await perform(target, events: events) { pending throws(NetworkError) in pending.response }
    }

    /// Sends a target and writes the response's body to a file, whatever its size. The target's
    /// ``RemoteTargetType/limits`` bound the decompressed size of a compressed body.
    ///
    /// The file is written beside its final path and renamed when it is complete: a reader sees the old file or the new
    /// one, and a failure leaves the old one. Only a process that is killed leaves a part, as `PATH.*.part`. A symbolic link
    /// is replaced, and the file that it leads to remains unchanged. A folder (`EISDIR`), a FIFO or a device (`EEXIST`) at
    /// the path is not replaced: the download fails before the body is read.
    /// - Parameters:
    ///   - target: the target.
    ///   - path: the path of the file; its folder must exist.
    ///   - events: called with the progress.
    /// - Returns: the head of the response.
    /// - Throws: ``NetworkError``, with ``NetworkError/Reason/file(path:code:)`` if the file cannot be written.
    @discardableResult
    public func download<Target: RemoteTargetType>(
        _ target: Target,
        to path: String,
        events: HTTPEventHandler? = nil
    ) async throws(NetworkError) -> HTTPResponseHead {
        try await perform(target, events: events) { pending throws(NetworkError) in
            do {
                // On other threads, since a disk that does not respond would stop every task of the program.
                let file = try await BlockingCalls.run(on: state.fileThreads) { try AtomicFile(path) }
                do {
                    for try await piece in pending.response.body { try await file.write(piece, on: state.fileThreads) }
                    try await file.commit()
                } catch {
                    await file.close(on: state.fileThreads)
                    throw error
                }
                await file.close(on: state.fileThreads)
                return pending.head
            } catch let failure as AtomicFile.Failure {
                pending.response.body.cancel()
                throw pending.error(.file(path: failure.path, code: failure.code))
            } catch {
                throw pending.wrap(error)
            }
        }
    }
}

// MARK: - Progress

extension NetworkProvider {
    /// Sends a target and returns its response, with its progress.
    public func request<Target: RemoteTargetType>(
        _ target: Target,
        progress: TransferMonitor
    ) async throws(NetworkError) -> Target.Response {
        defer { progress.finish() }
        return try await response(target, events: progress.handler).value
    }

    /// Sends a target and returns its response with the head, with its progress.
    public func response<Target: RemoteTargetType>(
        _ target: Target,
        progress: TransferMonitor
    ) async throws(NetworkError) -> NetworkResponse<Target.Response> {
        defer { progress.finish() }
        return try await response(target, events: progress.handler)
    }

    /// Sends a target and returns the validated response, whose body is read as it arrives. The progress ends when the
    /// body ends, is cancelled or released.
    public func stream<Target: RemoteTargetType>(
        _ target: Target,
        progress: TransferMonitor
    ) async throws(NetworkError) -> HTTPResponse {
        do throws(NetworkError) {
            var response = try await stream(target, events: progress.handler)
            response.body = HTTPResponseBody(TappedBody(response.body) { _ in progress.finish() })
            return response
        } catch {
            progress.finish()
            throw error
        }
    }

    /// Sends a target and writes the response's body to a file, with its progress.
    @discardableResult
    public func download<Target: RemoteTargetType>(
        _ target: Target,
        to path: String,
        progress: TransferMonitor
    ) async throws(NetworkError) -> HTTPResponseHead {
        defer { progress.finish() }
        return try await download(target, to: path, events: progress.handler)
    }

    /// Downloads a target to a file and continues an earlier download, with the progress of the whole file, earlier
    /// bytes included.
    @discardableResult
    public func resumeDownload<Target: RemoteTargetType>(
        _ target: Target,
        to path: String,
        policy: RetryPolicy = RetryPolicy(maximumAttempts: 5),
        clock: any Clock<Duration> = ContinuousClock(),
        progress: TransferMonitor
    ) async throws(NetworkError) -> HTTPResponseHead {
        defer { progress.finish() }
        return try await resumeDownload(target, to: path, policy: policy, clock: clock, events: progress.handler)
    }
}

// MARK: - Companions

/// A decoded response with its head.
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

/// The state that a provider shares with its copies.
final class ProviderState: Sendable {
    /// The responses that several requests may share.
    let sharedResponses = SingleFlight<SharedRequestKey, SharedResponse>()
    /// Names of header fields that carry credentials, in lower case.
    let credentialNames: Set<String>
    /// The plugins that receive measurements.
    let measuring: [any MeasuringPlugin]
    /// The threads on which downloads are written.
    let fileThreads = ThreadCache()
    private let lastID = Locked<UInt64>(0)

    init(credentialNames: Set<String>, measuring: [any MeasuringPlugin]) {
        self.credentialNames = credentialNames
        self.measuring = measuring
    }

    /// Returns a number for the next request, from 1.
    func nextID() -> UInt64 {
        lastID.withLock { id in
            id += 1
            return id
        }
    }
}
