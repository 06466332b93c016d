import SystemCalls
import Threading

/// A thread that waits for descriptors until it is released.
final class PollingThread: Sendable {
    /// A descriptor, and the events for which `poll` waits.
    struct Source: Sendable {
        var descriptor: Int32
        var events = Int16(POLLIN)
    }

    /// The ends of a pipe: closing one wakes the thread that waits for the other.
    typealias Pipe = (stop: Int32, wake: Int32)

    private final class Work: Sendable {
        let sources: [Source]
        let interval: @Sendable () -> Int32
        /// A descriptor that becomes readable when the thread should end; -1 if it has no pipe, and ``isStopped`` is
        /// polled.
        let stop: Int32
        let isStopped = Locked(false)
        let onEvent: @Sendable (Int?) -> Void
        let onEnd: @Sendable () -> Void

        init(
            _ sources: [Source],
            _ interval: @escaping @Sendable () -> Int32,
            _ stop: Int32,
            _ onEvent: @escaping @Sendable (Int?) -> Void,
            _ onEnd: @escaping @Sendable () -> Void
        ) {
            (self.sources, self.interval, self.stop, self.onEvent) = (sources, interval, stop, onEvent)
            self.onEnd = onEnd
        }
    }

    private let work: Work
    private let wake: Int32

    /// Starts to wait.
    ///
    /// - Parameters:
    ///   - sources: the descriptors.
    ///   - interval: the number of milliseconds without events after which `onEvent` is called with `nil`; -1 for no
    ///     limit. Called before each wait.
    ///   - pipe: stops the thread at once.
    ///   - onEvent: called on the thread with the index of each source that is ready.
    ///   - onEnd: called on the thread before it ends.
    init(
        _ sources: [Source],
        every interval: @escaping @Sendable () -> Int32 = { -1 },
        pipe: Pipe? = makePipe(),
        onEvent: @escaping @Sendable (Int?) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) {
        wake = pipe?.wake ?? -1
        work = Work(sources, interval, pipe?.stop ?? -1, onEvent, onEnd)
        let isStarted: Void? = try? SystemThread.detach { [work] in Self.run(work) }
        if isStarted == nil { Self.finish(work) }
    }

    deinit {
        // The thread ends after the call that it may be in.
        work.isStopped.withLock { $0 = true }
        if wake >= 0 { close(wake) }
    }

    /// Creates a pipe that other programs do not inherit; returns `nil` if there are no descriptors left.
    static func makePipe() -> Pipe? {
        var ends: [Int32] = [-1, -1]
        #if os(Linux)
            // Equivalent to pipe2, which the C library does not make available to Swift.
            #if canImport(Glibc)
                let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            #else
                let kind = SOCK_STREAM | SOCK_CLOEXEC
            #endif
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        #else
            guard pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #endif
        return (ends[0], ends[1])
    }

    private static func run(_ work: Work) {
        var waited = [pollfd(fd: work.stop, events: Int16(POLLIN), revents: 0)]
        waited += work.sources.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        while true {
            let interval = work.interval()
            // Without a pipe, the thread polls.
            let limit = work.stop >= 0 ? interval : interval >= 0 ? min(interval, 50) : 50
            let count = poll(&waited, nfds_t(waited.count), limit)
            if count < 0, errno == EINTR { continue }
            if count < 0 || waited[0].revents != 0 || work.isStopped.withLock({ $0 }) { break }
            if count == 0, interval >= 0 { work.onEvent(nil) }
            for index in 1..<max(waited.count, 1) where waited[index].revents != 0 {
                if waited[index].revents & work.sources[index - 1].events != 0 { work.onEvent(index - 1) }
                // A source at its end would always be ready: poll ignores a negative descriptor.
                if waited[index].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { waited[index].fd = -1 }
            }
        }
        finish(work)
    }

    private static func finish(_ work: Work) {
        work.onEnd()
        if work.stop >= 0 { close(work.stop) }
    }
}
