#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Carries an asynchronous handler's answer to the thread that waits for it, and has the handler run on that thread.
///
/// Not on the concurrency pool, whose few threads a test may keep busy for seconds: the server would fall silent
/// meanwhile, and its clients would run out of time for no fault of theirs.
final class AnswerBox: TaskExecutor, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []
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

    /// Takes in a part of the handler's work; the pool gets it when nobody waits any more.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isWaited = locked {
            guard !isAbandoned else { return false }
            jobs.append(job)
            pthread_cond_signal(condition)
            return true
        }
        if !isWaited { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    /// Hands the answer over.
    func put(_ answer: ServedResponse) {
        locked {
            self.answer = answer
            pthread_cond_signal(condition)
        }
    }

    /// Ends the wait without an answer.
    func abandon() {
        locked {
            isAbandoned = true
            pthread_cond_signal(condition)
        }
    }

    /// Works for the handler until the answer is there; nil when the wait was abandoned first.
    func take() -> ServedResponse? {
        while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        let (answer, rest) = locked {
            isAbandoned = true
            defer { jobs = [] }
            return (self.answer, jobs)
        }
        for job in rest { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        return answer
    }

    /// Waits for work; nil when there is an answer or no wait any more.
    private func nextJob() -> UnownedJob? {
        locked {
            while answer == nil, !isAbandoned, jobs.isEmpty { pthread_cond_wait(condition, mutex) }
            return answer == nil && !isAbandoned ? jobs.removeFirst() : nil
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
