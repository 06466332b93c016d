/// The error of ``eventually(within:_:)`` if the condition did not become true in time.
public struct NeverHappened: Error, CustomStringConvertible {
    /// The time limit.
    public let limit: Duration

    public var description: String { "the condition did not become true within \(limit)" }
}

/// Waits until `condition` is true, and checks it every few milliseconds.
///
/// At most a tenth of a second between two checks counts: a test that cannot run since others occupy all threads has not
/// waited.
///
/// - Parameters:
///   - limit: the time limit; only a failing test waits that long. Pass less than any time limit of the code under test.
///   - isolation: the actor of the caller, on which the condition is checked.
///   - condition: the condition.
/// - Throws: ``NeverHappened`` after the time limit.
public func eventually(
    within limit: Duration = .seconds(60),
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    var waited = Duration.zero
    while try await !condition() {
        guard waited < limit else { throw NeverHappened(limit: limit) }
        let looked = clock.now
        try await Task.sleep(for: .milliseconds(2))
        waited += min(clock.now - looked, .milliseconds(100))
    }
}
