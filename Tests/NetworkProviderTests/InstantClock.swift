import Foundation

/// A clock that never waits: sleeping moves its time on, and is written down.
final class InstantClock: Clock, @unchecked Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let lock = NSLock()
    private var time = Instant(offset: .zero)
    private var slept: [Duration] = []

    var now: Instant { lock.withLock { time } }
    var minimumResolution: Duration { .zero }
    /// Every wait so far, in order.
    var sleeps: [Duration] { lock.withLock { slept } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        lock.withLock {
            slept.append(deadline.offset - time.offset)
            time = max(time, deadline)
        }
    }
}
