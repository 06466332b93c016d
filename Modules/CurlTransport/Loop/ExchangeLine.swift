import HTTPTransport

/// The exchanges of one origin: those that run are counted, those that wait are kept in their order.
///
/// Joining, leaving from the front and leaving from the middle take constant time, however many wait.
final class ExchangeLine {
    /// Scheme, host and port.
    let origin: String
    /// How many run.
    var running = 0
    /// When one of them began last.
    var lastStart = Nanoseconds.min
    /// Whether the queue knows that somebody may be started here.
    var isReady = false
    /// How many wait.
    private(set) var waiting = 0

    /// Who waits, in their order; nil where one has left.
    private var places: [CurlExchange?] = []
    /// The place of the first that may still be taken.
    private var front = 0
    /// The places that have been cut off the beginning.
    private var cut = 0

    init(origin: String) { self.origin = origin }

    /// Those who wait, in their order.
    var exchanges: [CurlExchange] { places[front...].compactMap(\.self) }

    /// Lets an exchange join at the end.
    func append(_ exchange: CurlExchange) {
        exchange.line = self
        exchange.place = cut + places.count
        places.append(exchange)
        waiting += 1
    }

    /// Takes the first out; nil when nobody waits.
    func takeFirst() -> CurlExchange? {
        while front < places.count {
            let first = places[front]
            places[front] = nil
            front += 1
            guard let first else { continue }
            waiting -= 1
            tidy()
            return first
        }
        tidy()
        return nil
    }

    /// Takes one out wherever it stands; false when it does not wait here.
    func remove(_ exchange: CurlExchange) -> Bool {
        let index = exchange.place - cut
        guard index >= front, index < places.count, places[index] === exchange else { return false }
        places[index] = nil
        waiting -= 1
        tidy()
        return true
    }

    /// Cuts empty places off, no more often than there were places.
    private func tidy() {
        if waiting == 0 {
            cut += places.count
            places.removeAll(keepingCapacity: places.count <= 64)
            front = 0
        } else if front > 64, front > places.count / 2 {
            cut += front
            places.removeFirst(front)
            front = 0
        }
    }
}
