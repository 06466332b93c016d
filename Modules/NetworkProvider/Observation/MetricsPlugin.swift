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
