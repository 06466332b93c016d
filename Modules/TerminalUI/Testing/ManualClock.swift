internal import Locking

/// A clock that stands still until a test moves it.
public final class ManualClock: Clock, Sendable {
    /// A moment: how long after the clock's beginning.
    public struct Instant: InstantProtocol {
        /// The time since the beginning.
        public let offset: Duration

        /// The instant that much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The time from this instant to another; negative for an earlier one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether the left instant comes before the right one.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let state = Locked(State())

    /// A clock at its beginning.
    public init() {}

    /// The time that the clock was set to by its last advance.
    public var now: Instant { Instant(offset: state.withLock { $0.now }) }
    /// Zero: every duration counts.
    public var minimumResolution: Duration { .zero }

    /// How many tasks wait on the clock.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Moves the clock and wakes what waited until then.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Waits until the clock has been advanced to the deadline; throws `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state -> Int in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if deadline.offset <= state.now { return .success(()) }
                    state.sleepers[id] = Sleeper(deadline: deadline.offset, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
                state.cancelled.insert(id)
                return nil
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
