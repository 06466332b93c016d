import TextEscaping

/// Reports the metrics of each exchange: name lookup, connect, TLS, first byte, total, bytes, reuse and protocol.
///
/// An exchange is measured when its body has ended, has failed or was cancelled; its times and bytes are those so far. A
/// response whose body came from the cache has a measurement that says so, besides that of the exchange that validated it.
public struct MetricsPlugin: MeasuringPlugin {
    private let sink: @Sendable (ExchangeMeasurement) -> Void

    /// Creates a plugin.
    /// - Parameter sink: receives each measurement on a thread of the transport: it must return quickly and not block.
    public init(sink: @escaping @Sendable (ExchangeMeasurement) -> Void) { self.sink = sink }

    /// Reports the measurement, without secrets.
    package func didMeasure(
        _ metrics: HTTPMetrics,
        failure: HTTPTransportError?,
        of request: HTTPRequest,
        _ context: RequestContext
    ) {
        report(metrics, failure, nil, of: request, context)
    }

    /// Reports a response from the cache.
    public func didReceive(_ head: HTTPResponseHead, to request: HTTPRequest, _ context: RequestContext) async {
        guard let status = head.cacheStatus, status.isFromCache else { return }
        report(HTTPMetrics(total: .zero, bytesSent: 0, bytesReceived: 0), nil, status, of: request, context)
    }

    private func report(
        _ metrics: HTTPMetrics,
        _ failure: HTTPTransportError?,
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
                failure: failure,
                cache: cache
            )
        )
    }
}

/// The metrics of one exchange.
public struct ExchangeMeasurement: Sendable, Equatable {
    /// The number of the request, which its retries and redirects share.
    public let id: UInt64
    /// The name of the target's type.
    public let target: String
    /// The redacted request.
    public let request: RedactedRequest
    /// The labels of the request's ``RequestScope``, with secrets replaced.
    public let labels: [String: String]
    /// The metrics.
    public let metrics: HTTPMetrics
    /// The failure of the exchange; nil if it succeeded.
    public let failure: HTTPTransportError?
    /// What the cache of the provider did, for a response from there; nil for an exchange.
    public let cache: HTTPCacheStatus?
}

extension ExchangeMeasurement: CustomStringConvertible {
    /// One line for a log: the request, the total time, the times of name lookup, connection, TLS and first byte if
    /// there were any, bytes, reuse and protocol.
    public var description: String {
        func text(_ duration: Duration) -> String { "\(Int64((duration / .milliseconds(1)).rounded())) ms" }
        var parts = ["#\(id) \(request.method) \(request.url)", cache.map { "cache \($0)" } ?? text(metrics.total)]
        let steps = [
            ("name", metrics.nameLookup), ("connected", metrics.connect), ("secured", metrics.secured),
            ("first byte", metrics.firstByte),
        ]
        for case (let name, let time?) in steps { parts.append("\(name) \(text(time))") }
        parts.append("sent \(metrics.bytesSent), received \(metrics.bytesReceived) bytes")
        if let isReused = metrics.isConnectionReused { parts.append(isReused ? "reused connection" : "new connection") }
        if let version = metrics.protocolVersion { parts.append(version) }
        if let failure { parts.append("failed: \(failure)") }
        let shown = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return (parts + shown).joined(separator: ", ").escapingControls()
    }
}

/// A plugin that receives the metrics of each exchange of a request; retries and redirects are separate exchanges.
package protocol MeasuringPlugin: NetworkPlugin {
    /// Receives the metrics of an exchange that has ended, and its failure, on a thread of the transport: it must return quickly
    /// and not block.
    func didMeasure(
        _ metrics: HTTPMetrics,
        failure: HTTPTransportError?,
        of request: HTTPRequest,
        _ context: RequestContext
    )
}
