import CLibcurl
import HTTPTransport
import Locking
import SystemCalls
import Threading

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
    let multi: UnsafeMutableRawPointer
    private let inbox = Locked(Inbox())

    // MARK: The thread only

    /// When the present turn began; read by callbacks instead of the clock.
    private(set) var now: Nanoseconds = MonotonicTime.now
    let options: CurlConnectionOptions
    var live: [UnsafeMutableRawPointer: CurlExchange] = [:]
    var queue = ExchangeQueue()
    var idleHandles: [CurlHandle] = []
    var keptSockets = KeptSockets()
    var dirty: [CurlExchange] = []
    /// No timeout of a running exchange can pass before this time.
    var nextCheck = Nanoseconds.max

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
        do throws(SystemError) {
            try SystemThread.detach { [self] in run() }
        } catch {
            curl_multi_cleanup(multi)
            throw HTTPTransportError(.library, detail: "the transport's thread cannot be started: \(error)")
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
