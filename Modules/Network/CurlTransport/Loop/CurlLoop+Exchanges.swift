import CLibcurl
import HTTPTransport
import Threading

// What happens to exchanges in a turn.
extension CurlLoop {
    /// The usual time after which a name server that does not respond is given up: two attempts of five seconds.
    private static let lookupTime: Nanoseconds = 10_000_000_000

    func perform(_ command: Command) {
        switch command {
        case .start(let exchange): queue.add(exchange, at: now)
        case .cancel(let exchange):
            if let handle = exchange.handle {
                finish(handle.easy, failure: .cancelled)
            } else {
                queue.remove(exchange)
                exchange.report(.failure(.cancelled))
            }
        case .resume(let exchange):
            guard let handle = exchange.handle else { return }
            let result = exchange.resume(handle)
            noteDeadline(of: exchange)
            // A transfer that is between a broken connection and a new one cannot be resumed and need not be.
            let isBetween = result == Int32(PAW_CURLE_BAD_FUNCTION_ARGUMENT.rawValue) && exchange.failure == nil
            if result != 0, !isBetween { finish(handle.easy, result: result) }
        }
    }

    /// Ends all exchanges. No command can arrive any more, since the last ones were taken together with `isStopping`.
    func close() {
        for easy in Array(running.keys) { finish(easy, failure: CurlLoop.shutDownError) }
        for exchange in queue.removeAll() { exchange.end(.failure(CurlLoop.shutDownError)) }
        wakeReaders()
        isClosed = true
        idleHandles = []
        // No turn follows that would forget them, and an exchange retains its loop.
        abandonedLookups = []
        curl_multi_cleanup(multi)
    }

    // MARK: - Exchanges

    func startWaiting() {
        while let lookup = abandonedLookups.first, lookup.end <= now {
            queue.leave(lookup.exchange)
            abandonedLookups.removeFirst()
        }
        while running.count + abandonedLookups.count < configuration.maximumExchanges,
            let exchange = queue.next(perOrigin: configuration.maximumExchangesPerOrigin, at: now)
        {
            start(exchange)
        }
    }

    private func start(_ exchange: CurlExchange) {
        guard !exchange.channel.isEnded else { return queue.leave(exchange) }
        let handle: CurlHandle
        do throws(HTTPTransportError) {
            handle = if let idle = idleHandles.popLast() { idle } else { try CurlHandle(options) }
        } catch {
            queue.leave(exchange)
            return exchange.end(.failure(error))
        }
        exchange.attach(handle)
        running[handle.easy] = exchange
        noteDeadline(of: exchange)
        holdSocket(of: exchange)
        let result = curl_multi_add_handle(multi, handle.easy)
        if result != 0 {
            finish(
                handle.easy,
                failure: HTTPTransportError(.library, detail: "libcurl does not accept the handle: code \(result)")
            )
        }
    }

    func finishDone() {
        var result: Int32 = 0
        while let easy = paw_curl_next_finished(multi, &result) { finish(easy, result: result) }
    }

    /// Ends a running exchange.
    func finish(_ easy: UnsafeMutableRawPointer, result: Int32 = 0, failure: HTTPTransportError? = nil) {
        guard let exchange = running.removeValue(forKey: easy), let handle = exchange.handle else { return }
        // A failed lookup or connection has ended.
        let isAborted = failure != nil || result == Int32(PAW_CURLE_OPERATION_TIMEDOUT.rawValue)
        if !isAborted, exchange.isConnecting { exchange.group?.lastAttempt = now }
        if isAborted, exchange.isLookingUp(handle) {
            abandonedLookups.append((now + CurlLoop.lookupTime, exchange))
        } else {
            queue.leave(exchange)
        }
        exchange.group?.noteEnd(hasSucceededAlone: result == 0 && failure == nil && running.isEmpty, at: now)
        let outcome = exchange.outcome(result: result, failure: failure)
        exchange.report(outcome)
        if result == 0, !CurlLibrary.detectsExcessBytes, exchange.isPlain, handle.number(PAW_CURLINFO_NUM_CONNECTS) > 0,
            let socket = handle.socket
        {
            plainConnections.add(socket)
        }
        if result == 0, failure == nil, !exchange.isPlain { noteOrigin(exchange.origin) }
        exchange.abandon()
        curl_multi_remove_handle(multi, easy)
        exchange.detach()
        if CurlLibrary.mayReuseHandles, idleHandles.count < 64 { idleHandles.append(handle) }
        // The readers of all exchanges that end in a turn are woken together, which wakes fewer threads.
        exchange.channel.setEnd(outcome)
        markDirty(exchange)
    }

    private func noteOrigin(_ origin: String) {
        inbox.withLock { inbox in
            if inbox.knownOrigins.count >= 1_024 { inbox.knownOrigins = [] }
            inbox.knownOrigins.insert(origin)
        }
    }

    /// Notes that a reader may have to be resumed at the end of this turn.
    func markDirty(_ exchange: CurlExchange) {
        guard !exchange.isDirty else { return }
        exchange.isDirty = true
        dirty.append(exchange)
    }

    func wakeReaders() {
        guard !dirty.isEmpty else { return }
        for exchange in dirty {
            exchange.isDirty = false
            exchange.channel.wakeReader()
        }
        dirty.removeAll(keepingCapacity: true)
    }
}
