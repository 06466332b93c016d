#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A joinable thread that runs one block.
struct ServerThread: @unchecked Sendable {
    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    #if canImport(Darwin)
        private let handle: pthread_t?
    #else
        private let handle: pthread_t
    #endif

    init(_ run: @escaping @Sendable () -> Void) throws(LoopbackServerError) {
        let work = Unmanaged.passRetained(Work(run))
        #if canImport(Darwin)
            var handle: pthread_t?
            let code = pthread_create(&handle, nil, { ServerThread.enter($0) }, work.toOpaque())
        #else
            var handle = pthread_t()
            let code = pthread_create(&handle, nil, { ServerThread.enter($0) }, work.toOpaque())
        #endif
        guard code == 0 else {
            work.release()
            throw LoopbackServerError(call: "pthread_create", code: code)
        }
        self.handle = handle
    }

    private static func enter(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
    }

    /// Waits until the block has returned. Call it once.
    func join() {
        #if canImport(Darwin)
            if let handle { pthread_join(handle, nil) }
        #else
            pthread_join(handle, nil)
        #endif
    }

    /// The processor time the calling thread has used so far, in nanoseconds.
    static var processorTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
