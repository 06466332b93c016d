import Foundation
public import HTTPTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP over URLSession: the default transport on Apple platforms.
///
/// It also works on Linux, over FoundationNetworking, where URLSession can do less: ``unsupportedFeatures`` lists what,
/// and the module's landing page says how each shows. Time is kept by the transport itself, for URLSession on Linux
/// heeds its own timeouts only now and then.
public final class URLSessionTransport: HTTPTransport {
    /// How connections are made, as far as URLSession lets itself be told.
    public let connection: HTTPConnectionSettings
    private let session: URLSession
    private let delegate: SessionDelegate

    /// Creates a transport with a session of its own: no cookies, no cache, no stored credentials.
    ///
    /// - Parameter connection: how connections are made. What URLSession cannot do is in ``unsupportedFeatures``; with
    ///   settings that need it, every request fails with `HTTPTransportError/Code/unsupported(_:)` before it is sent.
    public init(connection: HTTPConnectionSettings = HTTPConnectionSettings()) {
        self.connection = connection
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 16
        // Above any timeout that the transport keeps itself.
        configuration.timeoutIntervalForRequest = 7 * 86_400
        let delegate = SessionDelegate()
        self.delegate = delegate
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// What still runs is nobody's any more and has been cancelled: cancelling it once more could meet its end.
    deinit { session.finishTasksAndInvalidate() }

    /// What URLSession cannot do on this platform.
    public var unsupportedFeatures: Set<HTTPTransportFeature> {
        #if canImport(FoundationNetworking)
            Set(HTTPTransportFeature.allCases)
        #else
            [
                .responseLimits, .versionPolicy, .customTrust, .clientCertificate, .publicKeyPinning, .proxySelection,
                .unixSocket,
            ]
        #endif
    }

    /// Sends a request; see `HTTPTransport.send(_:events:)`. A streamed body is first written to a temporary file.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - events: told of progress on the session's queue.
    /// - Returns: the answer's head, and its body as it arrives.
    /// - Throws: `HTTPTransportError`.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        try request.validate()
        // In the order of the features' declaration, so that the same settings give the same error each time.
        let lacking = connection.requiredFeatures.intersection(unsupportedFeatures)
        if let feature = HTTPTransportFeature.allCases.first(where: lacking.contains) {
            throw HTTPTransportError(.unsupported(feature), url: request.url, detail: "use CurlTransport for it")
        }
        try refuseUnsupported(request)
        try await connection.validate()
        let upload = try await SessionUpload(request.body, url: request.url)
        let exchange = SessionExchange(request: request, upload: upload, events: events)
        let head = await withTaskCancellationHandler {
            await exchange.head { start(exchange) }
        } onCancel: {
            exchange.cancel()
        }
        return HTTPResponse(
            head: try head.get(),
            body: HTTPResponseBody(SessionBody(exchange: exchange, owner: self))
        )
    }

    /// Refuses what would be passed over or answered wrongly.
    private func refuseUnsupported(_ request: HTTPRequest) throws(HTTPTransportError) {
        let (limits, usual) = (request.limits, HTTPLimits())
        func refuse(_ isAskedFor: Bool, _ feature: HTTPTransportFeature, _ advice: String) throws(HTTPTransportError) {
            guard isAskedFor, unsupportedFeatures.contains(feature) else { return }
            throw HTTPTransportError(.unsupported(feature), url: request.url, detail: advice)
        }
        try refuse(limits.bodyBytes != nil, .responseLimits, "give a limit to collect(upTo:)")
        try refuse(
            limits.headerBytes != usual.headerBytes || limits.headerFields != usual.headerFields,
            .responseLimits,
            "leave HTTPLimits.headerBytes and headerFields as they are, or use CurlTransport"
        )
        try refuse(
            limits.decompressedBytes != usual.decompressedBytes
                || limits.decompressionRatio != usual.decompressionRatio,
            .responseLimits,
            "leave HTTPLimits.decompressedBytes and decompressionRatio as they are, or use CurlTransport"
        )
        try refuse(
            unsupportedFeatures.contains(.exactPath) && URLText.hasDotSegments(request.url.path()),
            .exactPath,
            "the path's dot segments would be resolved before they are sent"
        )
        if case .none = request.body { return }
        try refuse(request.method == .get, .bodyOnAnyMethod, "send it by POST")
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
