import Threading

/// Refuses requests to a server that fails repeatedly, with one circuit for each origin (Michael Nygard, "Release
/// It!").
///
/// After a number of failures in a row the circuit opens: requests fail with ``CircuitOpen`` without being sent. After
/// some time it is half open: one request is sent, and closes the circuit or opens it for twice the time.
///
/// ```swift
/// let circuits = CircuitBreakerPlugin()
/// let provider = NetworkProvider(plugins: [RetryPlugin(), circuits])
/// for await change in circuits.changes { status.show("\(change)") }
/// ```
///
/// Place it after (inside) a ``RetryPlugin``: each attempt counts, and a refused one is not retried. Cancelled and
/// invalid requests do not count, nor do failures while the body is read.
public final class CircuitBreakerPlugin: NetworkPlugin {
    /// When circuits open, and for how long.
    public let policy: CircuitPolicy
    private let table = Locked(CircuitTable())
    private let watchers = Broadcast<CircuitChange>(unreadLimit: 64)
    private let time: @Sendable () -> Duration

    /// Creates a plugin whose circuits are closed.
    /// - Parameters:
    ///   - policy: when circuits open, and for how long.
    ///   - clock: measures the times.
    public init(_ policy: CircuitPolicy = CircuitPolicy(), clock: any Clock<Duration> = ContinuousClock()) {
        self.policy = policy
        time = clock.stopwatch()
    }

    /// Returns the state of an origin's circuit.
    public func state(of origin: HTTPOrigin) -> CircuitState {
        let now = time()
        return table.withLock { $0.circuits[origin]?.state(at: now) ?? .closed }
    }

    /// The circuits of all origins that received requests. Above a thousand, circuits that are closed without
    /// failures, or were not used for longer than they can be open, are forgotten.
    public var states: [HTTPOrigin: CircuitState] {
        let now = time()
        return table.withLock { $0.circuits.mapValues { $0.state(at: now) } }
    }

    /// The changes from now on, in their order; a slow reader misses the oldest ones. Each stream is for one reader.
    public var changes: AsyncStream<CircuitChange> { watchers.stream() }

    /// Closes an origin's circuit, for a caller that knows that the server is available.
    public func reset(_ origin: HTTPOrigin) { change(origin) { circuit, _ in circuit.reset() } }

    /// Sends the request if the circuit of its origin admits it, and records the result.
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
            // The failure of another origin, after a redirect, says nothing about this one.
            let hasLeft = context.attempts.withLock { $0.hasLeftOrigin }
            let isFailure = (error as? HTTPTransportError).map { policy.isFailure($0.code) } ?? false
            settle(isFailure && !hasLeft ? .failure : .unknown, of: generation, origin)
            throw error
        }
        // A response of another origin, after a redirect, says nothing about this one.
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

    /// Changes a circuit and notifies the observers, in the order of the changes.
    private func change<Result: Sendable>(_ origin: HTTPOrigin, _ work: (inout Circuit, Duration) -> Result) -> Result {
        let now = time()
        return table.withLock { table in
            let (result, before, after) = table.change(origin, at: now, policy) { work(&$0, now) }
            if after != before { watchers.send(CircuitChange(origin: origin, from: before, to: after)) }
            return result
        }
    }
}

/// A change of a circuit's state.
public struct CircuitChange: Sendable, Hashable, CustomStringConvertible {
    /// The origin of the circuit.
    public let origin: HTTPOrigin
    /// The old state.
    public let from: CircuitState
    /// The new state.
    public let to: CircuitState

    /// The change in one line.
    public var description: String { "circuit \(origin): \(from.rawValue) -> \(to.rawValue)" }
}

/// A request was refused because its server's circuit is open; found in ``NetworkError/Reason/plugin(_:)``.
public struct CircuitOpen: Error, Sendable, Hashable, CustomStringConvertible {
    /// The origin of the circuit.
    public let origin: HTTPOrigin
    /// The number of failures in a row.
    public let failures: Int
    /// The time until the next request is admitted; zero while other requests are being tried.
    public let remaining: Duration

    /// The failure, and what to do.
    public var description: String {
        let wait = remaining > .zero ? "try again in \(remaining)" : "another request is under way; try again soon"
        return "\(origin) has failed \(failures) times in a row, and no request is sent; \(wait)"
    }
}

/// When a circuit opens, and for how long.
public struct CircuitPolicy: Sendable, Hashable {
    /// The number of failures in a row that open a circuit; 1 or more.
    public var failures: Int
    /// How long it is open at first; this doubles with each failed trial.
    public var openTime: Duration
    /// The maximum of the doubled time.
    public var maximumOpenTime: Duration
    /// The number of requests that are admitted at the same time after that; 1 or more.
    public var trials: Int
    /// The statuses that count as failures.
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

    /// Returns whether a failure is one of the server or of the connection to it.
    func isFailure(_ code: HTTPTransportError.Code) -> Bool {
        switch code {
        // The request waited for other requests and was not sent.
        case .timedOut(.queue): false
        case .cannotResolveHost, .cannotConnect, .timedOut, .tls, .certificate, .proxy, .connectionLost, .noResponse,
            .malformedResponse:
            true
        default: false
        }
    }
}

/// The state of a circuit.
public enum CircuitState: String, Sendable, Hashable, CaseIterable {
    /// Requests are admitted.
    case closed
    /// Requests are refused.
    case open
    /// A few requests are admitted, to test the server.
    case halfOpen
}
