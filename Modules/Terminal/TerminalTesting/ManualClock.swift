internal import Threading

/// A clock for tests, which advances only on request.
public final class ManualClock: Clock, Sendable {
    /// A point in time, as the duration since the clock's start.
    public struct Instant: InstantProtocol {
        /// The time since the clock's start.
        public let offset: Duration

        /// Returns the instant advanced by a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the duration to another instant; negative for an earlier one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether the left instant is earlier.
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
        /// The sleepers that have been resumed and have not continued yet.
        var waking: Set<Int> = []
        var next = 0
    }

    private let state = Locked(State())

    /// Creates a clock at its start.
    public init() {}

    /// The current time of the clock.
    public var now: Instant { Instant(offset: state.withLock { $0.now }) }
    /// Zero.
    public var minimumResolution: Duration { .zero }

    /// The number of tasks that are sleeping on the clock.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Whether a task whose deadline has passed has not continued yet: it waits for its turn.
    var isWaking: Bool { state.withLock { !$0.waking.isEmpty } }

    /// Advances the clock and resumes the tasks whose deadline has passed.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            state.waking.formUnion(due.keys)
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Suspends until the clock has reached the deadline; throws `CancellationError` when the task is cancelled.
    ///
    /// A task of the main actor stays there: it sleeps as soon as it has called this, and has continued up to its next
    /// suspension when it is not `isWaking` any more.
    @MainActor
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state -> Int in
            state.next += 1
            return state.next
        }
        defer { state.withLock { _ = $0.waking.remove(id) } }
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
