package import SystemCalls

/// Threads for frequent calls that may block: one for each call at a time, used again by the next call.
///
/// Starting a thread costs more than a short call to the file system. A thread without a call waits for the next one for a
/// second and then ends; all of them end when the cache is released, after the calls that were added.
package final class ThreadCache: Sendable {
    /// A call.
    package typealias Job = @Sendable () -> Void

    /// The state that the threads share. They retain it, but not the cache.
    private final class Work: @unchecked Sendable {
        let monitor = Monitor()
        let idleTime: Duration
        var jobs: [Job?] = []
        /// The index of the next job; those before it were taken.
        var next = 0
        var threads = 0
        var idle = 0
        var isReleased = false

        init(idleTime: Duration) { self.idleTime = idleTime }

        var waitingJobs: Int { jobs.count - next }

        /// Runs jobs until none was added for the idle time.
        func run() {
            monitor.lock()
            defer {
                threads -= 1
                monitor.unlock()
            }
            while var job = takeJob() {
                monitor.unlock()
                job()
                // The job may retain the owner of the threads: it is released without the lock.
                job = {}
                monitor.lock()
            }
        }

        private func takeJob() -> Job? {
            let deadline = ContinuousClock.now + idleTime
            idle += 1
            defer { idle -= 1 }
            while waitingJobs == 0 {
                let left = ContinuousClock.now.duration(to: deadline)
                guard !isReleased, left > .zero else { return nil }
                monitor.wait(atMost: left)
            }
            defer {
                jobs[next] = nil
                next += 1
                if next == jobs.count || next == 64 {
                    jobs.removeFirst(next)
                    next = 0
                }
            }
            return jobs[next]
        }
    }

    private let work: Work
    private let limit: Int

    /// Creates a cache without threads.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of threads; further calls wait for a thread.
    ///   - idleTime: how long a thread waits for the next call.
    package init(limit: Int = .max, idleTime: Duration = .seconds(1)) {
        self.limit = limit
        work = Work(idleTime: idleTime)
    }

    deinit {
        work.monitor.locked {
            work.isReleased = true
            work.monitor.wakeAll()
        }
    }

    /// The number of threads that wait for a call.
    package var idleThreads: Int { work.monitor.locked { work.idle } }
    /// The number of threads that run a call.
    package var busyThreads: Int { work.monitor.locked { work.threads - work.idle } }

    /// Runs a block on a waiting thread, or on a new one.
    /// - Throws: the error of `pthread_create`.
    package func run(_ job: @escaping Job) throws(SystemError) {
        work.monitor.lock()
        defer { work.monitor.unlock() }
        // Each idle thread has one of the waiting jobs already.
        if work.idle <= work.waitingJobs, work.threads < limit {
            try SystemThread.detach { [work] in work.run() }
            work.threads += 1
            // The new thread is idle until it has taken a job.
        }
        work.jobs.append(job)
        work.monitor.wakeOne()
    }
}
