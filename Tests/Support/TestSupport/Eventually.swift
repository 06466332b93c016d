/// Thrown by ``eventually(within:_:)`` when the condition did not come true in time.
public struct NeverHappened: Error, CustomStringConvertible {
    /// How long the condition was waited for.
    public let limit: Duration

    public var description: String { "the condition did not come true within \(limit)" }
}

/// Waits until `condition` holds, looking again every few milliseconds.
///
/// A test that does not get to run, since others hold all threads, has not waited: however long two looks lie apart, no
/// more than a tenth of a second of that counts.
///
/// - Parameters:
///   - limit: how long to wait before giving up; generous, since only a failing test waits that long.
///   - isolation: the caller's actor, on which the condition is looked at.
///   - condition: what must become true.
/// - Throws: ``NeverHappened`` when the time is over.
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
