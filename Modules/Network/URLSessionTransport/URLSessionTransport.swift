import Foundation
public import HTTPTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An HTTP transport over URLSession: the default transport on Apple platforms.
///
/// It also runs on Linux, over FoundationNetworking, where URLSession supports less; the module's landing page describes
/// each limitation. The transport measures the timeouts itself, because URLSession on Linux often ignores its own.
public final class URLSessionTransport: HTTPTransport {
    /// The connection settings.
    public let connection: HTTPConnectionSettings
    private let session: URLSession
    private let delegate: SessionDelegate

    /// Creates a transport with its own session, without cookies, cache and stored credentials.
    ///
    /// - Parameter connection: the connection settings. With a setting that needs one of the ``unsupportedFeatures``, every
    ///   request fails with `HTTPTransportError/Code/unsupported(_:)` before anything is sent.
    public init(connection: HTTPConnectionSettings = HTTPConnectionSettings()) {
        self.connection = connection
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 16
        // Longer than the timeouts that the transport measures.
        configuration.timeoutIntervalForRequest = 7 * 86_400
        #if canImport(Darwin)
            switch connection.tls.minimumVersion {
            case .tls12: configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
            case .tls13: configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
            case nil: break
            }
        #endif
        let delegate = SessionDelegate()
        self.delegate = delegate
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// The tasks that still run have been cancelled; cancelling them again could coincide with their end.
    deinit { session.finishTasksAndInvalidate() }

    /// The features that URLSession does not support on this platform.
    public var unsupportedFeatures: Set<HTTPTransportFeature> {
        #if canImport(FoundationNetworking)
            Set(HTTPTransportFeature.allCases)
        #else
            [
                .bodyOnAnyMethod, .responseLimits, .versionPolicy, .customTrust, .clientCertificate, .publicKeyPinning,
                .proxySelection, .unixSocket,
            ]
        #endif
    }

    /// Sends a request; see `HTTPTransport.send(_:events:)`. A streamed body is written to a temporary file first.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - events: called with the progress, on the session's queue.
    /// - Returns: the response's head, and its body as it arrives.
    /// - Throws: `HTTPTransportError`.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let start = ContinuousClock.now
        try request.validate()
        // In the order of declaration, so that the same settings always fail with the same error.
        let missing = connection.requiredFeatures.intersection(unsupportedFeatures)
        if let feature = HTTPTransportFeature.allCases.first(where: missing.contains) {
            throw HTTPTransportError(.unsupported(feature), url: request.url, detail: "use CurlTransport for it")
        }
        try refuseUnsupported(request)
        try await connection.validate()
        let upload = try await SessionUpload.prepare(request)
        let exchange = SessionExchange(request: request, upload: upload, events: events, start: start)
        let head = await withTaskCancellationHandler {
            await exchange.head { self.start(exchange) }
        } onCancel: {
            exchange.cancel()
        }
        return HTTPResponse(head: try head.get(), body: HTTPResponseBody(SessionBody(exchange: exchange, owner: self)))
    }

    /// Rejects requests that URLSession would send differently, or whose limits it would ignore.
    private func refuseUnsupported(_ request: HTTPRequest) throws(HTTPTransportError) {
        let (limits, usual) = (request.limits, HTTPLimits())
        func refuse(_ isNeeded: Bool, _ feature: HTTPTransportFeature, _ advice: String) throws(HTTPTransportError) {
            guard isNeeded, unsupportedFeatures.contains(feature) else { return }
            throw HTTPTransportError(.unsupported(feature), url: request.url, detail: advice)
        }
        try refuse(limits.bodyBytes != nil, .responseLimits, "pass a limit to collect(upTo:)")
        try refuse(
            limits.headerBytes != usual.headerBytes || limits.headerFields != usual.headerFields,
            .responseLimits,
            "do not set HTTPLimits.headerBytes and headerFields, or use CurlTransport"
        )
        try refuse(
            limits.decompressedBytes != usual.decompressedBytes
                || limits.decompressionRatio != usual.decompressionRatio,
            .responseLimits,
            "do not set HTTPLimits.decompressedBytes and decompressionRatio, or use CurlTransport"
        )
        try refuse(
            unsupportedFeatures.contains(.exactPath) && URLText.hasDotSegments(request.url.path()),
            .exactPath,
            "the path's dot segments would be resolved before they are sent"
        )
        if case .none = request.body { return }
        try refuse(request.method == .get, .bodyOnAnyMethod, "send it with POST")
    }

    private func start(_ exchange: SessionExchange) {
        let request = exchange.urlRequest
        let task: URLSessionTask =
            switch exchange.upload.source {
            case .none: session.dataTask(with: request)
            case .data(let data): session.uploadTask(with: request, from: data)
            case .file(let url): session.uploadTask(with: request, fromFile: url)
            }
        delegate.add(exchange, task)
        if exchange.attach(task) { task.resume() } else { delegate.remove(task) }
    }
}

/// The body of a response; releasing it cancels the transfer.
private final class SessionBody: HTTPBodySource {
    private let exchange: SessionExchange
    /// The session lives as long as the body may be read.
    private let owner: URLSessionTransport

    init(exchange: SessionExchange, owner: URLSessionTransport) {
        self.exchange = exchange
        self.owner = owner
    }

    deinit { exchange.cancel() }

    func next() async throws(HTTPTransportError) -> Data? { try await exchange.piece() }

    func cancel() { exchange.cancel() }
}
