import Locking

/// Leaves a server alone that fails again and again, one circuit for each origin (Michael Nygard, "Release It!").
///
/// After some failures in a row the circuit opens: requests are refused with ``CircuitOpen``, without a byte sent.
/// After a while it is half open: one request may try, and closes the circuit or opens it for twice as long.
///
/// ```swift
/// let circuits = CircuitBreakerPlugin()
/// let provider = NetworkProvider(plugins: [RetryPlugin(), circuits])
/// for await change in circuits.changes { status.show("\(change)") }
/// ```
///
/// Put it behind (inside) a ``RetryPlugin``: each try counts, and no refused one is tried again. Cancelled requests, and
/// ones that cannot be sent, count for nothing. What breaks while the body is read is not counted.
public final class CircuitBreakerPlugin: NetworkPlugin {
    private struct State {
        var table = CircuitTable()
        var watchers: [UInt64: AsyncStream<CircuitChange>.Continuation] = [:]
        var lastWatcher: UInt64 = 0
    }

    /// When circuits open, and for how long.
    public let policy: CircuitPolicy
    private let state = Locked(State())
    private let time: @Sendable () -> Duration

    /// Creates a plugin whose circuits are all closed.
    /// - Parameters:
    ///   - policy: when circuits open, and for how long.
    ///   - clock: what the times are measured by.
    public init(_ policy: CircuitPolicy = CircuitPolicy(), clock: any Clock<Duration> = ContinuousClock()) {
        self.policy = policy
        time = clock.stopwatch()
    }

    deinit {
        for watcher in state.withLock({ $0.watchers.values }) { watcher.finish() }
    }

    /// What an origin's circuit does with the next request.
    public func state(of origin: HTTPOrigin) -> CircuitState {
        let now = time()
        return state.withLock { $0.table.circuits[origin]?.state(at: now) ?? .closed }
    }

    /// The circuits of all origins that were asked for anything. Once there are more than a thousand, those that are
    /// well are forgotten, and those that have not been asked for anything for longer than they are ever left open.
    public var states: [HTTPOrigin: CircuitState] {
        let now = time()
        return state.withLock { $0.table.circuits.mapValues { $0.state(at: now) } }
    }

    /// The changes from now on, in their order; a reader that falls far behind misses the oldest ones. Each stream is
    /// for one reader; ask for another one for each.
    public var changes: AsyncStream<CircuitChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let number = state.withLock { state in
                state.lastWatcher += 1
                state.watchers[state.lastWatcher] = continuation
                return state.lastWatcher
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.watchers[number] = nil }
            }
        }
    }

    /// Closes an origin's circuit, for somebody who knows that the server is back.
    public func reset(_ origin: HTTPOrigin) { change(origin) { circuit, _ in circuit.reset() } }

    /// Sends the request if its origin's circuit lets it, and takes what becomes of it.
    public func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        next: NetworkSend
    ) async throws -> HTTPResponse {
        guard let origin = HTTPOrigin(request.url) else { return try await next(request) }
        let generation = try admit(origin)
        let response: HTTPResponse
        do {
            response = try await next(request)
        } catch {
            let isFailure = (error as? HTTPTransportError).map { policy.isFailure($0.code) } ?? false
            settle(isFailure ? .failure : .unknown, of: generation, origin)
            throw error
        }
        // Another origin, to which a redirect led, speaks for itself alone.
        let isOwn = HTTPOrigin(response.head.url) == origin
        settle(isOwn && policy.statuses.contains(response.status) ? .failure : .success, of: generation, origin)
        return response
    }

    private func admit(_ origin: HTTPOrigin) throws(CircuitOpen) -> UInt64 {
        var failures = 0
        let verdict = change(origin) { circuit, now in
            failures = circuit.failures
            return circuit.admit(at: now, policy)
        }
        switch verdict {
        case .go(let generation): return generation
        case .refuse(let remaining): throw CircuitOpen(origin: origin, failures: failures, remaining: remaining)
        }
    }

    private func settle(_ outcome: Circuit.Outcome, of generation: UInt64, _ origin: HTTPOrigin) {
        change(origin) { $0.take(outcome, of: generation, at: $1, policy) }
    }

    /// Changes a circuit and tells its watchers, in the order of the changes.
    private func change<Result: Sendable>(_ origin: HTTPOrigin, _ work: (inout Circuit, Duration) -> Result) -> Result {
        let now = time()
        return state.withLock { state in
            let (result, before, after) = state.table.change(origin, at: now, policy) { work(&$0, now) }
            guard after != before else { return result }
            for watcher in state.watchers.values {
                watcher.yield(CircuitChange(origin: origin, from: before, to: after))
            }
            return result
        }
    }
}
