import HTTPTransport

/// The exchanges that wait for a connection, first come first served for each origin, and the number of running ones.
///
/// No operation on one exchange iterates over the others.
struct ExchangeQueue {
    private var origins: [String: OriginQueue] = [:]
    /// Origins in which an exchange may be started, each once, in turn.
    private var ready: [OriginQueue] = []
    private var firstReady = 0
    private var deadlines = DeadlineHeap()
    /// The time at which any exchange was started last.
    private var lastStart = Nanoseconds.min

    /// Appends an exchange to the queue of its origin.
    mutating func add(_ exchange: CurlExchange, at now: Nanoseconds) {
        let origin = origins[exchange.origin] ?? open(exchange.origin)
        exchange.queuedSince = now
        origin.append(exchange)
        makeReady(origin)
        watch(exchange, since: now)
    }

    /// Removes the next exchange that may start, and counts it as running.
    mutating func next(perOrigin: Int, at now: Nanoseconds) -> CurlExchange? {
        while firstReady < ready.count {
            let origin = ready[firstReady]
            firstReady += 1
            if firstReady == ready.count || firstReady > 64 {
                ready.removeFirst(firstReady)
                firstReady = 0
            }
            origin.isReady = false
            // An origin with the maximum of running exchanges becomes ready again when one of them ends.
            guard origin.running < perOrigin, let exchange = origin.removeFirst() else { continue }
            deadlines.remove(exchange)
            origin.running += 1
            (origin.lastStart, lastStart) = (now, now)
            if origin.waiting > 0 { makeReady(origin) }
            return exchange
        }
        return nil
    }

    /// Counts a running exchange as ended.
    mutating func leave(_ exchange: CurlExchange) {
        guard let origin = exchange.originQueue else { return }
        exchange.originQueue = nil
        origin.running -= 1
        if origin.waiting > 0 { makeReady(origin) } else { closeIfEmpty(origin) }
    }

    /// Removes a waiting exchange.
    mutating func remove(_ exchange: CurlExchange) {
        guard let origin = exchange.originQueue, origin.remove(exchange) else { return }
        exchange.originQueue = nil
        deadlines.remove(exchange)
        closeIfEmpty(origin)
    }

    /// Removes and returns a waiting exchange with an expired timeout, and the timeout; nil if there is none.
    mutating func expired(at now: Nanoseconds, perOrigin: Int) -> (CurlExchange, HTTPTransportError.Phase)? {
        while let exchange = deadlines.removeFirst(until: now) {
            guard let origin = exchange.originQueue else { continue }
            if let deadline = exchange.deadline, deadline <= now {
                remove(exchange)
                return (exchange, .total)
            }
            // While the exchanges before it are started, it makes progress.
            let progress = origin.running >= perOrigin ? origin.lastStart : lastStart
            let since = max(exchange.queuedSince, progress)
            if let limit = exchange.queueLimit, since + limit <= now {
                remove(exchange)
                return (exchange, .queue)
            }
            watch(exchange, since: since)
        }
        return nil
    }

    /// The earliest time at which a timeout of a waiting exchange may expire.
    var nextDeadline: Nanoseconds { deadlines.earliest }

    /// The number of running exchanges with an origin.
    func running(_ origin: String) -> Int { origins[origin]?.running ?? 0 }

    /// Removes and returns all waiting exchanges.
    mutating func removeAll() -> [CurlExchange] {
        let all = origins.values.flatMap(\.exchanges)
        for exchange in all { remove(exchange) }
        return all
    }

    private mutating func open(_ name: String) -> OriginQueue {
        let origin = OriginQueue(name: name)
        origins[name] = origin
        return origin
    }

    private mutating func closeIfEmpty(_ origin: OriginQueue) {
        if origin.running <= 0, origin.waiting == 0 { origins[origin.name] = nil }
    }

    private mutating func makeReady(_ origin: OriginQueue) {
        guard !origin.isReady else { return }
        origin.isReady = true
        ready.append(origin)
    }

    private mutating func watch(_ exchange: CurlExchange, since start: Nanoseconds) {
        let time = min(exchange.deadline ?? .max, exchange.queueLimit.map { start + $0 } ?? .max)
        if time != .max { deadlines.insert(exchange, at: time) }
    }
}

/// The waiting exchanges of one origin in order, and the number of running ones.
///
/// Appending, and removing from the front or the middle, take constant time on average.
final class OriginQueue {
    /// Scheme, host and port.
    let name: String
    /// The number of running exchanges.
    var running = 0
    /// The time at which one of them was started last.
    var lastStart = Nanoseconds.min
    /// Whether the origin is on the list of those in which an exchange may be started.
    var isReady = false
    /// The number of waiting exchanges.
    private(set) var waiting = 0

    /// The waiting exchanges in order; nil where one has been removed.
    private var places: [CurlExchange?] = []
    /// The index of the first that may wait.
    private var front = 0
    /// The number of places that have been removed from the beginning of the array.
    private var removed = 0

    init(name: String) { self.name = name }

    /// The waiting exchanges in order.
    var exchanges: [CurlExchange] { places[front...].compactMap(\.self) }

    /// Appends an exchange.
    func append(_ exchange: CurlExchange) {
        exchange.originQueue = self
        exchange.place = removed + places.count
        places.append(exchange)
        waiting += 1
    }

    /// Removes and returns the first exchange; nil if none waits.
    func removeFirst() -> CurlExchange? {
        while front < places.count {
            let first = places[front]
            places[front] = nil
            front += 1
            guard let first else { continue }
            waiting -= 1
            compact()
            return first
        }
        compact()
        return nil
    }

    /// Removes an exchange; false if it does not wait here.
    func remove(_ exchange: CurlExchange) -> Bool {
        let index = exchange.place - removed
        guard index >= front, index < places.count, places[index] === exchange else { return false }
        places[index] = nil
        waiting -= 1
        compact()
        return true
    }

    /// Removes empty places from the beginning, in constant time on average.
    private func compact() {
        if waiting == 0 {
            removed += places.count
            places.removeAll(keepingCapacity: places.count <= 64)
            front = 0
        } else if front > 64, front > places.count / 2 {
            removed += front
            places.removeFirst(front)
            front = 0
        }
    }
}
