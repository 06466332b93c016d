import HTTPTransport

// The thread's side: time.
extension CurlLoop {
    /// Notes when a running exchange may run out of time.
    func note(deadlineOf exchange: CurlExchange) {
        nextCheck = min(nextCheck, exchange.nextDeadline)
    }

    /// Ends what has run out of time; returns how many milliseconds the thread may sleep.
    func checkTimeouts() -> Int32 {
        if nextCheck <= now {
            for exchange in Array(live.values) {
                guard let phase = exchange.expired(at: now), let handle = exchange.handle else { continue }
                finish(handle.easy, failure: expiry(of: exchange, phase))
            }
            // Activity only moves deadlines back, so looking at all again at the earliest of them is enough.
            nextCheck = live.values.reduce(.max) { min($0, $1.nextDeadline) }
        }
        while let (exchange, phase) = queue.expired(at: now, perOrigin: configuration.maximumExchangesPerOrigin) {
            exchange.end(.failure(expiry(of: exchange, phase)))
        }
        let next = min(nextCheck, queue.nextDeadline)
        return next == .max ? 60_000 : Int32(clamping: max(0, next - now) / 1_000_000 + 1)
    }

    private func expiry(of exchange: CurlExchange, _ phase: HTTPTransportError.Phase) -> HTTPTransportError {
        let timeouts = exchange.request.timeouts
        let detail =
            switch phase {
            case .connect: "no connection within \(timeouts.connect)"
            case .idle: "nothing came for \(timeouts.idle)"
            case .total: "not done within \(timeouts.total ?? .zero)"
            case .queue: "in \(timeouts.queue ?? .zero) no place became free: \(holders(before: exchange))"
            }
        return HTTPTransportError(.timedOut(phase), detail: detail)
    }

    /// Who holds the places that an exchange waits for, and what to do about it.
    private func holders(before exchange: CurlExchange) -> String {
        let most = configuration.maximumExchangesPerOrigin
        let isOwn = queue.running(exchange.origin) >= most
        let holders = live.values.filter { !isOwn || $0.origin == exchange.origin }
        let unread = holders.filter(\.isHeldByClient).count
        let setting =
            isOwn
            ? "CurlConfiguration.maximumExchangesPerOrigin (\(most))"
            : "CurlConfiguration.maximumExchanges (\(configuration.maximumExchanges))"
        return
            "\(holders.count) exchanges\(isOwn ? " with \(exchange.origin)" : "") hold them all, \(unread) of them with "
            + "bodies that nobody reads or makes; read them, cancel them or raise \(setting)"
    }
}
