import CLibcurl
import HTTPTransport
import SystemCalls
import Threading

/// Runs libcurl's multi interface, and the inbox through which tasks reach it.
///
/// libcurl is called by one thread at a time, in turns: by the loop's own thread when a socket is ready or a timeout expires,
/// and by the thread of a task that starts or resumes an exchange. So a request is sent without waking another
/// thread. A task never waits for another thread's turn: that thread performs the command before it ends. Nor is a thread
/// woken for the response of a server that responds at once: the task's thread waits for it a moment, see ``receiveAtOnce(from:)``.
final class CurlLoop: @unchecked Sendable {
    enum Command {
        case start(CurlExchange)
        case cancel(CurlExchange)
        case resume(CurlExchange)
    }

    struct Inbox {
        var commands: [Command] = []
        var isStopping = false
        /// Whether several exchanges were running in the last turn.
        var isBusy = false
        /// The origins over TLS with which an exchange has succeeded.
        var knownOrigins: Set<String> = []

        /// Whether a command must not be performed on the thread of its task.
        func mayBlock(_ command: Command) -> Bool {
            switch command {
            // The first connection with an origin reads the trusted authorities from the disk.
            case .start(let exchange): !exchange.isPlain && !knownOrigins.contains(exchange.origin)
            // The runtime calls cancellation handlers under a lock of the task.
            case .cancel: true
            case .resume: false
            }
        }
    }

    /// What a task does after it has added a command.
    private enum Handling { case refuse, leave, wakeThread, perform }

    let configuration: CurlConfiguration
    let multi: UnsafeMutableRawPointer
    let inbox = Locked(Inbox())
    private let turn: TurnLock
    private let sockets: SocketWatcher

    // MARK: The turn's

    /// The time at which the current turn began, which callbacks read instead of the clock.
    private(set) var now: Nanoseconds = MonotonicTime.now
    /// Whether the turn is the first one of a task's thread.
    private var isTasksTurn = false
    /// Whether all exchanges have ended, after which the multi handle must not be used.
    var isClosed = false
    /// The time at which the loop's thread wakes up by itself.
    private var wakeTime = Nanoseconds.min
    let options: CurlConnectionOptions
    /// The User-Agent of requests without one.
    let agentField: String?
    /// The running exchanges by their handles.
    var running: [UnsafeMutableRawPointer: CurlExchange] = [:]
    /// The waiting exchanges.
    var queue = ExchangeQueue()
    var idleHandles: [CurlHandle] = []
    var plainConnections = PlainConnections()
    var dirty: [CurlExchange] = []
    /// The exchanges that ended during the lookup of their host's name, for as long as the system may still look it up: libcurl
    /// leaves a thread behind for each. Until then they count as running.
    var abandonedLookups: [(end: Nanoseconds, exchange: CurlExchange)] = []
    /// The time for which the thread sleeps at most after it had something to do, so that the timeouts of the next requests
    /// need not wake it.
    private static let shortSleep: Nanoseconds = 1_000_000_000
    private static let longSleep: Nanoseconds = 60_000_000_000
    /// The time in which a server responds at once, and for which a task's thread waits for it: about what it costs to wake
    /// the loop's thread and then one of the task's, since other tasks cannot use the thread while it waits.
    static let immediateTime: Nanoseconds = 200_000
    /// No timeout of a running exchange can expire before this time.
    var nextCheck = Nanoseconds.max

    static let shutDownError = HTTPTransportError(.shutDown, detail: "create a new transport to send requests")

    init(configuration: CurlConfiguration) throws(HTTPTransportError) {
        try CurlLibrary.start()
        sockets = try SocketWatcher()
        guard let multi = curl_multi_init() else {
            throw HTTPTransportError(.library, detail: "libcurl cannot create a multi handle: no memory or descriptors")
        }
        self.configuration = configuration
        agentField = configuration.userAgent.map { "User-Agent: " + $0 }
        self.multi = multi
        turn = TurnLock()
        options = CurlConnectionOptions(configuration.connection)
        // Reused connections make requests cheap: as many are cached as may be in use at a time.
        _ = paw_curl_multi_set_long(multi, PAW_CURLMOPT_MAXCONNECTS, configuration.maximumExchanges)
        sockets.observe(multi)
        do throws(SystemError) {
            try SystemThread.detach { [self] in run() }
        } catch {
            curl_multi_cleanup(multi)
            throw HTTPTransportError(.library, detail: "the transport's thread cannot be started: \(error)")
        }
    }

    // MARK: - Called by tasks

