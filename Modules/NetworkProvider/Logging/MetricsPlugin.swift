/// Tells what each exchange cost: name lookup, connect, TLS, first byte, total, bytes, reuse and protocol.
///
/// An exchange is measured when its body has ended. One that fails or is cancelled has no measurement: the failure
/// itself goes to ``NetworkPlugin/didFail(_:_:)``. An answer whose body came from the provider's cache has one of its own
/// that tells so, beside that of the exchange which confirmed it, if there was one.
public struct MetricsPlugin: MeasuringPlugin {
    private let sink: @Sendable (ExchangeMeasurement) -> Void

    /// Creates a plugin.
    /// - Parameter sink: takes each measurement, on the transport's own thread: be quick, and never block.
    public init(sink: @escaping @Sendable (ExchangeMeasurement) -> Void) { self.sink = sink }

    /// Hands the measurement on, without secrets.
    public func didMeasure(_ metrics: HTTPMetrics, of request: HTTPRequest, _ context: RequestContext) {
        tell(metrics, nil, of: request, context)
    }

    /// Tells of an answer from the cache, which cost no time on the network.
    public func didReceive(_ head: HTTPResponseHead, to request: HTTPRequest, _ context: RequestContext) async {
        guard let status = head.cacheStatus, status.isFromCache else { return }
        tell(HTTPMetrics(total: .zero, bytesSent: 0, bytesReceived: 0), status, of: request, context)
    }

    private func tell(
        _ metrics: HTTPMetrics,
        _ cache: HTTPCacheStatus?,
        of request: HTTPRequest,
        _ context: RequestContext
    ) {
        sink(
            ExchangeMeasurement(
                id: context.id,
                target: context.target,
                request: context.redaction.redacted(request),
                labels: context.scope.redactedLabels(context.redaction),
                metrics: metrics,
                cache: cache
            )
        )
    }
}

/// What one exchange cost, and which one it was.
public struct ExchangeMeasurement: Sendable, Equatable {
    /// The number of the request, which its retries and redirects share.
    public let id: UInt64
    /// The name of the target's type.
    public let target: String
    /// What was sent, without secrets.
    public let request: RedactedRequest
    /// The labels of the request's ``RequestScope``, secrets replaced.
    public let labels: [String: String]
    /// What it cost.
    public let metrics: HTTPMetrics
    /// What the provider's cache did, for an answer that came from there; nil for an exchange.
    public let cache: HTTPCacheStatus?
}

extension ExchangeMeasurement: CustomStringConvertible {
    /// One line, safe to log: the request, the total time, the times up to name lookup, connection, TLS and first byte
    /// as far as there were any, bytes, reuse and protocol.
    public var description: String {
        func text(_ duration: Duration) -> String { "\(Int64((duration / .milliseconds(1)).rounded())) ms" }
        var parts = ["#\(id) \(request.method) \(request.url)", cache.map { "cache \($0)" } ?? text(metrics.total)]
        let steps = [
            ("name", metrics.nameLookup), ("connected", metrics.connect), ("secured", metrics.secured),
            ("first byte", metrics.firstByte),
        ]
        for case (let name, let time?) in steps { parts.append("\(name) \(text(time))") }
        parts.append("sent \(metrics.bytesSent), received \(metrics.bytesReceived) bytes")
        if let isReused = metrics.isConnectionReused { parts.append(isReused ? "kept connection" : "new connection") }
        if let version = metrics.protocolVersion { parts.append(version) }
        let shown = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return (parts + shown).joined(separator: ", ").withVisibleControls
    }
}

/// A plugin that is told what each exchange of a request cost; retries and redirects are exchanges of their own.
public protocol MeasuringPlugin: NetworkPlugin {
    /// Takes the cost of one exchange that ended well, on the transport's own thread: be quick, and never block.
    func didMeasure(_ metrics: HTTPMetrics, of request: HTTPRequest, _ context: RequestContext)
}
