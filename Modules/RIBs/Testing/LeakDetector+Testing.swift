extension LeakDetector {
    /// Runs a test's body and reports every object that outlives the RIB it belongs to.
    ///
    /// The routers and interactors that the body makes take a detector of their own. When the body is done, what they
    /// expect to go gets a moment for tasks that are just ending; what is left then is reported. So what the body keeps
    /// beyond its end is reported, too: let the whole tree live inside.
    ///
    ///     await LeakDetector.reporting { Issue.record("\($0)") } whileRunning: {
    ///         let root = RootBuilder(dependency: EmptyComponent()).build()
    ///         root.launch(in: window)
    ///     }
    ///
    /// - Parameters:
    ///   - patience: How long tasks may take to end; the time is used up only when something leaks.
    ///   - report: Fails the test with a leak.
    ///   - operation: The test's body.
    /// - Returns: What `operation` returns.
    /// - Throws: What `operation` throws.
    @MainActor
    public static func reporting<Result>(
        within patience: Duration = .seconds(1),
        _ report: @MainActor (Leak) -> Void,
        whileRunning operation: @MainActor () async throws -> Result
    ) async rethrows -> Result {
        // Looks only when asked: time in a test is the test's own.
        let detector = LeakDetector(interval: .seconds(86_400), isEnabled: true)
        let result = try await withCurrent(detector, operation: operation)
        let deadline = ContinuousClock.now + patience
        while detector.pendingCount > 0, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(2))
        }
        detector.advance(by: .seconds(86_400))
        for leak in detector.leaks { report(leak) }
        detector.stop()
        return result
    }
}
