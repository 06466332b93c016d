import HTTPTransport

/// The exchanges that wait for a connection, first come first served for each origin, and the number of running ones.
///
/// The origins take turns, so that one with a thousand waiting exchanges does not delay the others.
struct ExchangeQueue {
    /// The exchanges with an origin.
    final class Origin {
        /// In order of arrival.
        fileprivate(set) var waiting: [CurlExchange] = []
        /// The number of running exchanges.
        fileprivate(set) var running = 0
        /// The number of the last start, and its time.
        fileprivate var lastTurn: UInt64 = 0
        fileprivate var lastStart = Nanoseconds.min
        /// When the last attempt at a new connection ended in time: with a connection, or with the server's refusal.
        var lastAttempt = Nanoseconds.min

        /// The number of exchanges in a row that ran alone and ended at once, up to ``enough``.
        private var promptCount = 0
        private static let enough = 3

        fileprivate var isIdle: Bool { running <= 0 && waiting.isEmpty }

        /// Whether the server has responded at once for some time.
        var respondsAtOnce: Bool { promptCount == Self.enough }

        /// Notes whether an exchange succeeded that ran alone.
        func noteEnd(hasSucceededAlone: Bool, at now: Nanoseconds) {
            let isPrompt = hasSucceededAlone && now - lastStart <= CurlLoop.immediateTime
            promptCount = isPrompt ? min(promptCount + 1, Self.enough) : 0
        }
    }

    /// The origins with exchanges, and up to ``idleLimit`` others.
    private var origins: [String: Origin] = [:]
    private static let idleLimit = 64
    /// The number of waiting exchanges.
    private var waitingCount = 0
    /// The number of starts so far, and the time of the last one.
    private var turns: UInt64 = 0
    private var lastStart = Nanoseconds.min
    /// No timeout of a waiting exchange can expire before this time.
    private(set) var nextDeadline = Nanoseconds.max

    /// Appends an exchange to the queue of its origin.
    mutating func add(_ exchange: CurlExchange, at now: Nanoseconds) {
        exchange.queuedSince = now
        let origin = group(exchange.origin)
        origin.waiting.append(exchange)
        exchange.group = origin
        waitingCount += 1
        nextDeadline = min(nextDeadline, exchange.deadline ?? .max, exchange.queueLimit.map { now + $0 } ?? .max)
    }

    /// Removes the next exchange that may start, and counts it as running.
    mutating func next(perOrigin: Int, at now: Nanoseconds) -> CurlExchange? {
        guard waitingCount > 0 else { return nil }
        var chosen: Origin?
        for origin in origins.values where origin.running < perOrigin && !origin.waiting.isEmpty {
            if let chosen, chosen.lastTurn <= origin.lastTurn { continue }
            chosen = origin
        }
        guard let chosen else { return nil }
        turns += 1
        waitingCount -= 1
        lastStart = now
        chosen.running += 1
        chosen.lastTurn = turns
        chosen.lastStart = now
        return chosen.waiting.removeFirst()
    }

    /// Counts a running exchange as ended.
    func leave(_ exchange: CurlExchange) { exchange.group?.running -= 1 }

    /// Removes an exchange if it waits.
    mutating func remove(_ exchange: CurlExchange) {
        guard let origin = exchange.group, let index = origin.waiting.firstIndex(where: { $0 === exchange }) else {
            return
        }
        origin.waiting.remove(at: index)
        waitingCount -= 1
    }

    /// Removes and returns the waiting exchanges with an expired timeout, and the timeouts.
    mutating func expired(at now: Nanoseconds, perOrigin: Int) -> [(CurlExchange, HTTPTransportError.Phase)] {
        guard nextDeadline <= now else { return [] }
        nextDeadline = .max
        var expired: [(CurlExchange, HTTPTransportError.Phase)] = []
        for origin in origins.values {
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
            waitingCount -= origin.waiting.count - rest.count
            origin.waiting = rest
        }
        return expired
    }

    /// The number of running exchanges with an origin.
    func running(_ origin: String) -> Int { origins[origin]?.running ?? 0 }

    /// Removes and returns all waiting exchanges.
    mutating func removeAll() -> [CurlExchange] {
        nextDeadline = .max
        waitingCount = 0
        defer {
            // An exchange retains its origin.
            for origin in origins.values { origin.waiting = [] }
            origins = [:]
        }
        return origins.values.flatMap(\.waiting)
    }

    private mutating func group(_ name: String) -> Origin {
        if let origin = origins[name] { return origin }
        if origins.count >= Self.idleLimit { origins = origins.filter { !$0.value.isIdle } }
        let origin = Origin()
        origins[name] = origin
        return origin
    }
}