    /// Performs a command, or has the thread or the current turn perform it.
    func post(_ command: Command) {
        let handling = inbox.withLock { inbox -> Handling in
            guard !inbox.isStopping else { return .refuse }
            inbox.commands.append(command)
            // While there are other commands, the thread or a task is about to perform them all.
            guard inbox.commands.count == 1 else { return .leave }
            // Many exchanges are cheaper if the thread performs their commands together.
            return inbox.isBusy || !CurlLibrary.canAbandonLookups || inbox.mayBlock(command) ? .wakeThread : .perform
        }
        switch handling {
        case .refuse: if case .start(let exchange) = command { exchange.end(.failure(CurlLoop.shutDownError)) }
        case .leave: break
        case .wakeThread: sockets.wake()
        case .perform: performCommands(asTask: true)
        }
    }

    /// Ends the thread and every exchange, without waiting for them.
    func stop() {
        inbox.withLock { $0.isStopping = true }
        sockets.wake()
    }

    /// Takes turns until the inbox is empty or another thread has its turn, which performs the commands.
    private func performCommands(asTask: Bool) {
        // Not endlessly on the thread of a task.
        for _ in 0..<4 {
            guard inbox.withLock({ !$0.commands.isEmpty && !$0.isStopping }), turn.tryLock() else { return }
            now = MonotonicTime.now
            isTasksTurn = asTask
            sockets.releaseHeld()
            if let socket = endTasksTurn() { receiveAtOnce(from: socket) }
        }
        sockets.wake()
    }

    /// Performs what is due, and ends the turn of a thread that is not waiting for all sockets.
    /// - Returns: the socket that is held.
    private func endTasksTurn() -> paw_socket_event? {
        let next = isClosed ? .max : takeTurn().next
        isTasksTurn = false
        let (held, wakesThread) = (sockets.held, next < wakeTime)
        turn.unlock()
        if wakesThread { sockets.wake() }
        return held
    }

    /// Receives the response of a server that responds at once on the thread that sent the request, which wakes no thread.
    ///
    /// After ``immediateTime``, or if another thread has its turn, the loop's thread receives the rest.
    private func receiveAtOnce(from first: paw_socket_event) {
        var held = Optional(first)
        var time = MonotonicTime.now
        let end = time + CurlLoop.immediateTime
        while let socket = held {
            let ready = paw_socket_wait(socket.socket, socket.actions, Int32(max(0, end - time) / 1_000))
            guard turn.tryLock() else { return }
            time = MonotonicTime.now
            now = time
            // Otherwise another turn has begun to watch it.
            guard sockets.held?.socket == socket.socket else { return turn.unlock() }
            var count: Int32 = 0
            if ready != 0 { curl_multi_socket_action(multi, socket.socket, ready, &count) }
            if ready == 0 || time >= end { sockets.releaseHeld() }
            held = endTasksTurn()
        }
    }

    /// Has the socket of an exchange held if it is the only one and its server has responded at once.
    func holdSocket(of exchange: CurlExchange) {
        sockets.holdsNext = isTasksTurn && running.count == 1 && exchange.group?.respondsAtOnce ?? false
    }

    // MARK: - The thread

    private func run() {
        var timeout: Int32 = 0
        while true {
            let ready = sockets.wait(milliseconds: timeout)
            turn.lock()
            now = MonotonicTime.now
            sockets.releaseHeld()
            for event in ready {
                var count: Int32 = 0
                if sockets.isWatched(event.socket) {
                    curl_multi_socket_action(multi, event.socket, event.actions, &count)
                }
            }
            let (next, isStopping, wasIdle) = takeTurn()
            if isStopping {
                close()
                return turn.unlock()
            }
            wakeTime = ready.isEmpty && wasIdle ? next : min(next, now + CurlLoop.shortSleep)
            wakeTime = min(wakeTime, now + CurlLoop.longSleep)
            timeout = Int32(max(0, wakeTime - now + 999_999) / 1_000_000)
            turn.unlock()
            // Those of tasks that found this thread in its turn.
            performCommands(asTask: false)
        }
    }

    /// Performs the commands and what libcurl has to do now.
    /// - Returns: the time of the next turn, whether the loop is to end, and whether there were no commands.
    private func takeTurn() -> (next: Nanoseconds, isStopping: Bool, wasIdle: Bool) {
        let (commands, isStopping) = inbox.withLock { inbox -> ([Command], Bool) in
            defer { inbox.commands = [] }
            inbox.isBusy = running.count > 2
            return (inbox.commands, inbox.isStopping)
        }
        for command in commands { perform(command) }
        guard !isStopping else { return (now, true, false) }
        finishDone()
        startWaiting()
        var (wait, count): (Int, Int32) = (-1, 0)
        // Each step of a new exchange is due at once. The rest of very many is left to the next turn.
        for _ in 0..<32 {
            curl_multi_timeout(multi, &wait)
            guard wait == 0 else { break }
            curl_multi_socket_action(multi, Int32(PAW_CURL_SOCKET_TIMEOUT), 0, &count)
            finishDone()
            startWaiting()
        }
        let next = wait < 0 ? .max : now + Nanoseconds(wait) * 1_000_000
        let deadline = expireTimeouts()
        wakeReaders()
        return (min(next, deadline), false, commands.isEmpty)
    }
}
