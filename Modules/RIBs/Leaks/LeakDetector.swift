/// Finds objects that outlive the RIB they belong to.
///
/// A router expects its interactor and its view controller to go with it, an interactor its presenter. What is still
/// there when its time is up is a ``Leak``: it is kept in ``leaks`` and told to ``onLeak``.
///
/// Time is counted in ticks, each of ``interval`` at most, so that a debugger's breakpoint counts as one tick and trips
/// nothing. Expectations have numbers of their own rather than the address of the object, which may be used again; and
/// one that is met, cancelled or over is gone from the list, so that nothing counts it twice.
@MainActor
public final class LeakDetector {
    /// The detector that routers and interactors take where they are given none: one for the process, unless
    /// `withCurrent` has set another for this task.
    public static nonisolated var current: LeakDetector { TaskDetector.current }

    /// Runs `operation` with `detector` as the one that routers and interactors take, as a test does.
    ///
    /// - Returns: What `operation` returns.
    /// - Throws: What `operation` throws.
    public static nonisolated func withCurrent<Result>(
        _ detector: LeakDetector,
        operation: () throws -> Result
    ) rethrows -> Result {
        try TaskDetector.$current.withValue(detector, operation: operation)
    }

    /// Runs `operation` with `detector` as the one that routers and interactors take, across its suspensions.
    ///
    /// - Returns: What `operation` returns.
    /// - Throws: What `operation` throws.
    @MainActor
    public static func withCurrent<Result>(
        _ detector: LeakDetector,
        operation: @MainActor () async throws -> Result
    ) async rethrows -> Result {
        try await TaskDetector.$current.withValue(detector, operation: operation)
    }

    private enum TaskDetector {
        @TaskLocal static var current = LeakDetector()
    }

    /// The environment variable that turns detection off, with the value `off`.
    public static nonisolated let environmentVariable = "PAWKIT_LEAK_DETECTION"

    /// How long an interactor or presenter may outlive its owner: one second.
    public static nonisolated let objectTime = Duration.seconds(1)
    /// How long a view controller may outlive its router: five seconds, for an animation's sake.
    public static nonisolated let viewTime = Duration.seconds(5)

    /// The time between two looks, and the most that one look adds to the time counted.
    public nonisolated let interval: Duration
    /// Whether anything is expected at all.
    public nonisolated let isEnabled: Bool

    /// What was found so far.
    public private(set) var leaks: [Leak] = []
    /// Called with each leak when it is found.
    public var onLeak: (@MainActor (Leak) -> Void)?

    private struct Expectation {
        weak var object: AnyObject?
        var type: String
        var reason: String
        var allowed: Duration
        var elapsed: Duration
    }

    private var expectations: [UInt64: Expectation] = [:]
    private var nextID: UInt64 = 0
    private var ticker: Task<Void, Never>?

    /// Creates a detector.
    ///
    /// - Parameters:
    ///   - interval: The time between two looks.
    ///   - isEnabled: Whether anything is expected; unless the environment variable is `off` by default.
    public nonisolated init(interval: Duration = .milliseconds(250), isEnabled: Bool = LeakDetector.isOnByEnvironment) {
        self.interval = interval
        self.isEnabled = isEnabled
    }

    isolated deinit {
        // Its sleep would outlast the detector.
        ticker?.cancel()
    }

    /// How many objects are expected to go and have not yet.
    public var pendingCount: Int { expectations.values.count { $0.object != nil } }

    /// Expects `object` to be deallocated within `time`.
    ///
    /// - Parameters:
    ///   - object: The object; held weakly.
    ///   - time: How long it may live on.
    ///   - reason: Why it should go, as the rest of a sentence.
    /// - Returns: A token; cancelling it takes the expectation back, letting it go does not.
    @discardableResult
    public func expectDeallocation(
        of object: AnyObject,
        within time: Duration,
        because reason: String
    ) -> LeakExpectation {
        nextID += 1
        let id = nextID
        guard isEnabled else { return LeakExpectation {} }
        expectations[id] = Expectation(
            object: object,
            type: "\(Swift.type(of: object))",
            reason: reason,
            allowed: time,
            elapsed: .zero
        )
        startTicking()
        return LeakExpectation { [weak self] in self?.expectations[id] = nil }
    }

    /// Counts `time` towards every expectation, and finds what is over; the ticker calls it, and tests do.
    package func advance(by time: Duration) {
        var found: [(UInt64, Leak)] = []
        for (id, var expectation) in expectations {
            guard expectation.object != nil else {
                expectations[id] = nil
                continue
            }
            expectation.elapsed += time
            expectations[id] = expectation
            if expectation.elapsed >= expectation.allowed {
                expectations[id] = nil
                found.append(
                    (id, Leak(type: expectation.type, reason: expectation.reason, allowed: expectation.allowed))
                )
            }
        }
        for (_, leak) in found.sorted(by: { $0.0 < $1.0 }) {
            leaks.append(leak)
            onLeak?(leak)
        }
    }

    /// Forgets what is expected, and looks no more.
    func stop() {
        expectations = [:]
        ticker?.cancel()
        ticker = nil
    }

    private func startTicking() {
        guard ticker == nil else { return }
        ticker = Task { [weak self, interval] in
            while true {
                do { try await Task.sleep(for: interval) } catch { return }
                guard let self else { return }
                // The interval, not the clock: what a breakpoint took is not counted.
                self.advance(by: interval)
                if self.expectations.isEmpty {
                    self.ticker = nil
                    return
                }
            }
        }
    }
}
