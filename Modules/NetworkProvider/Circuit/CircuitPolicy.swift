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
