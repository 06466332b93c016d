import HTTPTransport

/// Exchanges that wait for their turn, first come first served within an origin, and the count of running ones.
struct ExchangeQueue {
    private struct Origin {
        var running = 0
        var waiting: [CurlExchange] = []
    }

    private var origins: [String: Origin] = [:]
    /// Origins that may have somebody to start, in the order in which they came.
    private var ready: [String] = []

    /// Puts an exchange at the end of its origin's line.
    mutating func add(_ exchange: CurlExchange) {
        origins[exchange.origin, default: Origin()].waiting.append(exchange)
        ready.append(exchange.origin)
    }

    /// The next exchange that may start, counted as running from now on.
    mutating func next(perOrigin: Int) -> CurlExchange? {
        var passed = 0
        defer { ready.removeFirst(passed) }
        while passed < ready.count {
            let key = ready[passed]
            passed += 1
            // An origin whose places are taken is put back when one of them is left.
            guard let origin = origins[key], origin.running < perOrigin, !origin.waiting.isEmpty else { continue }
            origins[key]?.running += 1
            return origins[key]?.waiting.removeFirst()
        }
        return nil
    }

    /// Gives the place of a running exchange back.
    mutating func leave(_ exchange: CurlExchange) {
        let key = exchange.origin
        origins[key]?.running -= 1
        guard let origin = origins[key] else { return }
        if !origin.waiting.isEmpty {
            ready.append(key)
        } else if origin.running <= 0 {
            origins[key] = nil
        }
    }

    /// Takes a waiting exchange out of its line.
    mutating func remove(_ exchange: CurlExchange) {
        origins[exchange.origin]?.waiting.removeAll { $0 === exchange }
        if let origin = origins[exchange.origin], origin.running <= 0, origin.waiting.isEmpty {
            origins[exchange.origin] = nil
        }
    }

    /// Takes out the waiting exchanges whose total time has passed.
    mutating func expired(at now: Nanoseconds) -> [CurlExchange] {
        var expired: [CurlExchange] = []
        for origin in origins.values {
            expired += origin.waiting.filter { exchange in exchange.deadline.map { $0 <= now } ?? false }
        }
        for exchange in expired { remove(exchange) }
        return expired
    }

    /// The earliest total deadline of those that wait.
    var nextDeadline: Nanoseconds {
        origins.values.reduce(.max) { least, origin in
            origin.waiting.reduce(least) { min($0, $1.deadline ?? .max) }
        }
    }

    /// Empties all lines.
    mutating func removeAll() -> [CurlExchange] {
        defer { self = ExchangeQueue() }
        return origins.values.flatMap(\.waiting)
    }
}
