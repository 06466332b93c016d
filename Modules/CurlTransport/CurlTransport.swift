public import HTTPTransport
import Locking

/// HTTP over libcurl's multi interface: one thread, non-blocking sockets, connections kept for reuse.
///
/// The default transport on Linux. The thread starts with the first request and ends with ``shutdown()`` or when the
/// transport is let go of. It can do everything that `HTTPTransportFeature` lists.
public final class CurlTransport: HTTPTransport {
    private enum Stage {
        case unstarted
        case running(CurlLoop)
        case failed(HTTPTransportError)
    }

    /// How connections are made and shared.
    public let configuration: CurlConfiguration
    private let stage = Locked(Stage.unstarted)

    /// Creates a transport; nothing is started before the first request.
    public init(configuration: CurlConfiguration = CurlConfiguration()) {
        self.configuration = configuration
    }

    deinit { shutdown() }

    /// Sends a request; see `HTTPTransport.send(_:events:)`.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - events: told of progress on the transport's own thread.
    /// - Returns: the answer's head, and its body as it arrives.
    /// - Throws: `HTTPTransportError`; `HTTPTransportError/Code/library` when libcurl is older than 7.68, and
    ///   `HTTPTransportError/Code/invalidSettings` when the configuration's connection settings cannot be used.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        try request.validate()
        try configuration.connection.validate(request)
        let loop = try await startedLoop()
        try await CurlUpload.refuseExcess(request.body, url: request.url)
        let upload = try CurlUpload(request.body, url: request.url)
        let exchange = CurlExchange(request: request, upload: upload, events: events, loop: loop)
        let head = await withTaskCancellationHandler {
            await exchange.head()
        } onCancel: {
            exchange.cancel()
        }
        return HTTPResponse(
            head: try head.get(),
            body: HTTPResponseBody(CurlBody(exchange: exchange, owner: self))
        )
    }

    /// Ends every exchange with `HTTPTransportError/Code/shutDown` and closes all connections. Requests sent
    /// afterwards fail alike. May be called again.
    public func shutdown() {
        let loop: CurlLoop? = stage.withLock { stage in
            defer { stage = .failed(CurlLoop.shutDownError) }
            if case .running(let loop) = stage { return loop }
            return nil
        }
        loop?.stop()
    }

    private func startedLoop() async throws(HTTPTransportError) -> CurlLoop {
        if case .running(let loop) = stage.withLock({ $0 }) { return loop }
        // Not kept as a failure: a file that is missing now may be there later.
        try await configuration.validate()
        return try stage.withLock { stage throws(HTTPTransportError) in
            switch stage {
            case .running(let loop):
                return loop
            case .failed(let error):
                throw error
            case .unstarted:
                do throws(HTTPTransportError) {
                    let loop = try CurlLoop(configuration: configuration)
                    stage = .running(loop)
                    return loop
                } catch {
                    stage = .failed(error)
                    throw error
                }
            }
        }
    }
}
