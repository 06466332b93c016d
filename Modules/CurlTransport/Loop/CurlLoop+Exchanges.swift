import CLibcurl
import HTTPTransport
import Locking

// The thread's side: exchanges begin, go on and end.
extension CurlLoop {
    func handle(_ command: Command) {
        switch command {
        case .start(let exchange):
            queue.add(exchange, at: now)
        case .cancel(let exchange):
            if let handle = exchange.handle {
                finish(handle.easy, failure: .cancelled)
            } else {
                queue.remove(exchange)
            }
        case .resume(let exchange):
            guard let handle = exchange.handle else { return }
            exchange.shared.withLock { $0.isPaused = false }
            exchange.isHeldByClient = false
            exchange.lastActivity = now
            note(deadlineOf: exchange)
            // What was held back is delivered in here. When it is refused, libcurl says so now and never again.
            let result = curl_easy_pause(handle.easy, 0)
            // A transfer without a connection, which gets one in place of a broken one, takes no resuming and needs none.
            let isBetween = result == Int32(PAW_CURLE_BAD_FUNCTION_ARGUMENT.rawValue) && exchange.failure == nil
            if result != 0, !isBetween { finish(handle.easy, result: result) }
        }
    }

    func startQueued() {
        while live.count < configuration.maximumExchanges,
            let exchange = queue.next(perOrigin: configuration.maximumExchangesPerOrigin, at: now)
        {
            start(exchange)
        }
    }

    private func start(_ exchange: CurlExchange) {
        guard !exchange.isEnded else { return queue.leave(exchange) }
        let handle: CurlHandle
        do throws(HTTPTransportError) {
            if let idle = idleHandles.popLast() {
                handle = idle
            } else {
                handle = try CurlHandle(options)
            }
        } catch {
            queue.leave(exchange)
            return exchange.end(.failure(error))
        }
        exchange.lastActivity = now
        exchange.configure(handle, configuration)
        live[handle.easy] = exchange
        note(deadlineOf: exchange)
        let result = curl_multi_add_handle(multi, handle.easy)
        if result != 0 {
            finish(
                handle.easy,
                failure: HTTPTransportError(.library, detail: "libcurl takes no handle: code \(result)")
            )
        }
    }

    func finishDone() {
        var result: Int32 = 0
        while let easy = paw_curl_next_finished(multi, &result) { finish(easy, result: result) }
    }

    func finish(_ easy: UnsafeMutableRawPointer, result: Int32 = 0, failure: HTTPTransportError? = nil) {
        guard let exchange = live.removeValue(forKey: easy), let handle = exchange.handle else { return }
        queue.leave(exchange)
        let outcome = exchange.outcome(result: result, failure: failure)
        if case .success = outcome { exchange.tellEnd() }
        if result == 0, !CurlLibrary.refusesUnclean, exchange.isPlain, handle.number(PAW_CURLINFO_NUM_CONNECTS) > 0,
            let socket = handle.socket
        {
            keptSockets.keep(socket)
        }
        exchange.isGivenUp = true
        // What libcurl 7.88 holds back of a stream of HTTP/2, up to 32 MiB, it forgets to free with the stream: let it be
        // delivered, and refused, before.
        if exchange.isHeldByClient { curl_easy_pause(easy, 0) }
        curl_multi_remove_handle(multi, easy)
        exchange.detach()
        if CurlLibrary.mayReuseHandles, idleHandles.count < 64 { idleHandles.append(handle) }
        exchange.end(outcome)
    }

    func flush() {
        guard !dirty.isEmpty else { return }
        for exchange in dirty {
            exchange.isDirty = false
            exchange.wake()
        }
        dirty.removeAll(keepingCapacity: true)
    }
}
