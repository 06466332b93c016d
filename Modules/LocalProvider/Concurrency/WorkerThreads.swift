import Threading

/// Threads that may block, for the disk and for locks of other processes, so that the cooperative threads of Swift do
/// not.
///
/// A thread is started if there is a job and no idle thread, up to a limit. There are many, because writes that wait
/// for the disk at the same time share one synchronisation. Most idle threads end.
final class WorkerThreads: Sendable {
    private static let limit = 32
    private static let idleLimit = 2

    typealias Job = @Sendable () -> Void

    /// The state that the threads share. They retain it, but not the owner.
    private final class Work: @unchecked Sendable {
        let monitor = StoreMonitor()
        var jobs: [Job?] = []
        /// The index of the next job; those before it were taken.
        var next = 0
        var threads = 0
        var idle = 0
        var isClosed = false

        /// Runs jobs until there are no more and enough other threads are idle.
        func run() {
            monitor.lock()
            defer { monitor.unlock() }
            while true {
                if next < jobs.count {
                    var job = jobs[next]
                    jobs[next] = nil
                    next += 1
                    if next == jobs.count || next == 64 {
                        jobs.removeFirst(next)
                        next = 0
                    }
                    monitor.unlock()
                    job?()
                    // The job may retain the owner of the threads: it is released without the lock.
                    job = nil
                    monitor.lock()
                } else if isClosed || idle >= WorkerThreads.idleLimit {
                    threads -= 1
                    return
                } else {
                    idle += 1
                    monitor.wait()
                    idle -= 1
                }
            }
        }
    }

    private let work = Work()

    deinit {
        work.monitor.lock()
        work.isClosed = true
        work.monitor.wakeAll()
        work.monitor.unlock()
    }

    /// The number of threads that run a job.
    var busy: Int {
        work.monitor.lock()
        defer { work.monitor.unlock() }
        return work.threads - work.idle
    }

    /// Runs a job on one of the threads, or on the calling one if the system starts none.
    func add(_ job: @escaping Job) {
        work.monitor.lock()
        // Each idle thread has one of the waiting jobs already.
        if work.idle <= work.jobs.count - work.next, work.threads < Self.limit,
            (try? SystemThread.detach { [work] in work.run() }) != nil
        {
            work.threads += 1
        }
        guard work.threads > 0 else {
            work.monitor.unlock()
            return job()
        }
        work.jobs.append(job)
        work.monitor.wakeAll()
        work.monitor.unlock()
    }
}
