/// A counting semaphore for threads that may block: a wait takes one signal, or blocks until there is one.
///
/// It is a pthread condition rather than `DispatchSemaphore`, so that a program without other uses of Dispatch does not load
/// that library when it starts.
package final class Semaphore: @unchecked Sendable {
    // Sendable: the count is protected by the monitor.
    private let monitor = Monitor()
    private var count: Int

    /// Creates a semaphore.
    /// - Parameter count: how many waits return without a signal; not negative.
    package init(_ count: Int = 0) {
        precondition(count >= 0, "a semaphore cannot begin with a negative count")
        self.count = count
    }

    /// Adds a signal, and resumes one thread that waits.
    package func signal() {
        monitor.locked {
            count += 1
            monitor.wakeOne()
        }
    }

    /// Takes a signal; blocks until there is one.
    package func wait() {
        monitor.locked {
            while count == 0 { monitor.wait() }
            count -= 1
        }
    }

    /// Takes a signal; blocks until there is one, at most for a time.
    /// - Returns: false if the time has passed without a signal.
    package func wait(for time: Duration) -> Bool {
        let deadline = ContinuousClock.now + time
        return monitor.locked {
            while count == 0 {
                let left = ContinuousClock.now.duration(to: deadline)
                guard left > .zero else { return false }
                monitor.wait(atMost: left)
            }
            count -= 1
            return true
        }
    }
}
