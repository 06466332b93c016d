import Threading

/// Threads that may wait for the disk and for other processes' locks, so that Swift's own few threads need not.
///
/// A thread is started when there is work and none is free, up to a limit: many, because writes that wait for the disk at
/// the same time share its answer. When there is nothing to do most of them end.
final class WorkerThreads: Sendable {
    private static let limit = 32
    private static let idleLimit = 2

    typealias Job = @Sendable () -> Void

    /// What the threads share; they keep it alive, and it does not keep them.
    private final class Work: @unchecked Sendable {
        let monitor = StoreMonitor()
        var jobs: [Job?] = []
        /// Where the next job is: those before it are taken.
        var next = 0
        var threads = 0
        var idle = 0
        var isClosed = false

        /// Takes jobs until there are none left and enough others wait for more.
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
                    // It may hold what holds the threads: let go of it while nothing is locked.
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

    /// How many threads do something now.
    var busy: Int {
        work.monitor.lock()
        defer { work.monitor.unlock() }
        return work.threads - work.idle
    }

    /// Does a job on one of the threads; on the calling one where the system gives none.
    func add(_ job: @escaping Job) {
        work.monitor.lock()
        // Each free thread has one of the waiting jobs already.
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
