extension LeakDetector {
    /// Runs the body of a test and reports every object that outlives the RIB it belongs to.
    ///
    /// The routers and interactors that the body makes use a separate detector. After the body, objects that are expected
    /// to be deallocated have a short time for tasks that are ending; the rest is reported. Objects that the test retains
    /// beyond the body are reported, too: create the whole tree inside.
    ///
    ///     await LeakDetector.reporting { Issue.record("\($0)") } whileRunning: {
    ///         let root = RootBuilder(dependency: EmptyComponent()).build()
    ///         root.launch(in: window)
    ///     }
    ///
    /// - Parameters:
    ///   - timeLimit: the time that tasks may take to end; it is used up only if something leaks. Time in which the main
    ///     actor is busy with other work is not counted, because the tasks could not continue in it.
    ///   - report: fails the test with a leak.
    ///   - operation: the body of the test.
    /// - Returns: the result of `operation`.
    /// - Throws: the error of `operation`.
    @MainActor
    public static func reporting<Result>(
        within timeLimit: Duration = .seconds(1),
        _ report: @MainActor (Leak) -> Void,
        whileRunning operation: @MainActor () async throws -> Result
    ) async rethrows -> Result {
        // It checks only when asked: the test controls the time.
        let detector = LeakDetector(interval: .seconds(86_400), isEnabled: true)
        let result = try await withCurrent(detector, operation: operation)
        // Turns are counted, not the time on the clock: a turn can begin late.
        let turn = Duration.milliseconds(2)
        var rest = timeLimit
        while detector.pendingCount > 0, rest > .zero {
            try? await Task.sleep(for: turn)
            rest -= turn
        }
        detector.advance(by: .seconds(86_400))
        for leak in detector.leaks { report(leak) }
        detector.stop()
        return result
    }
}
