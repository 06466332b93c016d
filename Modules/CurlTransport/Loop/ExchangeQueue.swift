import HTTPTransport

/// Exchanges that wait for their turn, first come first served within an origin, and the count of running ones.
///
/// Nothing that is done for one exchange looks at the others that wait.
struct ExchangeQueue {
    private var lines: [String: ExchangeLine] = [:]
    /// Lines that may have somebody to start, each once, in turn.
    private var ready: [ExchangeLine] = []
    private var firstReady = 0
    private var deadlines = DeadlineHeap()
    /// When any exchange began last.
    private var lastStart = Nanoseconds.min

    /// Puts an exchange at the end of its origin's line.
    mutating func add(_ exchange: CurlExchange, at now: Nanoseconds) {
        let line = lines[exchange.origin] ?? open(exchange.origin)
        exchange.queuedSince = now
        line.append(exchange)
        makeReady(line)
        watch(exchange, since: now)
    }

    /// The next exchange that may start, counted as running from now on.
    mutating func next(perOrigin: Int, at now: Nanoseconds) -> CurlExchange? {
        while firstReady < ready.count {
            let line = ready[firstReady]
            firstReady += 1
            if firstReady == ready.count || firstReady > 64 {
                ready.removeFirst(firstReady)
                firstReady = 0
            }
            line.isReady = false
            // A line whose places are taken is put back when one of them is left.
            guard line.running < perOrigin, let exchange = line.takeFirst() else { continue }
            deadlines.remove(exchange)
            line.running += 1
            (line.lastStart, lastStart) = (now, now)
            if line.waiting > 0 { makeReady(line) }
            return exchange
        }
        return nil
    }

    /// Gives the place of a running exchange back.
    mutating func leave(_ exchange: CurlExchange) {
        guard let line = exchange.line else { return }
        exchange.line = nil
        line.running -= 1
        if line.waiting > 0 { makeReady(line) } else { closeIfEmpty(line) }
    }

    /// Takes a waiting exchange out of its line.
    mutating func remove(_ exchange: CurlExchange) {
        guard let line = exchange.line, line.remove(exchange) else { return }
        exchange.line = nil
        deadlines.remove(exchange)
        closeIfEmpty(line)
    }

    /// Takes out a waiting exchange whose time has passed, and tells which time; nil when there is none.
    mutating func expired(at now: Nanoseconds, perOrigin: Int) -> (CurlExchange, HTTPTransportError.Phase)? {
        while let exchange = deadlines.takeFirst(until: now) {
            guard let line = exchange.line else { continue }
            if let deadline = exchange.deadline, deadline <= now {
                remove(exchange)
                return (exchange, .total)
            }
            // As long as others of those it waits for get their turn, its own comes nearer.
            let progress = line.running >= perOrigin ? line.lastStart : lastStart
            let since = max(exchange.queuedSince, progress)
            if let limit = exchange.queueLimit, since + limit <= now {
                remove(exchange)
                return (exchange, .queue)
            }
            watch(exchange, since: since)
        }
        return nil
    }

    /// The earliest time at which one of those that wait may run out of time.
    var nextDeadline: Nanoseconds { deadlines.earliest }

    /// How many run with an origin.
    func running(_ origin: String) -> Int { lines[origin]?.running ?? 0 }

    /// Empties all lines.
    mutating func removeAll() -> [CurlExchange] {
        let all = lines.values.flatMap(\.exchanges)
        for exchange in all { remove(exchange) }
        return all
    }

    // MARK: - Lines and times

    private mutating func open(_ origin: String) -> ExchangeLine {
        let line = ExchangeLine(origin: origin)
        lines[origin] = line
        return line
    }

    private mutating func closeIfEmpty(_ line: ExchangeLine) {
        if line.running <= 0, line.waiting == 0 { lines[line.origin] = nil }
    }

    private mutating func makeReady(_ line: ExchangeLine) {
        guard !line.isReady else { return }
        line.isReady = true
        ready.append(line)
    }

    private mutating func watch(_ exchange: CurlExchange, since start: Nanoseconds) {
        let time = min(exchange.deadline ?? .max, exchange.queueLimit.map { start + $0 } ?? .max)
        if time != .max { deadlines.insert(exchange, at: time) }
    }
}
