import Foundation

/// A clock that never waits: sleeping moves its time on, and is written down.
public final class InstantClock: Clock, @unchecked Sendable {
    public struct Instant: InstantProtocol {
        public var offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let lock = NSLock()
    private var time = Instant(offset: .zero)
    private var slept: [Duration] = []

    public init() {}

    public var now: Instant { lock.withLock { time } }
    public var minimumResolution: Duration { .zero }
    /// Every wait so far, in order.
    public var sleeps: [Duration] { lock.withLock { slept } }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        lock.withLock {
            slept.append(deadline.offset - time.offset)
            time = max(time, deadline)
        }
    }
}
