import HTTPTransport

// The timeouts of running and waiting exchanges, which libcurl does not measure.
extension CurlLoop {
    /// Notes when a timeout of a running exchange may expire.
    func noteDeadline(of exchange: CurlExchange) {
        nextCheck = min(nextCheck, exchange.nextDeadline)
    }

    /// Ends the exchanges with an expired timeout.
    /// - Returns: the number of milliseconds that the thread may sleep.
    func expireTimeouts() -> Int32 {
        if nextCheck <= now {
            for exchange in Array(running.values) {
                guard let phase = exchange.expired(at: now), let handle = exchange.handle else { continue }
                finish(handle.easy, failure: timeoutError(exchange, phase))
            }
            // Activity only moves deadlines back, so that it suffices to check again at the earliest one.
            nextCheck = running.values.reduce(.max) { min($0, $1.nextDeadline) }
        }
        while let (exchange, phase) = queue.expired(at: now, perOrigin: configuration.maximumExchangesPerOrigin) {
            exchange.channel.end(.failure(timeoutError(exchange, phase)))
        }
        let next = min(nextCheck, queue.nextDeadline)
        return next == .max ? 60_000 : Int32(clamping: max(0, next - now) / 1_000_000 + 1)
    }

    private func timeoutError(_ exchange: CurlExchange, _ phase: HTTPTransportError.Phase) -> HTTPTransportError {
        let timeouts = exchange.request.timeouts
        let detail =
            switch phase {
            case .connect: "no connection within \(timeouts.connect)"
            case .idle: "nothing was received or sent for \(timeouts.idle)"
            case .total: "not finished within \(timeouts.total ?? .zero)"
            case .queue: "no exchange ended within \(timeouts.queue ?? .zero): \(runningExchanges(before: exchange))"
            }
        return HTTPTransportError(.timedOut(phase), detail: detail)
    }

    /// Describes the exchanges that a waiting one waits for, and what to do.
    private func runningExchanges(before exchange: CurlExchange) -> String {
        let maximum = configuration.maximumExchangesPerOrigin
        let isOriginFull = queue.running(exchange.origin) >= maximum
        let exchanges = running.values.filter { !isOriginFull || $0.origin == exchange.origin }
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
