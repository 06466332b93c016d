#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread that waits for descriptors, until nobody keeps it any more.
final class PollingThread: Sendable {
    /// A descriptor, and what `poll` is to wait for.
    struct Source: Sendable {
        var descriptor: Int32
        var events = Int16(POLLIN)
    }

    private final class Work: Sendable {
        let sources: [Source]
        let interval: Int32
        let stop: Int32
        let onEvent: @Sendable (Int?) -> Void
        let onEnd: @Sendable () -> Void

        init(
            _ sources: [Source],
            _ interval: Int32,
            _ stop: Int32,
            _ onEvent: @escaping @Sendable (Int?) -> Void,
            _ onEnd: @escaping @Sendable () -> Void
        ) {
            self.sources = sources
            self.interval = interval
            self.stop = stop
            self.onEvent = onEvent
            self.onEnd = onEnd
        }
    }

    private let stopPipe: Int32

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - sources: what to wait for.
    ///   - interval: how many milliseconds may pass without anything before `onEvent` is called with `nil`; -1 for any.
    ///   - onEvent: called on the thread with the number of each source that is ready.
    ///   - onEnd: called on the thread at its very end.
    init(
        _ sources: [Source],
        every interval: Int32 = -1,
        onEvent: @escaping @Sendable (Int?) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopPipe = ends[1]
        Self.start(Work(sources, interval, ends[0], onEvent, onEnd))
    }

    deinit {
        // The thread sees the end of the pipe, and ends when it has finished the call it may be in.
        close(stopPipe)
    }

    private static func start(_ work: Work) {
        let box = Unmanaged.passRetained(work)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let result = pthread_create(&thread, nil, Self.entry, box.toOpaque())
        guard result == 0 else {
            box.release()
            work.onEnd()
            close(work.stop)
            return
        }
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
    }

    #if canImport(Darwin)
        private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { pointer in
            run(Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue())
            return nil
        }
    #else
        private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
            if let pointer { run(Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()) }
            return nil
        }
    #endif

    private static func run(_ work: Work) {
        var waited = [pollfd(fd: work.stop, events: Int16(POLLIN), revents: 0)]
        waited += work.sources.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        while true {
            let count = poll(&waited, nfds_t(waited.count), work.interval)
            if count < 0, errno == EINTR { continue }
            if count < 0 || waited[0].revents != 0 { break }
            if count == 0 { work.onEvent(nil) }
            for index in 1..<max(waited.count, 1) where waited[index].revents != 0 {
                if waited[index].revents & work.sources[index - 1].events != 0 { work.onEvent(index - 1) }
                // A source that has come to its end would be ready for ever: poll passes over a negative descriptor.
                if waited[index].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { waited[index].fd = -1 }
            }
        }
        work.onEnd()
        close(work.stop)
    }
}
