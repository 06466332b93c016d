/// Writes a line for each request, each answer and each failure, without credentials.
///
/// Control characters are written as escapes, so that what a server sends can neither steer a terminal nor forge a line.
public struct LoggingPlugin: NetworkPlugin {
    /// How much is written.
    public enum Detail: Sendable, Hashable {
        /// One line each.
        case lines
        /// Header fields as well, secrets replaced.
        case headers
    }

    private let detail: Detail
    private let redaction: Redaction
    private let sink: @Sendable (String) -> Void

    /// Creates a log.
    /// - Parameters:
    ///   - detail: how much is written.
    ///   - redaction: what is left out, beside what the provider leaves out.
    ///   - sink: takes each line, without a line break; called from any task.
    public init(
        detail: Detail = .lines,
        redaction: Redaction = Redaction(),
        sink: @escaping @Sendable (String) -> Void
    ) {
        self.detail = detail
        self.redaction = redaction
        self.sink = sink
    }

    /// Logs what is sent and what comes, and how long that took.
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
        if detail == .headers { write(shown.headers, context) }
        let start = ContinuousClock.now
        let response = try await next(request)
        let head = redaction.redacted(response.head)
        let type = head.headers["content-type"].map { " " + $0 } ?? ""
        write("#\(context.id) <- \(head.status)\(type) \(LoggingPlugin.text(ContinuousClock.now - start))")
        if detail == .headers { write(head.headers, context) }
        return response
    }

    /// Logs what a cache did, which may be all that there was.
    public func didReceive(_ head: HTTPResponseHead, to request: HTTPRequest, _ context: RequestContext) async {
        guard let status = head.cacheStatus, status.isFromCache else { return }
        let shown = redaction.union(context.redaction).redacted(request)
        write("#\(context.id) <- \(head.status) cache \(status): \(shown.method) \(shown.url)")
    }

    /// Logs the failure.
    public func didFail(_ error: NetworkError, _ context: RequestContext) async {
        write("#\(context.id) failed: \(error)")
    }

    private func write(_ headers: HTTPHeaders, _ context: RequestContext) {
        for field in headers { write("#\(context.id)    \(field.name): \(field.value)") }
    }

    private func write(_ line: String) { sink(line.withVisibleControls) }

    private static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
