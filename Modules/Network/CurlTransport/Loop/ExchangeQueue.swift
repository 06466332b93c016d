import HTTPTransport

/// The exchanges that wait for a connection, first come first served for each origin, and the number of running ones.
///
/// The origins take turns, so that one with a thousand waiting exchanges does not delay the others.
struct ExchangeQueue {
    private struct Origin {
        /// In order of arrival.
        var waiting: [CurlExchange] = []
        /// The number of running exchanges.
        var running = 0
        /// The number of the last start, and its time.
        var lastTurn: UInt64 = 0
        var lastStart = Nanoseconds.min
    }

    private var origins: [String: Origin] = [:]
    /// The number of starts so far, and the time of the last one.
    private var turns: UInt64 = 0
    private var lastStart = Nanoseconds.min
    /// No timeout of a waiting exchange can expire before this time.
    private(set) var nextDeadline = Nanoseconds.max

    /// Appends an exchange to the queue of its origin.
    mutating func add(_ exchange: CurlExchange, at now: Nanoseconds) {
        exchange.queuedSince = now
        origins[exchange.origin, default: Origin()].waiting.append(exchange)
        nextDeadline = min(nextDeadline, exchange.deadline ?? .max, exchange.queueLimit.map { now + $0 } ?? .max)
    }

    /// Removes the next exchange that may start, and counts it as running.
    mutating func next(perOrigin: Int, at now: Nanoseconds) -> CurlExchange? {
        var chosen: (name: String, turn: UInt64)?
        for (name, origin) in origins where origin.running < perOrigin && !origin.waiting.isEmpty {
            if let chosen, chosen.turn <= origin.lastTurn { continue }
            chosen = (name, origin.lastTurn)
        }
        guard let name = chosen?.name, let exchange = origins[name]?.waiting.removeFirst() else { return nil }
        turns += 1
        lastStart = now
        origins[name]?.running += 1
        origins[name]?.lastTurn = turns
        origins[name]?.lastStart = now
        return exchange
    }

    /// Counts a running exchange as ended.
    mutating func leave(_ exchange: CurlExchange) {
        origins[exchange.origin]?.running -= 1
        removeIfEmpty(exchange.origin)
    }

    /// Removes an exchange if it waits.
    mutating func remove(_ exchange: CurlExchange) {
        guard let index = origins[exchange.origin]?.waiting.firstIndex(where: { $0 === exchange }) else { return }
        origins[exchange.origin]?.waiting.remove(at: index)
        removeIfEmpty(exchange.origin)
    }

    /// Removes and returns the waiting exchanges with an expired timeout, and the timeouts.
    mutating func expired(at now: Nanoseconds, perOrigin: Int) -> [(CurlExchange, HTTPTransportError.Phase)] {
        guard nextDeadline <= now else { return [] }
        nextDeadline = .max
        var expired: [(CurlExchange, HTTPTransportError.Phase)] = []
        for (name, origin) in origins {
            // While the exchanges before it are started, an exchange makes progress.
            let progress = origin.running >= perOrigin ? origin.lastStart : lastStart
            let rest = origin.waiting.filter { exchange in
                let total = exchange.deadline ?? .max
                let queue = exchange.queueLimit.map { max(exchange.queuedSince, progress) + $0 } ?? .max
                if min(total, queue) <= now {
                    expired.append((exchange, total <= now ? .total : .queue))
                    return false
                }
                nextDeadline = min(nextDeadline, total, queue)
                return true
            }
            guard rest.count < origin.waiting.count else { continue }
            origins[name]?.waiting = rest
            removeIfEmpty(name)
        }
        return expired
    }

    /// The number of running exchanges with an origin.
    func running(_ origin: String) -> Int { origins[origin]?.running ?? 0 }

    /// Removes and returns all waiting exchanges.
    mutating func removeAll() -> [CurlExchange] {
        nextDeadline = .max
        return origins.keys.flatMap { name in
            defer { removeIfEmpty(name) }
            let waiting = origins[name]?.waiting ?? []
            origins[name]?.waiting = []
            return waiting
        }
    }

    private mutating func removeIfEmpty(_ name: String) {
        guard let origin = origins[name], origin.running <= 0, origin.waiting.isEmpty else { return }
        origins[name] = nil
    }
}
