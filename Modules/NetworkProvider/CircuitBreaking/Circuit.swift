/// One origin's circuit, as a machine over the time that has passed since it was made.
struct Circuit {
    private(set) var state = CircuitState.closed
    /// In a row.
    private(set) var failures = 0
    /// Requests that were let through before the last change tell nothing about the state after it.
    private(set) var generation: UInt64 = 0
    private var opened = Duration.zero
    private var openTime = Duration.zero
    private var trials = 0
    /// Requests that were let through and whose outcome is not known yet.
    private var underWay = 0
    private var lastUsed = Duration.zero

    enum Verdict: Equatable {
        case go(generation: UInt64)
        case refuse(remaining: Duration)
    }

    enum Outcome { case success, failure, unknown }

    /// The state at a time: an open circuit whose time is over is half open to whoever comes next.
    func state(at time: Duration) -> CircuitState {
        state == .open && time - opened >= openTime ? .halfOpen : state
    }

    /// Whether a request may go at a time.
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

    /// Takes what became of a request that was let through.
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
        // Cancelled: the next one may try in its place.
        case (.halfOpen, .unknown): trials -= 1
        case (.closed, .unknown), (.open, _): break
        }
    }

    /// Whether nothing that it knows matters any more: it is well, or nothing has been asked for longer than it is ever
    /// left open.
    func isAtRest(at time: Duration, _ policy: CircuitPolicy) -> Bool {
        guard underWay == 0 else { return false }
        return state == .closed && failures == 0 || time - lastUsed >= max(openTime, policy.maximumOpenTime)
    }

    /// Closes it, whatever happened.
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

/// The circuits of all origins. Once there are many, those at rest are forgotten: a program that visits ever new origins
/// would fill its memory with closed circuits.
struct CircuitTable {
    /// How many are kept without looking.
    private static let comfortable = 1_000

    private(set) var circuits: [HTTPOrigin: Circuit] = [:]
    private var limit = CircuitTable.comfortable

    /// Changes an origin's circuit; a closed one where there is none.
    /// - Returns: what the change gives, with the states before and after it.
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

    /// Looks through all, and not again before there are twice as many as remain: so it costs each new one little.
    private mutating func forget(at time: Duration, _ policy: CircuitPolicy) {
        circuits = circuits.filter { !$0.value.isAtRest(at: time, policy) }
        limit = max(CircuitTable.comfortable, 2 * circuits.count)
    }
}
