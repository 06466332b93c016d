import TextEscaping

/// Writes a line for each request, each response and each failure, without credentials.
///
/// Control characters are escaped, so that a server's text can neither control a terminal nor forge a line.
public struct LoggingPlugin: NetworkPlugin {
    private let logsHeaders: Bool
    private let redaction: Redaction
    private let sink: @Sendable (String) -> Void

    /// Creates a plugin.
    /// - Parameters:
    ///   - headers: whether header fields are logged, too, with secrets replaced.
    ///   - redaction: what is left out, besides the provider's redaction.
    ///   - sink: receives each line, without a line break; called from any task.
    public init(headers: Bool = false, redaction: Redaction = Redaction(), sink: @escaping @Sendable (String) -> Void) {
        logsHeaders = headers
        self.redaction = redaction
        self.sink = sink
    }

    /// Logs the request, the response and the time between them.
    public func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        next: NetworkSend
    ) async throws -> HTTPResponse {
        let redaction = redaction.union(context.redaction)
        let shown = redaction.redacted(request)
        let length = shown.bodyLength.map { $0 > 0 ? " \($0) bytes" : "" } ?? " stream"
        let parent = context.parent.map { " for #\($0)" } ?? ""
        let labels = context.scope.text(redaction)
        write("#\(context.id) -> \(shown.method) \(shown.url) \(context.target)\(length)\(parent)\(labels)")
        if logsHeaders { write(shown.headers, context) }
        let start = ContinuousClock.now
        let response = try await next(request)
        let head = redaction.redacted(response.head)
        let type = head.headers[.contentType].map { " " + $0 } ?? ""
        write("#\(context.id) <- \(head.status)\(type) \(LoggingPlugin.text(ContinuousClock.now - start))")
        if logsHeaders { write(head.headers, context) }
        return response
    }

    /// Logs a response from the cache.
    public func didReceive(_ head: HTTPResponseHead, to request: HTTPRequest, _ context: RequestContext) async {
        guard let status = head.cacheStatus, status.isFromCache else { return }
        let shown = redaction.union(context.redaction).redacted(request)
        write("#\(context.id) <- \(head.status) cache \(status): \(shown.method) \(shown.url)")
    }

    /// Logs the failure.
    public func didFail(_ error: NetworkError, _ context: RequestContext) async {
        let redaction = redaction.union(context.redaction)
        var shown = error
        // The other parts of an error are not in its description.
        shown.request?.url = redaction.redacted(text: error.request?.url ?? "")
        if let response = error.response {
            let type = response.head.headers[.contentType]
            shown.response?.body = redaction.redacted(body: response.body, contentType: type)
        }
        write("#\(context.id) failed: \(shown)")
    }

    private func write(_ headers: HTTPHeaders, _ context: RequestContext) {
        for field in headers { write("#\(context.id)    \(field.name): \(field.value)") }
    }

    private func write(_ line: String) { sink(line.escapingControls()) }

    private static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
