#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A mutex with a condition: for state whose users wait for each other, which `Locked` cannot express.
final class StoreMonitor: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        // A thread that takes it twice is told so instead of waiting for itself.
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }
    /// Takes the mutex, unless the calling thread has it: then false.
    func lockUnlessHeldByCaller() -> Bool { pthread_mutex_lock(mutex) == 0 }
    /// Runs `body` while the mutex is held, by this call or by the calling thread before it.
    func locked<Result>(_ body: () -> Result) -> Result {
        let isMine = lockUnlessHeldByCaller()
        defer { if isMine { unlock() } }
        return body()
    }
    func unlock() { pthread_mutex_unlock(mutex) }
    /// Gives the mutex back until someone calls ``wakeAll()``, then takes it again; may also return without a call.
    func wait() { pthread_cond_wait(condition, mutex) }
    func wakeAll() { pthread_cond_broadcast(condition) }
}
