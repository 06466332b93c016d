import HTTPTransport
import SystemCalls

// The timeouts of running and waiting exchanges, which libcurl does not measure.
extension CurlLoop {
    /// Notes when a timeout of a running exchange may expire.
    func noteDeadline(of exchange: CurlExchange) { nextCheck = min(nextCheck, exchange.nextDeadline) }

    /// Ends the exchanges with an expired timeout.
    /// - Returns: the time at which the next one may expire.
    func expireTimeouts() -> Nanoseconds {
        if nextCheck <= now {
            for exchange in Array(running.values) {
                guard let phase = exchange.expired(at: now), let handle = exchange.handle else { continue }
                // A server may respond without reading the rest of the upload, for which libcurl then waits for ever: the
                // response is complete all the same (RFC 9113, section 8.1).
                let isComplete = exchange.response.mayAbandonUpload
                finish(handle.easy, failure: isComplete ? nil : timeoutError(exchange, phase))
            }
            // Activity only moves deadlines back, apart from what calls noteDeadline, so that it suffices to check again at
            // the earliest one.
            nextCheck = running.values.reduce(.max) { min($0, $1.nextDeadline) }
        }
        for (exchange, phase) in queue.expired(at: now, perOrigin: configuration.maximumExchangesPerOrigin) {
            exchange.end(.failure(timeoutError(exchange, phase)))
        }
        return min(nextCheck, queue.nextDeadline, abandonedLookups.first?.end ?? .max)
    }

    private func timeoutError(_ exchange: CurlExchange, _ phase: HTTPTransportError.Phase) -> HTTPTransportError {
        let timeouts = exchange.request.timeouts
        let limit =
            switch phase {
            case .connect: timeouts.connect
            case .idle: timeouts.idle
            case .total: timeouts.total ?? .zero
            case .queue: timeouts.queue ?? .zero
            }
        let time = limit.roundedDescription
        let detail =
            switch phase {
            case .connect where exchange.handle.map(exchange.isWaitingForConnection) ?? false:
                "no connection within \(time), while it waited for the connection of another request"
            case .connect: "no connection within \(time)"
            case .idle where exchange.response.hasHead: "nothing was received or sent for \(time)"
            case .idle: "nothing was sent, and no complete line of the response's head was received, for \(time)"
            case .total: "not finished within \(time)"
            case .queue: "no exchange ended within \(time): \(runningExchanges(before: exchange))"
            }
        return HTTPTransportError(.timedOut(phase), detail: detail)
    }

    /// Describes the exchanges that a waiting one waits for, and what to do.
    private func runningExchanges(before exchange: CurlExchange) -> String {
        let maximum = configuration.maximumExchangesPerOrigin
        let isOriginFull = queue.running(exchange.origin) >= maximum
        let exchanges = running.values.filter { !isOriginFull || $0.origin == exchange.origin }
        let lookups = abandonedLookups.count { !isOriginFull || $0.exchange.origin == exchange.origin }
        if lookups > 0 { return "\(lookups) lookups of host names have not ended; check the name server" }
        let paused = exchanges.filter { $0.isUnread || $0.isStarved }.count
        let setting =
            isOriginFull
            ? "CurlConfiguration.maximumExchangesPerOrigin (\(maximum))"
            : "CurlConfiguration.maximumExchanges (\(configuration.maximumExchanges))"
        return
            "\(exchanges.count) exchanges\(isOriginFull ? " with \(exchange.origin)" : "") are running, \(paused) of them "
            + "with bodies that are not read or produced; read them, cancel them or raise \(setting)"
    }
}

// MARK: - Time

/// A time of the monotonic clock, or a duration, in nanoseconds: a plain integer, since it is read for every packet.
typealias Nanoseconds = Int64

/// The monotonic clock.
enum MonotonicTime {
    static var now: Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Nanoseconds(time.tv_sec) * 1_000_000_000 + Nanoseconds(time.tv_nsec)
    }
}

extension Duration {
    /// The duration in nanoseconds, limited to a year, so that sums never overflow.
    var nanoseconds: Nanoseconds {
        let year: Int64 = 366 * 86_400
        let (seconds, attoseconds) = components
        if seconds >= year { return year * 1_000_000_000 }
        if seconds < 0 { return 0 }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
