import SystemCalls

/// A mutex with a condition variable, for state whose users wait for each other, which ``Locked`` does not support.
package final class Monitor: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        // A thread that locks it twice gets an error instead of a deadlock.
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            var conditionAttributes = pthread_condattr_t()
            pthread_condattr_init(&conditionAttributes)
            pthread_condattr_setclock(&conditionAttributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &conditionAttributes)
            pthread_condattr_destroy(&conditionAttributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Locks the mutex, which the calling thread must not hold.
    package func lock() { pthread_mutex_lock(mutex) }

    /// Locks the mutex; returns false if the calling thread holds it already.
    package func lockUnlessHeldByCaller() -> Bool { pthread_mutex_lock(mutex) == 0 }

    /// Runs `body` while the mutex is held, by this call or by the calling thread before it.
    package func locked<Result>(_ body: () -> Result) -> Result {
        let wasUnlocked = lockUnlessHeldByCaller()
        defer { if wasUnlocked { unlock() } }
        return body()
    }

    /// Unlocks the mutex.
    package func unlock() { pthread_mutex_unlock(mutex) }

    /// Unlocks the mutex, waits for ``wakeAll()``, and locks it again; may also return without a wake-up.
    package func wait() { pthread_cond_wait(condition, mutex) }

    /// Waits as ``wait()``, but not longer than a duration.
    package func wait(atMost duration: Duration) {
        let (seconds, attoseconds) = duration.components
        // A year is as good as any longer time, and does not overflow.
        var time = timespec(tv_sec: Int(min(max(seconds, 0), 31_536_000)), tv_nsec: Int(attoseconds / 1_000_000_000))
        #if canImport(Darwin)
            pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            time.tv_sec += now.tv_sec
            time.tv_nsec += now.tv_nsec
            if time.tv_nsec >= 1_000_000_000 {
                time.tv_sec += 1
                time.tv_nsec -= 1_000_000_000
            }
            pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }

    /// Resumes one thread that waits.
    package func wakeOne() { pthread_cond_signal(condition) }

    /// Resumes all threads that wait.
    package func wakeAll() { pthread_cond_broadcast(condition) }
}
