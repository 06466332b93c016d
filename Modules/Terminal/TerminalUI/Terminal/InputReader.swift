internal import CTerminal
internal import SystemCalls
internal import Threading

/// Reads a terminal's input and signals on its own thread and delivers them as a stream of events.
///
/// The thread is independent of the main actor, so that a stop, a second signal and the end of the grace period take
/// effect even if the main actor is blocked.
final class InputReader: @unchecked Sendable {
    // Sendable: the thread alone uses the state below `Thread state`; the rest is constant or locked.
    private let input: Int32
    private let output: Int32
    private let enter: [UInt8]
    /// The time after a query in which ``stop()`` waits for the reply.
    private let replyLimit: Duration
    private let signals: (read: Int32, write: Int32)
    private let stream: AsyncStream<TerminalEvent>
    private let continuation: AsyncStream<TerminalEvent>.Continuation
    private let shared = Locked(Shared())

    private struct Shared {
        var thread: SystemThread?
        /// Whether the terminal has not accepted a frame.
        var isStalled = false
        /// The number of queries without a reply, and when the last one was sent.
        var openQueries = 0
        var queriedAt = Duration.zero
        /// What is to use the terminal next.
        var borrowers: [@Sendable () -> Void] = []
        /// The earliest time at which the process may be ended, if the application has asked for more time.
        var graceEnd: Duration?
    }

    // MARK: Thread state

    private var decoder = InputDecoder()
    private var buffer = [UInt8](repeating: 0, count: 65536)
    private var isOpen = true
    private var dieAt: (time: Duration, signal: Int32)?
    private var sizeDueAt: Duration?
    private var lastSizeAt = Duration.seconds(-1)

    /// The time that an application has to react to a signal, before the process is ended.
    static let grace = Duration.seconds(2)
    /// The minimum time between two reports of the size: a frame at 60 Hz.
    static let sizeInterval = Duration.microseconds(16_667)
    /// Commands to the thread, sent through the signal pipe; no signal has these numbers.
    private enum Command {
        static let stop: UInt8 = 0
        static let wake: UInt8 = 255
        static let lend: UInt8 = 254
    }

    init(input: Int32, output: Int32, enter: [UInt8], replyLimit: Duration) throws(TerminalError) {
        self.input = input
        self.output = output
        self.enter = enter
        self.replyLimit = replyLimit
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(operation: "Creating a pipe", code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        signals = (ends[0], ends[1])
        (stream, continuation) = AsyncStream.makeStream()
    }

    deinit {
        close(signals.read)
        close(signals.write)
    }

    /// Installs the signal handlers and starts the thread.
    func start() throws(TerminalError) -> AsyncStream<TerminalEvent> {
        let failure = cterminal_install_handlers(signals.write)
        guard failure == 0 else { throw .system(operation: "Installing signal handlers", code: failure) }
        do {
            let thread = try SystemThread { [self] in run() }
            shared.withLock { $0.thread = thread }
        } catch {
            cterminal_remove_handlers()
            throw .system(operation: "Starting the input thread", code: error.code)
        }
        return stream
    }

    /// Counts queries that end with DA1, to which every terminal replies.
    func expectReply() {
        let now = now
        shared.withLock { shared in
            shared.openQueries += 1
            shared.queriedAt = now
        }
    }

    /// Waits for the replies to queries sent less than ``replyLimit`` ago: a reply that arrives after the end of the program
    /// would be read by the shell as typed text.
    private func awaitReplies() {
        while shared.withLock({ $0.openQueries > 0 && !$0.isStalled && now < $0.queriedAt + replyLimit }) {
            usleep(1000)
        }
    }

    /// Ends the thread, waits for it and finishes the stream.
    func stop() {
        awaitReplies()
        send(Command.stop)
        let thread = shared.withLock { shared in
            defer { shared.thread = nil }
            return shared.thread
        }
        thread?.join()
        continuation.finish()
    }

    /// Delivers ``TerminalEvent/writable`` when the terminal accepts output again.
    func watchOutput() {
        shared.withLock { $0.isStalled = true }
        send(Command.wake)
    }

    /// Whether the terminal has not accepted the last frame.
    var isStalled: Bool { shared.withLock { $0.isStalled } }

    /// Restores the terminal, runs something on the thread, which reads nothing meanwhile, and enters the terminal again.
    func lend(_ body: @escaping @Sendable () -> Void) {
        shared.withLock { $0.borrowers.append(body) }
        send(Command.lend)
    }

    private func lendTerminal() {
        let borrowers = shared.withLock { shared in
            defer { shared.borrowers = [] }
            return shared.borrowers
        }
        guard !borrowers.isEmpty else { return }
        cterminal_begin_lending()
        let hasLeft = cterminal_leave_between_frames()
        for body in borrowers { body() }
        cterminal_end_lending()
        // Entering the terminal again covers a stop and a change of the size meanwhile; other signals are delivered then.
        var bytes = [UInt8](repeating: 0, count: 64)
        var rest: [UInt8] = []
        while case let count = read(signals.read, &bytes, bytes.count), count > 0 { rest += bytes[..<count] }
        if hasLeft { reenter() }
        for byte in rest where ![SIGCONT, SIGWINCH].contains(Int32(byte)) { send(byte) }
    }

    /// Postpones the end of the process after a signal.
    func extendGracePeriod(by duration: Duration) {
        let end = now + duration
        shared.withLock { $0.graceEnd = end }
    }

    private func send(_ command: UInt8) {
        var byte = command
        _ = write(signals.write, &byte, 1)
    }

    private func run() {
        while true {
            let stalledOutput = shared.withLock { $0.isStalled } ? cterminal_output() : -1
            // poll ignores negative descriptors.
            var waiting = [
                pollfd(fd: signals.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen ? input : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stalledOutput, events: Int16(POLLOUT), revents: 0),
            ]
            let ready = poll(&waiting, nfds_t(waiting.count), timeout())
            if ready < 0 && errno != EINTR { endInput() }
            endProcessIfDue()
            if ready > 0 && waiting[0].revents != 0 && !readSignals() { return }
            if ready > 0 && waiting[1].revents != 0 {
                readInput()
            } else {
                deliver(decoder.flush(now: now))
            }
            if ready > 0 && waiting[2].revents != 0 {
                shared.withLock { $0.isStalled = false }
                continuation.yield(.writable)
            }
            reportSizeIfDue()
        }
    }

    private func readInput() {
        let count = read(input, &buffer, buffer.count)
        if count > 0 {
            deliver(decoder.feed(buffer[..<count], now: now))
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            endInput()
        }
    }

    /// Reports that the terminal has been closed. Signals are still handled.
    private func endInput() {
        isOpen = false
        shared.withLock { $0.openQueries = 0 }
        deliver(decoder.finish())
        if dieAt == nil { dieAt = (now + InputReader.grace, SIGHUP) }
        continuation.yield(.closed)
    }

    /// Handles the signals received so far; returns false if the thread has to end.
    private func readSignals() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(signals.read, &bytes, bytes.count)
        guard count > 0 else { return true }
        for byte in bytes[..<count] {
            switch Int32(byte) {
            case Int32(Command.stop): return false
            case Int32(Command.wake): break
            case Int32(Command.lend): lendTerminal()
            case SIGWINCH: requestSize()
            case SIGTSTP:
                if cterminal_leave_between_frames() {
                    cterminal_stop()
                    reenter()
                }
            case SIGCONT:
                // After a stop that cannot be handled (SIGSTOP) the shell's settings are in effect.
                if cterminal_is_raw() {
                    continuation.yield(.resumed)
                } else if cterminal_leave_between_frames() {
                    reenter()
                }
            case let signal:
                if dieAt == nil { dieAt = (now + InputReader.grace, signal) }
                continuation.yield(.terminated(signal: signal))
            }
        }
        return true
    }

