import CLibcurl
import HTTPTransport
import SystemCalls
import Threading

/// The thread that runs libcurl's multi interface, and the inbox through which tasks reach it.
final class CurlLoop: @unchecked Sendable {
    enum Command {
        case start(CurlExchange)
        case cancel(CurlExchange)
        case resume(CurlExchange)
    }

    private struct Inbox {
        var commands: [Command] = []
        var isStopping = false
        /// Whether the thread has ended, after which the multi handle must not be used.
        var isClosed = false
    }

    let configuration: CurlConfiguration
    private let multi: UnsafeMutableRawPointer
    private let inbox = Locked(Inbox())

    // MARK: The thread's

    /// The time at which the current turn began, which callbacks read instead of the clock.
    private(set) var now: Nanoseconds = MonotonicTime.now
    private let options: CurlConnectionOptions
    /// The running exchanges by their handles.
    var running: [UnsafeMutableRawPointer: CurlExchange] = [:]
    /// The waiting exchanges.
    var queue = ExchangeQueue()
    private var idleHandles: [CurlHandle] = []
    var plainConnections = PlainConnections()
    private var dirty: [CurlExchange] = []
    /// No timeout of a running exchange can expire before this time.
    var nextCheck = Nanoseconds.max

    static let shutDownError = HTTPTransportError(.shutDown, detail: "create a new transport to send requests")

    init(configuration: CurlConfiguration) throws(HTTPTransportError) {
        try CurlLibrary.start()
        guard let multi = curl_multi_init() else {
            throw HTTPTransportError(.library, detail: "libcurl cannot create a multi handle: no memory or descriptors")
        }
        self.configuration = configuration
        self.multi = multi
        options = CurlConnectionOptions(configuration.connection)
        // Reused connections make requests cheap: as many are cached as may be in use at a time.
        _ = paw_curl_multi_set_long(multi, PAW_CURLMOPT_MAXCONNECTS, configuration.maximumExchanges)
        do throws(SystemError) {
            try SystemThread.detach { [self] in run() }
        } catch {
            curl_multi_cleanup(multi)
            throw HTTPTransportError(.library, detail: "the transport's thread cannot be started: \(error)")
        }
    }

    // MARK: - Called by tasks

    /// Adds a command to the inbox and wakes the thread.
    func post(_ command: Command) {
        let isRefused = inbox.withLock { inbox in
            guard !inbox.isStopping else { return true }
            inbox.commands.append(command)
            // Under the lock, since the multi handle is destroyed by the thread.
            if inbox.commands.count == 1 { curl_multi_wakeup(multi) }
            return false
        }
        if isRefused, case .start(let exchange) = command { exchange.channel.end(.failure(CurlLoop.shutDownError)) }
    }

    /// Ends the thread and every exchange, without waiting for them.
    func stop() {
        inbox.withLock { inbox in
            inbox.isStopping = true
            if !inbox.isClosed { curl_multi_wakeup(multi) }
        }
    }

    // MARK: - The thread

    private func run() {
        var count: Int32 = 0
        while true {
            let (commands, isStopping) = inbox.withLock { inbox -> ([Command], Bool) in
                defer { inbox.commands = [] }
                return (inbox.commands, inbox.isStopping)
            }
            now = MonotonicTime.now
            for command in commands { perform(command) }
            guard !isStopping else { return close() }
            startWaiting()
            curl_multi_perform(multi, &count)
            finishDone()
            startWaiting()
            let wait = expireTimeouts()
            wakeReaders()
            curl_multi_poll(multi, nil, 0, wait, nil)
        }
    }

    private func perform(_ command: Command) {
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
            let result = exchange.resume(handle)
            noteDeadline(of: exchange)
            // A transfer that is between a broken connection and a new one cannot be resumed and need not be.
            let isBetween = result == Int32(PAW_CURLE_BAD_FUNCTION_ARGUMENT.rawValue) && exchange.failure == nil
            if result != 0, !isBetween { finish(handle.easy, result: result) }
        }
    }

    /// Ends all exchanges. No command can arrive any more, since the last ones were taken together with `isStopping`.
    private func close() {
        for easy in Array(running.keys) { finish(easy, failure: CurlLoop.shutDownError) }
        for exchange in queue.removeAll() { exchange.channel.end(.failure(CurlLoop.shutDownError)) }
        wakeReaders()
        inbox.withLock { $0.isClosed = true }
        idleHandles = []
        curl_multi_cleanup(multi)
    }

    // MARK: - Exchanges

    private func startWaiting() {
        while running.count < configuration.maximumExchanges,
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
            return exchange.channel.end(.failure(error))
        }
        exchange.attach(handle)
        running[handle.easy] = exchange
        noteDeadline(of: exchange)
        let result = curl_multi_add_handle(multi, handle.easy)
        if result != 0 {
            finish(
                handle.easy,
                failure: HTTPTransportError(.library, detail: "libcurl does not accept the handle: code \(result)")
            )
        }
    }

    private func finishDone() {
        var result: Int32 = 0
        while let easy = paw_curl_next_finished(multi, &result) { finish(easy, result: result) }
    }

    /// Ends a running exchange.
    func finish(_ easy: UnsafeMutableRawPointer, result: Int32 = 0, failure: HTTPTransportError? = nil) {
        guard let exchange = running.removeValue(forKey: easy), let handle = exchange.handle else { return }
        queue.leave(exchange)
        let outcome = exchange.outcome(result: result, failure: failure)
        if case .success = outcome { exchange.reportEnd() }
        if result == 0, !CurlLibrary.detectsExcessBytes, exchange.isPlain, handle.number(PAW_CURLINFO_NUM_CONNECTS) > 0,
            let socket = handle.socket
        {
            plainConnections.add(socket)
        }
        exchange.abandon()
        curl_multi_remove_handle(multi, easy)
        exchange.detach()
        if CurlLibrary.mayReuseHandles, idleHandles.count < 64 { idleHandles.append(handle) }
        exchange.channel.end(outcome)
    }

    /// Notes that a reader may have to be resumed at the end of this turn.
    func markDirty(_ exchange: CurlExchange) {
        guard !exchange.isDirty else { return }
        exchange.isDirty = true
        dirty.append(exchange)
    }

    private func wakeReaders() {
        guard !dirty.isEmpty else { return }
        for exchange in dirty {
            exchange.isDirty = false
            exchange.channel.wakeReader()
        }
        dirty.removeAll(keepingCapacity: true)
    }
}
