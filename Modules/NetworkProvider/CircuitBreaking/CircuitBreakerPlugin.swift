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

/// A circuit has changed.
public struct CircuitChange: Sendable, Hashable, CustomStringConvertible {
    /// Whose circuit it is.
    public let origin: HTTPOrigin
    /// What it was before.
    public let from: CircuitState
    /// What it is now.
    public let to: CircuitState

    /// One line for a log.
    public var description: String { "circuit \(origin): \(from.rawValue) -> \(to.rawValue)" }
}

/// A request was refused because its server's circuit is open; found in ``NetworkError/Reason/plugin(_:)``.
public struct CircuitOpen: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whose circuit it is.
    public let origin: HTTPOrigin
    /// How many failures in a row there were.
    public let failures: Int
    /// After how long the next request may try; zero while others are trying.
    public let remaining: Duration

    /// What happened, and what to do.
    public var description: String {
        let wait = remaining > .zero ? "try again in \(remaining)" : "another request is trying; try again soon"
        return "\(origin) has failed \(failures) times in a row and is left alone; \(wait)"
    }
}

/// When a circuit opens, and for how long.
public struct CircuitPolicy: Sendable, Hashable {
    /// How many failures in a row open a circuit; 1 or more.
    public var failures: Int
    /// How long it stays open at first; it doubles with each trial that fails.
    public var openTime: Duration
    /// What the doubling never goes over.
    public var maximumOpenTime: Duration
    /// How many requests may try at the same time once that is over; 1 or more.
    public var trials: Int
    /// The statuses that are failures of the server.
    public var statuses: Set<Int>

    /// Creates a policy.
    public init(
        failures: Int = 5,
        openTime: Duration = .seconds(10),
        maximumOpenTime: Duration = .seconds(120),
        trials: Int = 1,
        statuses: Set<Int> = [500, 502, 503, 504]
    ) {
        self.failures = max(failures, 1)
        self.openTime = openTime
        self.maximumOpenTime = maximumOpenTime
        self.trials = max(trials, 1)
        self.statuses = statuses
    }

    /// Whether a failure says that the server, or the way to it, is in trouble.
    func isFailure(_ code: HTTPTransportError.Code) -> Bool {
        switch code {
        // No request of its own kind has reached the server.
        case .timedOut(.queue): false
        case .cannotResolveHost, .cannotConnect, .timedOut, .tls, .certificate, .proxy, .connectionLost, .noResponse,
            .malformedResponse:
            true
        default: false
        }
    }
}

/// What a circuit does with requests.
public enum CircuitState: String, Sendable, Hashable, CaseIterable {
    /// It lets them through.
    case closed
    /// It refuses them without asking the server.
    case open
    /// It lets a few through, to see whether the server is back.
    case halfOpen
}
