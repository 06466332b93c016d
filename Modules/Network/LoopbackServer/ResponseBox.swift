import SystemCalls

/// Passes an asynchronous handler's response to the thread that waits for it, and runs the handler on that thread.
///
/// The handler does not run on the cooperative pool: a test may occupy its threads for seconds, during which the server
/// would not respond and its clients' timeouts would expire.
final class ResponseBox: TaskExecutor, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []
    private var response: ServedResponse?
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

    /// Adds a part of the handler's work; it runs on the pool if no thread waits any more.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = locked {
            guard !isAbandoned else { return false }
            jobs.append(job)
            pthread_cond_signal(condition)
            return true
        }
        if !isTaken { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    /// Sets the response.
    func put(_ response: ServedResponse) {
        locked {
            self.response = response
            pthread_cond_signal(condition)
        }
    }

    /// Ends the wait without a response.
    func abandon() {
        locked {
            isAbandoned = true
            pthread_cond_signal(condition)
        }
    }

    /// Runs the handler's work until there is a response; nil if the wait was abandoned first.
    func take() -> ServedResponse? {
        while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        let (response, rest) = locked {
            isAbandoned = true
            defer { jobs = [] }
            return (self.response, jobs)
        }
        for job in rest { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        return response
    }

    /// Waits for work; nil if there is a response or the wait was abandoned.
    private func nextJob() -> UnownedJob? {
        locked {
            while response == nil, !isAbandoned, jobs.isEmpty { pthread_cond_wait(condition, mutex) }
            return response == nil && !isAbandoned ? jobs.removeFirst() : nil
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
