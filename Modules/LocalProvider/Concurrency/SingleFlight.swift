import Locking

/// Makes a value once for all who ask for it at the same time.
///
/// Who is cancelled leaves at once; the work itself is cancelled when nobody waits for it any more. What is made anew in the
/// meantime by others can be forgotten: those who wait get it still, those who come do not.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight: Sendable {
        let key: Key
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    }

    private struct State: Sendable {
        var next = 0
        var flights: [Int: Flight] = [:]
        /// The flight that whoever asks for a key joins.
        var current: [Key: Int] = [:]
        /// The flight that each waiter is in.
        var waiting: [Int: Int] = [:]
        /// Waiters that were cancelled before they had begun to wait.
        var cancelled: Set<Int> = []

        mutating func number() -> Int {
            next += 1
            return next
        }

        mutating func end(_ number: Int) -> Flight? {
            guard let flight = flights.removeValue(forKey: number) else { return nil }
            if current[flight.key] == number { current[flight.key] = nil }
            for waiter in flight.waiters.keys { waiting[waiter] = nil }
            return flight
        }
    }

    private let state = Locked(State())

    /// Gives what `make` makes, or what another call's `make` for the same key is making.
    ///
    /// - Parameters:
    ///   - key: what to make.
    ///   - make: makes it; is given a number for ``isCurrent(_:)``.
    /// - Returns: the value.
    /// - Throws: what `make` throws, and `CancellationError`.
    func value(for key: Key, _ make: @escaping @Sendable (Int) async throws -> Value) async throws -> Value {
        let waiter = state.withLock { $0.number() }
        // The cancellation may come when the wait is over already.
        defer { state.withLock { state in _ = state.cancelled.remove(waiter) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(continuation, waiter, key, make)
            }
        } onCancel: {
            leave(waiter)
        }
    }

    /// Whether what a flight makes is still wanted for its key: nobody has forgotten it, and somebody waits.
    func isCurrent(_ number: Int) -> Bool {
        state.withLock { state in
            guard let flight = state.flights[number] else { return false }
            return state.current[flight.key] == number
        }
    }

    /// Has whoever asks for a key from now on make the value anew.
    func forget(_ key: Key) {
        state.withLock { $0.current[key] = nil }
    }

    /// As ``forget(_:)``, for all keys.
    func forgetAll() {
        state.withLock { $0.current.removeAll() }
    }

    /// How many wait now.
    var waiters: Int { state.withLock { $0.waiting.count } }

    private func wait(
        _ continuation: CheckedContinuation<Value, any Error>,
        _ waiter: Int,
        _ key: Key,
        _ make: @escaping @Sendable (Int) async throws -> Value
    ) {
        let begins: Int?? = state.withLock { state in
            guard state.cancelled.remove(waiter) == nil else { return .none }
            let present = state.current[key]
            let number = present ?? state.number()
            if present == nil {
                state.current[key] = number
                state.flights[number] = Flight(key: key)
            }
            state.flights[number]?.waiters[waiter] = continuation
            state.waiting[waiter] = number
            return .some(present == nil ? number : nil)
        }
        guard let begins else { return continuation.resume(throwing: CancellationError()) }
        guard let flight = begins else { return }
        let task = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await make(flight)) } catch { result = .failure(error) }
            self.land(flight, result)
        }
        let isWanted = state.withLock { state in
            state.flights[flight]?.task = task
            return state.flights[flight] != nil
        }
        // Landed already, or everybody left before there was a task to cancel.
        if !isWanted { task.cancel() }
    }

    private func land(_ flight: Int, _ result: Result<Value, any Error>) {
        let landed = state.withLock { $0.end(flight) }
        for waiter in (landed?.waiters ?? [:]).values { waiter.resume(with: result) }
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
            guard state.flights[flight]?.waiters.isEmpty == true else { return (continuation, nil) }
            return (continuation, state.end(flight)?.task)
        }
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}
