import HTTPTransport
import Threading

/// Collects the events of an exchange.
final class EventLog: Sendable {
    private let kept = Locked<[HTTPTransferEvent]>([])

    /// Adds an event.
    var take: HTTPEventHandler { { event in self.kept.withLock { $0.append(event) } } }

    /// All of them, in their order.
    var events: [HTTPTransferEvent] { kept.withLock { $0 } }

    /// The failures that were reported, with their metrics.
    var failures: [(error: HTTPTransportError, metrics: HTTPMetrics)] {
        events.compactMap { if case .failed(let error, let metrics) = $0 { (error, metrics) } else { nil } }
    }

    /// What the exchange cost, once it has ended.
    var metrics: HTTPMetrics? {
        for case .finished(let metrics) in events { return metrics }
        return nil
    }
}
