#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Carries an asynchronous handler's answer to the thread that waits for it.
final class AnswerBox: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var answer: ServedResponse?
    private var isAbandoned = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Hands the answer over.
    func put(_ answer: ServedResponse) {
        pthread_mutex_lock(mutex)
        self.answer = answer
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Ends the wait without an answer.
    func abandon() {
        pthread_mutex_lock(mutex)
        isAbandoned = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for the answer; nil when the wait was abandoned first.
    func take() -> ServedResponse? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while answer == nil, !isAbandoned { pthread_cond_wait(condition, mutex) }
        return answer
    }
}
