import HTTPTransport
import Threading

/// Collects the events of an exchange.
final class EventLog: Sendable {
    private let kept = Locked<[HTTPTransferEvent]>([])

    /// Adds an event.
    var take: HTTPEventHandler { { event in self.kept.withLock { $0.append(event) } } }

    /// All of them, in their order.
    var events: [HTTPTransferEvent] { kept.withLock { $0 } }

    /// What the exchange cost, once it has ended.
    var metrics: HTTPMetrics? {
        for case .finished(let metrics) in events { return metrics }
        return nil
    }
}
