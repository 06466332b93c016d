import CLibcurl
import HTTPTransport
import Locking

/// The thread that runs libcurl, and the inbox through which everybody else reaches it.
final class CurlLoop: @unchecked Sendable {
    enum Command {
        case start(CurlExchange)
        case cancel(CurlExchange)
        case resume(CurlExchange)
    }

    private struct Inbox {
        var commands: [Command] = []
        var isStopping = false
        /// Whether the thread has left, after which nothing may touch the multi handle.
        var isClosed = false
    }

    let configuration: CurlConfiguration
    private let multi: UnsafeMutableRawPointer
    private let inbox = Locked(Inbox())

    // MARK: The thread only

    /// When the present turn began; read by callbacks instead of the clock.
    private(set) var now: Nanoseconds = MonotonicTime.now
    private let options: CurlConnectionOptions
    private var live: [UnsafeMutableRawPointer: CurlExchange] = [:]
    private var queue = ExchangeQueue()
    private var idleHandles: [CurlHandle] = []
    private var dirty: [CurlExchange] = []
    /// No timeout can pass before this time.
    private var nextCheck = Nanoseconds.max

    static let shutDownError = HTTPTransportError(.shutDown, detail: "make a new transport to go on")

    init(configuration: CurlConfiguration) throws(HTTPTransportError) {
        try CurlLibrary.start()
        guard let multi = curl_multi_init() else {
            throw HTTPTransportError(.library, detail: "libcurl makes no multi handle: no memory or no descriptors")
        }
        self.configuration = configuration
        self.multi = multi
        options = CurlConnectionOptions(configuration.connection)
        // Kept connections are what makes the next request cheap: as many as may be in use at one time.
        _ = paw_curl_multi_set_long(multi, PAW_CURLMOPT_MAXCONNECTS, configuration.maximumExchanges)
        guard LoopThread({ [self] in run() }) != nil else {
            curl_multi_cleanup(multi)
            throw HTTPTransportError(.library, detail: "no thread can be started")
        }
    }

    /// Hands a command to the thread and wakes it.
    func post(_ command: Command) {
        let isRefused = inbox.withLock { inbox in
            guard !inbox.isStopping else { return true }
            inbox.commands.append(command)
            // Under the lock, since the multi handle goes away with the thread.
            if inbox.commands.count == 1 { curl_multi_wakeup(multi) }
            return false
        }
        if isRefused, case .start(let exchange) = command { exchange.end(.failure(CurlLoop.shutDownError)) }
    }

    /// Ends the thread and every exchange; does not wait for it.
    func stop() {
        inbox.withLock { inbox in
            inbox.isStopping = true
            if !inbox.isClosed { curl_multi_wakeup(multi) }
        }
    }

    /// Notes that a waiter may be woken at the end of this turn.
    func markDirty(_ exchange: CurlExchange) {
        guard !exchange.isDirty else { return }
        exchange.isDirty = true
        dirty.append(exchange)
    }

    // MARK: - The thread

    private func run() {
        var commands: [Command] = []
        var running: Int32 = 0
        while true {
            let (posted, isStopping) = inbox.withLock { inbox -> ([Command], Bool) in
                defer { inbox.commands = [] }
                return (inbox.commands, inbox.isStopping)
            }
            commands = posted
            now = MonotonicTime.now
            for command in commands { handle(command) }
            commands = []
            guard !isStopping else { return close() }
            startQueued()
            curl_multi_perform(multi, &running)
            finishDone()
            startQueued()
            let wait = checkTimeouts()
            flush()
            curl_multi_poll(multi, nil, 0, wait, nil)
        }
    }

    private func handle(_ command: Command) {
        switch command {
        case .start(let exchange):
            note(deadlineOf: exchange)
            queue.add(exchange)
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
            if result != 0 { finish(handle.easy, result: result) }
        }
    }

    private func startQueued() {
        while live.count < configuration.maximumExchanges,
            let exchange = queue.next(perOrigin: configuration.maximumExchangesPerOrigin)
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

    private func finishDone() {
        var result: Int32 = 0
        while let easy = paw_curl_next_finished(multi, &result) { finish(easy, result: result) }
    }

    private func finish(_ easy: UnsafeMutableRawPointer, result: Int32 = 0, failure: HTTPTransportError? = nil) {
        guard let exchange = live.removeValue(forKey: easy), let handle = exchange.handle else { return }
        queue.leave(exchange)
        let outcome = exchange.outcome(result: result, failure: failure)
        if case .success = outcome { exchange.tellEnd() }
        curl_multi_remove_handle(multi, easy)
        exchange.detach()
        if CurlLibrary.mayReuseHandles, idleHandles.count < 64 { idleHandles.append(handle) }
        exchange.end(outcome)
    }

    private func flush() {
        guard !dirty.isEmpty else { return }
        for exchange in dirty {
            exchange.isDirty = false
            exchange.wake()
        }
        dirty.removeAll(keepingCapacity: true)
    }

    // MARK: - Time

    private func note(deadlineOf exchange: CurlExchange) {
        nextCheck = min(nextCheck, exchange.nextDeadline)
    }

    /// Ends what has run out of time; returns how many milliseconds the thread may sleep.
    private func checkTimeouts() -> Int32 {
        guard nextCheck != .max else { return 60_000 }
        if nextCheck <= now {
            for exchange in Array(live.values) {
                guard let phase = exchange.expired(at: now), let handle = exchange.handle else { continue }
                finish(handle.easy, failure: HTTPTransportError(.timedOut(phase), detail: exchange.describe(phase)))
            }
            for exchange in queue.expired(at: now) {
                exchange.end(.failure(HTTPTransportError(.timedOut(.total), detail: exchange.describe(.total))))
            }
            // Activity only moves deadlines back, so looking at all again at the earliest of them is enough.
            nextCheck = min(live.values.reduce(.max) { min($0, $1.nextDeadline) }, queue.nextDeadline)
            guard nextCheck != .max else { return 60_000 }
        }
        return Int32(clamping: max(0, nextCheck - now) / 1_000_000 + 1)
    }

    // MARK: - The end

    private func close() {
        for easy in Array(live.keys) { finish(easy, failure: CurlLoop.shutDownError) }
        for exchange in queue.removeAll() { exchange.end(.failure(CurlLoop.shutDownError)) }
        flush()
        let late = inbox.withLock { inbox -> [Command] in
            inbox.isClosed = true
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for case .start(let exchange) in late { exchange.end(.failure(CurlLoop.shutDownError)) }
        idleHandles = []
        curl_multi_cleanup(multi)
    }
}
