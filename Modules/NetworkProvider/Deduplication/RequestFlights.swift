import Locking

/// Sends a request once for all who ask for the same at the same time.
///
/// Who is cancelled leaves at once; the request itself is cancelled when nobody waits for it any more. What it ends with
/// goes to everybody who waits; whoever asks later begins anew.
final class RequestFlights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let number: UInt64
        var task: Task<Void, Never>?
        var waiters: [UInt64: CheckedContinuation<Value, any Error>]
    }

    private struct State {
        var last: UInt64 = 0
        var flights: [Key: Flight] = [:]
    }

    private let state = Locked(State())

    /// How many wait for a request that is on its way.
    var waiterCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Gives what `send` gives, or what another's `send` for an equal key, which is under way, will give.
    func value(for key: Key, _ send: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let waiter = state.withLock { state in
            state.last += 1
            return state.last
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                join(continuation, waiter, key, send)
            }
        } onCancel: {
            leave(waiter, key)
        }
    }

    private func join(
        _ continuation: CheckedContinuation<Value, any Error>,
        _ waiter: UInt64,
        _ key: Key,
        _ send: @escaping @Sendable () async throws -> Value
    ) {
        let begun = state.withLock { state -> UInt64? in
            if state.flights[key] != nil {
                state.flights[key]?.waiters[waiter] = continuation
                return nil
            }
            state.last += 1
            state.flights[key] = Flight(number: state.last, waiters: [waiter: continuation])
            return state.last
        }
        if let begun { start(key, begun, send) }
        // A cancellation that came before there was anybody to leave.
        if Task.isCancelled { leave(waiter, key) }
    }

    private func start(_ key: Key, _ number: UInt64, _ send: @escaping @Sendable () async throws -> Value) {
        let task = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await send()) } catch { result = .failure(error) }
            land(key, number, result)
        }
        let isWanted = state.withLock { state in
            guard state.flights[key]?.number == number else { return false }
            state.flights[key]?.task = task
            return true
        }
        // It has landed already, or everybody left before there was a task to cancel.
        if !isWanted { task.cancel() }
    }

    private func land(_ key: Key, _ number: UInt64, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard state.flights[key]?.number == number else { return [] }
            return state.flights.removeValue(forKey: key).map { Array($0.waiters.values) } ?? []
        }
        for waiter in waiters { waiter.resume(with: result) }
    }

    private func leave(_ waiter: UInt64, _ key: Key) {
        let (continuation, task) = state.withLock {
            state -> (CheckedContinuation<Value, any Error>?, Task<Void, Never>?) in
            guard let continuation = state.flights[key]?.waiters.removeValue(forKey: waiter) else { return (nil, nil) }
            guard state.flights[key]?.waiters.isEmpty == true else { return (continuation, nil) }
            return (continuation, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}
