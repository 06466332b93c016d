import Locking

/// Makes a value once for all who ask for it at the same time.
///
/// Who is cancelled leaves at once; the work itself is cancelled when nobody waits for it any more.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight: Sendable {
        let number: Int
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    }

    private struct State: Sendable {
        var next = 0
        var flights: [Key: Flight] = [:]
        /// Waiters that were cancelled before they had begun to wait.
        var cancelled: Set<Int> = []

        mutating func number() -> Int {
            next += 1
            return next
        }
    }

    private let state = Locked(State())

    /// Gives what `make` makes, or what another call's `make` for the same key is making.
    func value(for key: Key, _ make: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let waiter = state.withLock { $0.number() }
        // The cancellation may come when the wait is over already.
        defer { state.withLock { state in _ = state.cancelled.remove(waiter) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(continuation, waiter, key, make)
            }
        } onCancel: {
            leave(waiter, key)
        }
    }

    private func wait(
        _ continuation: CheckedContinuation<Value, any Error>,
        _ waiter: Int,
        _ key: Key,
        _ make: @escaping @Sendable () async throws -> Value
    ) {
        let begins: Int?? = state.withLock { state in
            guard state.cancelled.remove(waiter) == nil else { return .none }
            if state.flights[key] != nil {
                state.flights[key]?.waiters[waiter] = continuation
                return .some(nil)
            }
            let flight = state.number()
            state.flights[key] = Flight(number: flight, waiters: [waiter: continuation])
            return .some(flight)
        }
        guard let begins else { return continuation.resume(throwing: CancellationError()) }
        guard let flight = begins else { return }
        let task = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await make()) } catch { result = .failure(error) }
            self.land(key, flight, result)
        }
        let isWanted = state.withLock { state in
            guard state.flights[key]?.number == flight else { return false }
            state.flights[key]?.task = task
            return true
        }
        // Landed already, or everybody left before there was a task to cancel.
        if !isWanted { task.cancel() }
    }

    private func land(_ key: Key, _ flight: Int, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state in
            guard state.flights[key]?.number == flight else { return [CheckedContinuation<Value, any Error>]() }
            return Array(state.flights.removeValue(forKey: key)?.waiters.values ?? [:].values)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }

    private func leave(_ waiter: Int, _ key: Key) {
        let (continuation, task) = state.withLock {
            state -> (CheckedContinuation<Value, any Error>?, Task<Void, Never>?) in
            guard let continuation = state.flights[key]?.waiters.removeValue(forKey: waiter) else {
                state.cancelled.insert(waiter)
                return (nil, nil)
            }
            guard state.flights[key]?.waiters.isEmpty == true else { return (continuation, nil) }
            return (continuation, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}
