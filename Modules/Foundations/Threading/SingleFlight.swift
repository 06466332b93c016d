/// Computes a value once for all callers that request it at the same time.
///
/// The first caller for a key starts the work in a task; callers that come while it runs wait for the same result. A caller
/// that is cancelled leaves at once with `CancellationError`. The task is cancelled when its last caller has left, unless
/// the work continues without callers. A result is not stored: the next caller after it starts anew.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Identifies the work that one caller started, for ``isCurrent(_:)``.
    package typealias FlightID = Int

    private struct Flight: Sendable {
        let key: Key
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    }

    private struct State: Sendable {
        var lastID = 0
        var flights: [FlightID: Flight] = [:]
        /// The flight that a new caller for a key joins.
        var current: [Key: FlightID] = [:]
        /// The flight of each waiter.
        var waiting: [Int: FlightID] = [:]
        /// The waiters that were cancelled before they began to wait.
        var cancelled: Set<Int> = []

        mutating func newID() -> Int {
            lastID += 1
            return lastID
        }

        mutating func remove(_ id: FlightID) -> Flight? {
            guard let flight = flights.removeValue(forKey: id) else { return nil }
            if current[flight.key] == id { current[flight.key] = nil }
            for waiter in flight.waiters.keys { waiting[waiter] = nil }
            return flight
        }
    }

    /// What a caller has to do after it was entered.
    private enum Entry: Sendable {
        case cancelled, joined, started(FlightID)
    }

    private let state = Locked(State())
    private let continuesWithoutCallers: Bool

    /// - Parameter continuesWithoutCallers: whether work continues, and can be joined, after its last caller has left.
    package init(continuesWithoutCallers: Bool = false) { self.continuesWithoutCallers = continuesWithoutCallers }

    /// The number of callers that wait now.
    package var waiterCount: Int { state.withLock { $0.waiting.count } }

    /// Returns the result of `work`, or of the work that another caller started for an equal key and that still runs.
    ///
    /// - Parameters:
    ///   - key: identifies the work.
    ///   - work: computes the value; receives an identifier for ``isCurrent(_:)``. It runs in a new task.
    /// - Returns: the value.
    /// - Throws: the error of the work, or `CancellationError` if the caller is cancelled.
    package func value(
        for key: Key,
        _ work: @escaping @Sendable (FlightID) async throws -> Value
    ) async throws -> Value {
        let waiter = state.withLock { $0.newID() }
        // The cancellation may come after the result.
        defer { state.withLock { state in _ = state.cancelled.remove(waiter) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                join(continuation, waiter, key, work)
            }
        } onCancel: {
            leave(waiter)
        }
    }

    /// Whether the result of a flight is still valid for its key: a caller waits for it, and it was not forgotten.
    package func isCurrent(_ flight: FlightID) -> Bool {
        state.withLock { state in
            guard let key = state.flights[flight]?.key else { return false }
            return state.current[key] == flight
        }
    }

    /// Makes the next caller for a key start anew; the current callers still receive the result of the running work.
    package func forget(_ key: Key) { state.withLock { $0.current[key] = nil } }

    /// Calls ``forget(_:)`` for every key.
    package func forgetAll() { state.withLock { $0.current.removeAll() } }

    /// Resumes the callers that wait for a key with a result before the work has ended. The result of the work is ignored.
    /// - Returns: the task of the work, which continues; nil if no work runs for the key.
    @discardableResult
    package func finish(_ key: Key, with result: Result<Value, any Error>) -> Task<Void, Never>? {
        let finished = state.withLock { state in state.current[key].flatMap { state.remove($0) } }
        for waiter in (finished?.waiters ?? [:]).values { waiter.resume(with: result) }
        return finished?.task
    }

    private func join(
        _ continuation: CheckedContinuation<Value, any Error>,
        _ waiter: Int,
        _ key: Key,
        _ work: @escaping @Sendable (FlightID) async throws -> Value
    ) {
        let entry: Entry = state.withLock { state in
            guard state.cancelled.remove(waiter) == nil else { return .cancelled }
            let present = state.current[key]
            let flight = present ?? state.newID()
            if present == nil {
                state.current[key] = flight
                state.flights[flight] = Flight(key: key)
            }
            state.flights[flight]?.waiters[waiter] = continuation
            state.waiting[waiter] = flight
            return present == nil ? .started(flight) : .joined
        }
        switch entry {
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .joined: break
        case .started(let flight): start(flight, work)
        }
    }

    private func start(_ flight: FlightID, _ work: @escaping @Sendable (FlightID) async throws -> Value) {
        let task = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await work(flight)) } catch { result = .failure(error) }
            self.finish(flight, result)
        }
        let isAwaited = state.withLock { state in
            state.flights[flight]?.task = task
            return state.flights[flight] != nil
        }
        // It has finished already, or all callers left before there was a task to cancel.
        if !isAwaited { task.cancel() }
    }

    private func finish(_ flight: FlightID, _ result: Result<Value, any Error>) {
        let finished = state.withLock { $0.remove(flight) }
        for waiter in (finished?.waiters ?? [:]).values { waiter.resume(with: result) }
    }

    private func leave(_ waiter: Int) {
        let (continuation, task) = state.withLock {
            state -> (CheckedContinuation<Value, any Error>?, Task<Void, Never>?) in
            guard let flight = state.waiting.removeValue(forKey: waiter),
                let continuation = state.flights[flight]?.waiters.removeValue(forKey: waiter)
            else {
                state.cancelled.insert(waiter)
                return (nil, nil)
            }
            guard state.flights[flight]?.waiters.isEmpty == true, !continuesWithoutCallers else {
                return (continuation, nil)
            }
            return (continuation, state.remove(flight)?.task)
        }
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}
