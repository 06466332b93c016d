import EssentialFoundation
public import HTTPTransport
import Threading

/// An HTTP transport over libcurl's multi interface: non-blocking sockets, reused connections, one thread that waits for them.
///
/// It is the default transport on Linux. Its thread starts with the first request and ends with ``shutdown()`` or when the
/// transport is released. It supports every `HTTPTransportFeature`.
public final class CurlTransport: HTTPTransport {
    private enum Stage {
        case unstarted
        case running(CurlLoop)
        case failed(HTTPTransportError)
    }

    /// The limits and settings of the transport's connections.
    public let configuration: CurlConfiguration
    private let openFile: CurlUpload.OpenFile
    private let fileThreads = ThreadCache()
    private let stage = Locked(Stage.unstarted)

    /// Creates a transport; nothing is started before the first request.
    public convenience init(configuration: CurlConfiguration = CurlConfiguration()) {
        self.init(configuration: configuration) { try RegularFile(path: $0) }
    }

    /// Creates a transport that opens the files of request bodies by a function.
    init(configuration: CurlConfiguration = CurlConfiguration(), openFile: @escaping CurlUpload.OpenFile) {
        self.configuration = configuration
        self.openFile = openFile
    }

    deinit { shutdown() }

    /// Sends a request; see `HTTPTransport.send(_:events:)`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - events: called with the progress, on a thread that performs exchanges.
    /// - Returns: the response's head, and its body as it arrives.
    /// - Throws: `HTTPTransportError`; `HTTPTransportError/Code/library` if libcurl is older than 7.68, and
    ///   `HTTPTransportError/Code/invalidSettings` if the configuration's connection settings cannot be used.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let start = MonotonicTime.now
        try request.validate()
        try configuration.connection.validate(request)
        // Without a suspension in the usual case, which costs more than the calls.
        let loop = if let running = try runningLoop() { running } else { try await startLoop() }
        let upload =
            if let upload = CurlUpload(request.body) { upload } else {
                try await CurlUpload.open(request, openFile: openFile, threads: fileThreads)
            }
        let exchange = CurlExchange(request: request, upload: upload, events: events, loop: loop, start: start)
        let head = await withTaskCancellationHandler {
            // Here, since the handler of a task that is cancelled already runs first: its request is not sent.
            exchange.start()
            return await exchange.channel.head()
        } onCancel: {
            exchange.cancel()
        }
        return HTTPResponse(head: try head.get(), body: HTTPResponseBody(CurlBody(exchange: exchange, owner: self)))
    }

    /// Ends every exchange with `HTTPTransportError/Code/shutDown` and closes all connections. Later requests fail with
    /// the same error. It may be called several times.
    public func shutdown() {
        let loop: CurlLoop? = stage.withLock { stage in
            defer { stage = .failed(CurlLoop.shutDownError) }
            if case .running(let loop) = stage { return loop }
            return nil
        }
        loop?.stop()
    }

    private func runningLoop() throws(HTTPTransportError) -> CurlLoop? {
        switch stage.withLock({ $0 }) {
        case .running(let loop): loop
        case .failed(let error): throw error
        case .unstarted: nil
        }
    }

    private func startLoop() async throws(HTTPTransportError) -> CurlLoop {
        // An invalid configuration is not stored as a failure: a file that is missing now may exist later.
        try await configuration.validate()
        return try stage.withLock { stage throws(HTTPTransportError) in
            switch stage {
            case .running(let loop): return loop
            case .failed(let error): throw error
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

/// The body of a response; releasing it cancels the transfer.
private final class CurlBody: HTTPBodySource {
    private let exchange: CurlExchange
    /// The transport lives as long as the body may be read.
    private let owner: CurlTransport

    init(exchange: CurlExchange, owner: CurlTransport) {
        self.exchange = exchange
        self.owner = owner
    }

    deinit { exchange.cancel() }

    func next() async throws(HTTPTransportError) -> Data? {
        let (piece, resumes) = await exchange.channel.piece(onCancel: { exchange.cancel() })
        if resumes { exchange.requestResume() }
        return try piece.get()
    }

    /// Returns the whole body, which the loop collects in one block.
    func collect(upTo limit: Int) async throws(HTTPTransportError) -> Data {
        let (isWithinLimit, resumes) = exchange.channel.startCollecting(upTo: limit)
        guard isWithinLimit else {
            exchange.cancel()
            throw HTTPTransportError.bodyTooLarge(limit: limit, url: exchange.request.url)
        }
        if resumes { exchange.requestResume() }
        return try await exchange.channel.collected(onCancel: { exchange.cancel() }).get()
    }

    func cancel() { exchange.cancel() }
}
