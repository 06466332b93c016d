#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A counting semaphore for threads that may block: a wait takes one signal, or blocks until there is one.
///
/// It is a pthread condition rather than `DispatchSemaphore`, so that a program without other uses of Dispatch does not load
/// that library when it starts.
package final class Semaphore: @unchecked Sendable {
    // Sendable: the count is protected by the mutex; the pointers do not change.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var count: Int

    /// Creates a semaphore.
    /// - Parameter count: how many waits return without a signal; not negative.
    package init(_ count: Int = 0) {
        precondition(count >= 0, "a semaphore cannot begin with a negative count")
        self.count = count
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            // A change of the system's clock must not change how long a wait takes.
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Adds a signal, and resumes one thread that waits.
    package func signal() {
        pthread_mutex_lock(mutex)
        count += 1
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Takes a signal; blocks until there is one.
    package func wait() {
        pthread_mutex_lock(mutex)
        while count == 0 { pthread_cond_wait(condition, mutex) }
        count -= 1
        pthread_mutex_unlock(mutex)
    }

    /// Takes a signal; blocks until there is one, at most for a time.
    /// - Returns: false if the time has passed without a signal.
    package func wait(for time: Duration) -> Bool {
        let deadline = ContinuousClock.now + time
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while count == 0 {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            waitForSignal(left)
        }
        count -= 1
        return true
    }

    /// Blocks until a signal, the end of the time, or without a reason.
    private func waitForSignal(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        #if canImport(Darwin)
            var relative = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            pthread_cond_timedwait_relative_np(condition, mutex, &relative)
        #else
            var end = timespec()
            clock_gettime(CLOCK_MONOTONIC, &end)
            end.tv_sec += Int(seconds)
            end.tv_nsec += Int(attoseconds / 1_000_000_000)
            if end.tv_nsec >= 1_000_000_000 {
                end.tv_sec += 1
                end.tv_nsec -= 1_000_000_000
            }
            pthread_cond_timedwait(condition, mutex, &end)
        #endif
    }
}
