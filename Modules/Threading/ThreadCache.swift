package import SystemCalls

/// Threads for frequent calls that may block: one for each call at a time, used again by the next call.
///
/// Starting a thread costs more than a short call to the file system. A thread without a call waits for the next one for a
/// second and then ends; all of them end when the cache is released.
package final class ThreadCache: Sendable {
    private final class Worker: Sendable {
        let wakes = Semaphore()
        let work = Locked<(@Sendable () -> Void)?>(nil)
    }

    private struct State {
        var idle: [Worker] = []
        var isReleased = false
    }

    /// Shared with the threads, which must not retain the cache.
    private let state = Locked(State())
    private let idleTime: Duration

    /// Creates a cache without threads.
    /// - Parameter idleTime: how long a thread waits for the next call.
    package init(idleTime: Duration = .seconds(1)) {
        self.idleTime = idleTime
    }

    deinit {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isReleased = true
            return state.idle
        }
        for worker in idle { worker.wakes.signal() }
    }

    /// The number of threads that wait for a call.
    package var idleThreads: Int { state.withLock { $0.idle.count } }

    /// Runs a block on a waiting thread, or on a new one.
    /// - Throws: the error of `pthread_create`.
    package func run(_ work: @escaping @Sendable () -> Void) throws(SystemError) {
        if let worker = state.withLock({ $0.idle.popLast() }) {
            worker.work.withLock { $0 = work }
            worker.wakes.signal()
            return
        }
        let (worker, state, idleTime) = (Worker(), state, idleTime)
        try SystemThread.detach {
            work()
            while ThreadCache.waitsForWork(worker, state, idleTime) {
                let next = worker.work.withLock { work in
                    defer { work = nil }
                    return work
                }
                guard let next else { return }
                next()
            }
        }
    }

    /// Waits until the worker has work or the cache is released; false after the idle time.
    private static func waitsForWork(
        _ worker: Worker,
        _ state: Locked<State>,
        _ idleTime: Duration
    ) -> Bool {
        let isReleased = state.withLock { state in
            if !state.isReleased { state.idle.append(worker) }
            return state.isReleased
        }
        if isReleased { return false }
        if worker.wakes.wait(for: idleTime) { return true }
        let wasIdle = state.withLock { state in
            let index = state.idle.firstIndex { $0 === worker }
            if let index { state.idle.remove(at: index) }
            return index != nil
        }
        if wasIdle { return false }
        // It was chosen for a call at the last moment.
        worker.wakes.wait()
        return true
    }
}
