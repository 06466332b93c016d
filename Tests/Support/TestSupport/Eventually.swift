/// The error of ``eventually(within:_:)`` and ``within(_:_:)`` for what did not happen in time.
public struct NeverHappened: Error, CustomStringConvertible {
    /// The time limit.
    public let limit: Duration

    public var description: String { "it did not happen within \(limit)" }
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

/// Returns the result of `work`, which must end within a time limit; it is cancelled then.
///
/// Time counts as in ``eventually(within:_:)``, so that the limit can be strict also on a machine under load.
///
/// - Parameters:
///   - limit: the time limit.
///   - work: the work.
/// - Returns: the result of `work`.
/// - Throws: the error of `work`, or ``NeverHappened`` after the time limit.
public func within<Value: Sendable>(
    _ limit: Duration,
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try? await eventually(within: limit) { Task.isCancelled }
            return nil
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() ?? nil else { throw NeverHappened(limit: limit) }
        return value
    }
}
