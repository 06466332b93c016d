import Locking

/// Tells caches when the system runs short of memory, so that they let values go.
///
/// On Linux the kernel's pressure stall information tells (of the process's control group where that has it, else of the
/// whole system): a warning when tasks wait for memory during a twelfth of two seconds, critical when all of them do. Apple
/// platforms have a source of the same kind. Elsewhere, and where the system does not allow it, only ``signal(_:)`` does.
/// Nothing is asked of the system before there is a cache to tell.
///
/// Give one to all caches of a program, through ``MemoryCache/Options``; a ``MemoryStore`` has one of its own.
public final class MemoryPressure: Sendable {
    /// How short the memory is.
    public enum Level: Hashable, Sendable, CaseIterable {
        /// It gets scarce: caches keep half.
        case warning
        /// The system may soon end programs: caches keep a tenth.
        case critical

        /// How much a cache keeps of its present count.
        public var keptShare: Double { self == .warning ? 0.5 : 0.1 }
    }

    /// Begins to follow a system that calls the closure at each shortage; `nil` where it cannot be followed.
    typealias Follow = @Sendable (_ signal: @escaping @Sendable (Level) -> Void) -> (any Sendable)?

    private struct State: Sendable {
        var next = 0
        var listeners: [Int: @Sendable (Level) -> Void] = [:]
        var hasStarted = false
        /// What follows the system; letting go of it ends that.
        var follower: (any Sendable)?
    }

    private let state = Locked(State())
    private let follow: Follow

    /// Creates one that follows the system.
    public convenience init() {
        self.init { signal in MemoryPressure.followSystem(signal) }
    }

    init(_ follow: @escaping Follow) {
        self.follow = follow
    }

    /// Tells all caches, as the system does: for a program that knows more, and for tests.
    public func signal(_ level: Level) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener(level) }
    }

    /// Whether the system tells; false before the first cache has asked for it.
    public var isTold: Bool { state.withLock { $0.follower != nil } }

    /// Calls `listener`, on any thread, at each shortage, until ``stop(_:)`` is called with the number returned.
    func listen(_ listener: @escaping @Sendable (Level) -> Void) -> Int {
        let (number, isFirst) = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = listener
            defer { state.hasStarted = true }
            return (state.next, !state.hasStarted)
        }
        if isFirst { start() }
        return number
    }

    func stop(_ number: Int) {
        // What the listener holds is destroyed after the lock is given back.
        let removed = state.withLock { $0.listeners.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    private func start() {
        guard let follower = follow({ [weak self] level in self?.signal(level) }) else { return }
        state.withLock { $0.follower = follower }
    }
}
