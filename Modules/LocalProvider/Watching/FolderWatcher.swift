#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Calls a handler, on a thread of its own, whenever something in a folder changes.
///
/// Linux tells by inotify, within some tens of microseconds. Elsewhere, and where inotify's instances are used up, the
/// handler is called every 50 milliseconds instead and has to look for itself.
final class FolderWatcher: Sendable {
    /// What has changed: names in the folder, or, where that is not known, `nil`.
    typealias Handler = @Sendable (Set<String>?) -> Void

    private final class Work: Sendable {
        let source: Int32
        let stop: Int32
        let handler: Handler

        init(source: Int32, stop: Int32, handler: @escaping Handler) {
            self.source = source
            self.stop = stop
            self.handler = handler
        }
    }

    private let stopPipe: Int32

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - folder: the folder's path; it must be there.
    ///   - handler: called from the watcher's thread as long as the watcher lives.
    init(_ folder: String, _ handler: @escaping Handler) {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopPipe = ends[1]
        let work = Work(source: Self.source(folder), stop: ends[0], handler: handler)
        Self.start(work)
    }

    deinit {
        // The thread sees the end of the pipe, and ends when it has finished the call it may be in.
        close(stopPipe)
    }

    private static func source(_ folder: String) -> Int32 {
        #if os(Linux)
            let source = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard source >= 0 else { return -1 }
            let events = UInt32(IN_MODIFY) | UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
            guard inotify_add_watch(source, folder, events) >= 0 else {
                close(source)
                return -1
            }
            return source
        #else
            return -1
        #endif
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
        var waited = [
            pollfd(fd: work.stop, events: Int16(POLLIN), revents: 0),
            pollfd(fd: work.source, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            // A negative descriptor is passed over: then only time and the stop end the wait.
            let count = poll(&waited, 2, work.source >= 0 ? -1 : 50)
            if count < 0, errno == EINTR { continue }
            if count < 0 || waited[0].revents != 0 { break }
            work.handler(work.source >= 0 ? names(work.source) : nil)
        }
        if work.source >= 0 { close(work.source) }
        close(work.stop)
    }

    /// Reads all events that are there; `nil` where the system lost some.
    private static func names(_ source: Int32) -> Set<String>? {
        #if os(Linux)
            var names: Set<String> = []
            var isComplete = true
            let header = MemoryLayout<inotify_event>.size
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = read(source, &buffer, buffer.count)
                guard count > 0 else { break }
                var offset = 0
                while offset + header <= count {
                    let event = buffer.withUnsafeBytes {
                        $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    }
                    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isComplete = false }
                    let end = offset + header + Int(event.len)
                    let name = buffer[offset + header..<end].prefix { $0 != 0 }
                    names.insert(String(decoding: name, as: UTF8.self))
                    offset = end
                }
            }
            return isComplete ? names : nil
        #else
            return nil
        #endif
    }
}
