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
