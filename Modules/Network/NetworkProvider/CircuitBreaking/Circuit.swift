/// The state machine of one origin's circuit; times are measured since the plugin was created.
struct Circuit {
    private(set) var state = CircuitState.closed
    /// Failures in a row.
    private(set) var failures = 0
    /// Increases with each change of the state: a request that was admitted before does not count for the new state.
    private(set) var generation: UInt64 = 0
    private var opened = Duration.zero
    private var openTime = Duration.zero
    private var trials = 0
    /// The number of admitted requests without a result.
    private var underWay = 0
    private var lastUsed = Duration.zero

    enum Verdict: Equatable {
        case go(generation: UInt64)
        case refuse(remaining: Duration)
    }

    enum Outcome { case success, failure, unknown }

    /// Returns the state at a time: an open circuit whose time is over is half open.
    func state(at time: Duration) -> CircuitState {
        state == .open && time - opened >= openTime ? .halfOpen : state
    }

    /// Returns whether a request is admitted at a time.
    mutating func admit(at time: Duration, _ policy: CircuitPolicy) -> Verdict {
        lastUsed = time
        let verdict = verdict(at: time, policy)
        if case .go = verdict { underWay += 1 }
        return verdict
    }

    private mutating func verdict(at time: Duration, _ policy: CircuitPolicy) -> Verdict {
        if state == .open {
            let remaining = openTime - (time - opened)
            guard remaining <= .zero else { return .refuse(remaining: remaining) }
            change(to: .halfOpen)
        }
        guard state == .halfOpen else { return .go(generation: generation) }
        guard trials < policy.trials else { return .refuse(remaining: .zero) }
        trials += 1
        return .go(generation: generation)
    }

    /// Records the result of an admitted request.
    mutating func take(_ outcome: Outcome, of admitted: UInt64, at time: Duration, _ policy: CircuitPolicy) {
        lastUsed = time
        underWay -= 1
        guard admitted == generation else { return }
        switch (state, outcome) {
        case (.closed, .success): failures = 0
        case (.closed, .failure):
            failures += 1
            if failures >= policy.failures { open(at: time, for: policy.openTime) }
        case (.halfOpen, .success):
            failures = 0
            change(to: .closed)
        case (.halfOpen, .failure):
            failures += 1
            open(at: time, for: min(openTime * 2, policy.maximumOpenTime))
        // Cancelled: the next request is admitted in its place.
        case (.halfOpen, .unknown): trials -= 1
        case (.closed, .unknown), (.open, _): break
        }
    }

    /// Returns whether the circuit can be forgotten: it is closed without failures, or was not used for longer than it
    /// can be open.
    func isAtRest(at time: Duration, _ policy: CircuitPolicy) -> Bool {
        guard underWay == 0 else { return false }
        return state == .closed && failures == 0 || time - lastUsed >= max(openTime, policy.maximumOpenTime)
    }

    /// Closes the circuit.
    mutating func reset() {
        failures = 0
        if state != .closed { change(to: .closed) }
    }

    private mutating func open(at time: Duration, for length: Duration) {
        opened = time
        openTime = length
        change(to: .open)
    }

    private mutating func change(to state: CircuitState) {
        self.state = state
        generation += 1
        trials = 0
    }
}

/// The circuits of all origins. Above a limit, circuits at rest are removed: otherwise a program that uses more and
/// more origins would fill its memory with closed circuits.
struct CircuitTable {
    /// The number of circuits below which none is removed.
    private static let minimumLimit = 1_000

    private(set) var circuits: [HTTPOrigin: Circuit] = [:]
    private var limit = CircuitTable.minimumLimit

    /// Changes an origin's circuit, or a new one.
    /// - Returns: the result of the change, with the states before and after it.
    mutating func change<Result>(
        _ origin: HTTPOrigin,
        at time: Duration,
        _ policy: CircuitPolicy,
        _ work: (inout Circuit) -> Result
    ) -> (result: Result, before: CircuitState, after: CircuitState) {
        if circuits.count >= limit, circuits[origin] == nil { forget(at: time, policy) }
        var circuit = circuits[origin] ?? Circuit()
        let before = circuit.state
        let result = work(&circuit)
        circuits[origin] = circuit
        return (result, before, circuit.state)
    }

    /// Removes circuits at rest, and not again before their number has doubled: the cost for each new origin remains
    /// constant.
    private mutating func forget(at time: Duration, _ policy: CircuitPolicy) {
        circuits = circuits.filter { !$0.value.isAtRest(at: time, policy) }
        limit = max(CircuitTable.minimumLimit, 2 * circuits.count)
    }
}