    private func reenter() {
        let failure = cterminal_reenter(enter, enter.count)
        // The signal that ends a process in the background is read from the pipe.
        if failure == ECANCELED { return }
        guard failure == 0 else { return endInput() }
        requestSize()
        continuation.yield(.resumed)
    }

    /// Schedules a report of the size. Many changes within a frame's time are one report.
    private func requestSize() {
        if sizeDueAt == nil { sizeDueAt = max(now, lastSizeAt + InputReader.sizeInterval) }
    }

    private func reportSizeIfDue() {
        guard let due = sizeDueAt, now >= due else { return }
        sizeDueAt = nil
        lastSizeAt = now
        if let window = TerminalWindow(descriptor: output) { continuation.yield(.resized(window.size)) }
    }

    private func deliver(_ events: [InputEvent]) {
        for event in events {
            if case .reply(.deviceAttributes) = event {
                shared.withLock { $0.openQueries = max(0, $0.openQueries - 1) }
            }
            continuation.yield(.input(event))
        }
    }

    private func endProcessIfDue() {
        guard let (time, signal) = dieAt else { return }
        let end = max(time, shared.withLock { $0.graceEnd } ?? time)
        if now >= end { cterminal_die(signal) }
        dieAt = (end, signal)
    }

    private var now: Duration { MonotonicTime.now }

    /// The milliseconds until the next deadline; -1 without one.
    private func timeout() -> Int32 {
        let deadline = [decoder.deadline, dieAt?.time, sizeDueAt].compactMap(\.self).min()
        guard let deadline else { return -1 }
        let left = deadline - now
        let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
        return Int32(clamping: max(0, milliseconds + 1))
    }
}

/// The time since the first use in this process.
enum MonotonicTime {
    private static let origin = ContinuousClock.now

    static var now: Duration { ContinuousClock.now - origin }
}

/// The size of a terminal's window, in cells and in pixels.
struct TerminalWindow {
    let size: GridSize
    /// The size in pixels; zero if the terminal does not report it.
    let pixels: GridSize

    /// Reads the size; `nil` if the terminal does not report it.
    init?(descriptor: Int32) {
        var columns: Int32 = 0
        var rows: Int32 = 0
        var width: Int32 = 0
        var height: Int32 = 0
        guard cterminal_size(descriptor, &columns, &rows, &width, &height) == 0, columns > 0, rows > 0 else {
            return nil
        }
        size = GridSize(width: Int(columns), height: Int(rows))
        pixels = GridSize(width: Int(width), height: Int(height))
    }
}
