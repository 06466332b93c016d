internal import CTerminal
internal import Locking

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The thread that waits for the terminal's input, for signals through a pipe, and for the decoder's time-outs.
///
/// It runs apart from the main actor, so that a stop, a second signal or an application that hangs are dealt with even
/// when that is busy.
final class InputReader: @unchecked Sendable {
    private let input: Int32
    private let output: Int32
    private let enter: [UInt8]
    private let signals: (read: Int32, write: Int32)
    private let stream: AsyncStream<TerminalEvent>
    private let continuation: AsyncStream<TerminalEvent>.Continuation
    private let thread = Locked<pthread_t?>(nil)

    // Only the thread touches these.
    private var decoder: InputDecoder
    private var buffer = [UInt8](repeating: 0, count: 65536)
    private var dieAt: (time: Duration, signal: Int32)?

    /// How long an application may take to end after a signal asked it to.
    static let grace = Duration.seconds(2)
    /// The byte that tells the thread to end; no signal has this number.
    static let stopByte: UInt8 = 0

    init(input: Int32, output: Int32, enter: [UInt8], limits: InputDecoder.Limits) throws(TerminalError) {
        self.input = input
        self.output = output
        self.enter = enter
        decoder = InputDecoder(limits: limits)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(operation: "Making a pipe", code: errno) }
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

    /// Installs the signal handlers and begins to read.
    func start() throws(TerminalError) -> AsyncStream<TerminalEvent> {
        let failure = cterminal_install_handlers(signals.write)
        guard failure == 0 else { throw .system(operation: "Installing signal handlers", code: failure) }
        let code = thread.withLock { thread in InputReader.spawn(self, &thread) }
        guard code == 0 else {
            cterminal_remove_handlers()
            throw .system(operation: "Starting the input thread", code: code)
        }
        return stream
    }

    /// Ends the thread and waits for it.
    func stop() {
        var byte = InputReader.stopByte
        _ = write(signals.write, &byte, 1)
        if let running = thread.withLock({ $0.take() }) { pthread_join(running, nil) }
        continuation.finish()
    }

    private static func spawn(_ reader: InputReader, _ thread: inout pthread_t?) -> Int32 {
        let context = Unmanaged.passRetained(reader).toOpaque()
        #if canImport(Darwin)
            let code = pthread_create(&thread, nil, { Unmanaged<InputReader>.run($0) }, context)
        #else
            var created = pthread_t()
            let code = pthread_create(&created, nil, { Unmanaged<InputReader>.run($0) }, context)
            if code == 0 { thread = created }
        #endif
        if code != 0 { Unmanaged<InputReader>.fromOpaque(context).release() }
        return code
    }

    fileprivate func run() {
        while true {
            var waiting = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.read, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waiting, 2, timeout())
            if ready < 0 && errno != EINTR { break }
            if let dieAt, now >= dieAt.time { cterminal_die(dieAt.signal) }
            if ready > 0 && waiting[1].revents != 0 && !takeSignals() { return }
            if ready > 0 && waiting[0].revents != 0 {
                if !takeInput() { break }
            } else {
                tell(decoder.flush(now: now))
            }
        }
        tell(decoder.finish())
        continuation.yield(.closed)
        waitForStop()
    }

    /// The terminal is gone, but signals still have to be heard.
    private func waitForStop() {
        while true {
            var waiting = pollfd(fd: signals.read, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, timeout())
            if ready < 0 && errno != EINTR { return }
            if let dieAt, now >= dieAt.time { cterminal_die(dieAt.signal) }
            if ready > 0 && !takeSignals() { return }
        }
    }

    /// Reads what has come; false at the end of the input.
    private func takeInput() -> Bool {
        let count = read(input, &buffer, buffer.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        if count == 0 { return false }
        tell(decoder.feed(buffer[..<count], now: now))
        return true
    }

    /// Deals with the signals that came; false when the thread is to end.
    private func takeSignals() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(signals.read, &bytes, bytes.count)
        guard count > 0 else { return true }
        var resized = false
        for byte in bytes[..<count] {
            switch Int32(byte) {
            case Int32(InputReader.stopByte): return false
            case SIGWINCH: resized = true
            case SIGTSTP:
                if cterminal_leave_between_frames() {
                    cterminal_stop()
                    goOn()
                }
            case SIGCONT:
                // After a stop that could not be handled (SIGSTOP) the shell's settings hold, so they are set anew.
                if cterminal_is_raw() {
                    continuation.yield(.resumed)
                } else if cterminal_leave_between_frames() {
                    goOn()
                }
            case let signal:
                if dieAt == nil { dieAt = (now + InputReader.grace, signal) }
                continuation.yield(.terminated(signal: signal))
            }
        }
        if resized { tellSize() }
        return true
    }

    private func goOn() {
        _ = cterminal_reenter(enter, enter.count)
        tellSize()
        continuation.yield(.resumed)
    }

    private func tellSize() {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard cterminal_size(output, &columns, &rows) == 0, columns > 0, rows > 0 else { return }
        continuation.yield(.resized(Size(width: Int(columns), height: Int(rows))))
    }

    private func tell(_ events: [InputEvent]) {
        for event in events { continuation.yield(.input(event)) }
    }

    private var now: Duration { MonotonicTime.now }

    /// Milliseconds until the decoder or the grace period has something to tell; -1 where nothing is awaited.
    private func timeout() -> Int32 {
        let deadline = [decoder.deadline, dieAt?.time].compactMap(\.self).min()
        guard let deadline else { return -1 }
        let left = deadline - now
        let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
        return Int32(clamping: max(0, milliseconds + 1))
    }
}

extension Unmanaged<InputReader> {
    fileprivate static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        Unmanaged.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
}

/// The time since an origin that stays the same while the process runs.
enum MonotonicTime {
    private static let origin = ContinuousClock.now

    static var now: Duration { ContinuousClock.now - origin }
}
