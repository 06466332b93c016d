import SystemCalls

/// Finds objects that outlive the RIB they belong to, and views that stay on screen after their router was detached.
///
/// A router expects its interactor and its view controller to be deallocated with it, an interactor its presenter. An
/// expectation that is not met in its time is a ``Leak``: it is added to ``leaks`` and passed to ``onLeak``. By default only
/// debug builds detect leaks.
///
/// Time is counted in ticks of at most ``interval``, so that a breakpoint in a debugger counts as one tick. Expectations have
/// identifiers rather than the address of the object, which may be reused. One that is met, cancelled or expired is removed,
/// so that nothing counts it twice.
@MainActor
public final class LeakDetector {
    /// The detector that routers and interactors use by default: one for the process, unless `withCurrent` has set another
    /// for this task.
    public static nonisolated var current: LeakDetector { TaskDetector.current }

    /// Runs `operation` with `detector` as the default of routers and interactors, as a test does.
    ///
    /// - Returns: the result of `operation`.
    /// - Throws: the error of `operation`.
    public static nonisolated func withCurrent<Result>(
        _ detector: LeakDetector,
        operation: () throws -> Result
    ) rethrows -> Result {
        try TaskDetector.$current.withValue(detector, operation: operation)
    }

    /// Runs `operation` with `detector` as the default of routers and interactors, across its suspensions.
    ///
    /// - Returns: the result of `operation`.
    /// - Throws: the error of `operation`.
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

    /// The environment variable that disables detection in debug builds with the value `off`, and enables it in others with the
    /// value `on`.
    public static nonisolated let environmentVariable = "PAWKIT_LEAK_DETECTION"

    /// Whether detection is enabled by default: in debug builds unless ``environmentVariable`` is `off`, in other builds only
    /// if it is `on`.
    public static nonisolated var isOnByEnvironment: Bool {
        isOn(getenv(environmentVariable).map { String(cString: $0) })
    }

    /// Returns whether detection is enabled by a value of ``environmentVariable``.
    static nonisolated func isOn(_ value: String?) -> Bool {
        #if DEBUG
            return value != "off"
        #else
            return value == "on"
        #endif
    }

    /// The time that an interactor or presenter may outlive its owner: one second.
    public static nonisolated let objectTime = Duration.seconds(1)
    /// The time that a view controller may outlive its router, or stay on screen: five seconds, for an animation.
    public static nonisolated let viewTime = Duration.seconds(5)

    /// The time between two checks, and the maximum time that one check counts.
    public nonisolated let interval: Duration
    /// Whether the detector is enabled.
    public nonisolated let isEnabled: Bool

    /// The largest number of ``leaks``.
    public static nonisolated let leakLimit = 100
    /// The latest leaks, at most ``leakLimit``. Use ``onLeak`` to receive every leak.
    public private(set) var leaks: [Leak] = []
    /// Called with each leak when it is found.
    public var onLeak: (@MainActor (Leak) -> Void)?

    private struct Expectation {
        weak var object: AnyObject?
        var leak: Leak
        var elapsed: Duration

        @MainActor var isMet: Bool {
            guard let object else { return true }
            switch leak.fault {
            case .notDeallocated: return false
            case .onScreen: return (object as? any ViewControllable)?.isOnScreen != true
            }
        }
    }

    private var expectations: [UInt64: Expectation] = [:]
    private var nextID: UInt64 = 0
    private var ticker: Task<Void, Never>?

    /// Creates a detector.
    ///
    /// - Parameters:
    ///   - interval: the time between two checks; at least a millisecond.
    ///   - isEnabled: whether the detector is enabled; ``isOnByEnvironment`` by default.
    public nonisolated init(interval: Duration = .milliseconds(250), isEnabled: Bool = LeakDetector.isOnByEnvironment) {
        self.interval = max(interval, .milliseconds(1))
        self.isEnabled = isEnabled
    }

    deinit {
        // Its sleep would outlive the detector.
        ticker?.cancel()
    }

    /// The number of expectations that are not met yet.
    public var pendingCount: Int { expectations.values.count { !$0.isMet } }

    /// Expects `object` to be deallocated within `time`.
    ///
    /// - Parameters:
    ///   - object: the object; held weakly.
    ///   - time: the time that it may live on.
    ///   - reason: why it should be deallocated, as the rest of a sentence.
    /// - Returns: a token that can cancel the expectation; deallocating it does not.
    @discardableResult
    public func expectDeallocation(
        of object: AnyObject,
        within time: Duration,
        because reason: String
    ) -> LeakExpectation {
        expect(object, .notDeallocated, within: time, because: reason)
    }

    /// Expects the view of `viewController` to leave the screen within `time`.
    ///
    /// - Parameters:
    ///   - viewController: the view controller; held weakly. See ``ViewControllable/isOnScreen``.
    ///   - time: the time that it may stay on screen.
    ///   - reason: why it should leave, as the rest of a sentence.
    /// - Returns: a token that can cancel the expectation; deallocating it does not.
    @discardableResult
    public func expectDisappearance(
        of viewController: any ViewControllable,
        within time: Duration,
        because reason: String
    ) -> LeakExpectation {
        expect(viewController, .onScreen, within: time, because: reason)
    }

    private func expect(
        _ object: AnyObject,
        _ fault: Leak.Fault,
        within time: Duration,
        because reason: String
    ) -> LeakExpectation {
        guard isEnabled else { return LeakExpectation {} }
        nextID += 1
        let id = nextID
        let leak = Leak(type: "\(Swift.type(of: object))", fault: fault, reason: reason, allowed: time)
        expectations[id] = Expectation(object: object, leak: leak, elapsed: .zero)
        startTicking()
        return LeakExpectation { [weak self] in self?.expectations[id] = nil }
    }

    /// Counts `time` for every expectation, and reports those that expire. The ticker calls it, and tests do.
    package func advance(by time: Duration) {
        var found: [(UInt64, Leak)] = []
        for (id, var expectation) in expectations {
            guard !expectation.isMet else {
                expectations[id] = nil
                continue
            }
            expectation.elapsed += time
            expectations[id] = expectation
            if expectation.elapsed >= expectation.leak.allowed {
                expectations[id] = nil
                found.append((id, expectation.leak))
            }
        }
        for (_, leak) in found.sorted(by: { $0.0 < $1.0 }) {
            if leaks.count == Self.leakLimit { leaks.removeFirst() }
            leaks.append(leak)
            onLeak?(leak)
        }
    }

    /// Removes all expectations and stops checking.
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
                // The interval, not the clock: the time of a breakpoint is not counted.
                self.advance(by: interval)
                if self.expectations.isEmpty {
                    self.ticker = nil
                    return
                }
            }
        }
    }
}
