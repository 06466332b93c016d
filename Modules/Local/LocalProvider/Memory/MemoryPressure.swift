import SystemCalls
import Threading

/// Informs caches when the system runs short of memory, so that they evict values.
///
/// On Linux it follows the pressure stall information of the kernel, of the control group of the process if
/// available, otherwise of the whole system: a warning if tasks wait for memory during a twelfth of two seconds,
/// critical if all of them do. Apple platforms have a source of the same kind. On other platforms, and if the system
/// refuses, only ``signal(_:)`` informs caches. The system is not followed before the first cache exists.
///
/// Pass one to all caches of a program, through ``MemoryCache/Options``; a ``MemoryStore`` has its own by default.
public final class MemoryPressure: Sendable {
    /// The degree of the shortage.
    public enum Level: Hashable, Sendable, CaseIterable {
        /// Memory gets scarce: caches evict half of their values.
        case warning
        /// The system may soon end programs: caches evict nine tenths of their values.
        case critical

        /// The share of its values that a cache retains.
        public var keptShare: Double { self == .warning ? 0.5 : 0.1 }
    }

    /// Follows a system that calls the closure at each shortage; returns `nil` if that is not possible.
    typealias Follow = @Sendable (_ signal: @escaping @Sendable (Level) -> Void) -> (any Sendable)?

    private struct State: Sendable {
        var next = 0
        var listeners: [Int: @Sendable (Level) -> Void] = [:]
        var hasStarted = false
        /// Follows the system until it is released.
        var follower: (any Sendable)?
    }

    private let state = Locked(State())
    private let follow: Follow

    /// Creates an object that follows the system.
    public convenience init() { self.init { signal in MemoryPressure.followSystem(signal) } }

    init(_ follow: @escaping Follow) { self.follow = follow }

    /// Informs all caches, as the system does: for programs with other information, and for tests.
    public func signal(_ level: Level) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener(level) }
    }

    /// Whether the system is followed; false before the first cache exists.
    public var isFollowing: Bool { state.withLock { $0.follower != nil } }

    /// Calls `listener`, on any thread, at each shortage, until ``stop(_:)`` is called with the returned number.
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
        // The listener is released after the lock.
        let removed = state.withLock { $0.listeners.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    private func start() {
        guard let follower = follow({ [weak self] level in self?.signal(level) }) else { return }
        state.withLock { $0.follower = follower }
    }
}

#if canImport(Darwin)
    import Dispatch

    extension MemoryPressure {
        /// The source of the system, which is cancelled with its owner.
        private final class Follower: @unchecked Sendable {
            let source: any DispatchSourceMemoryPressure

            init(_ source: any DispatchSourceMemoryPressure) { self.source = source }

            deinit { source.cancel() }
        }

        static func followSystem(_ signal: @escaping @Sendable (Level) -> Void) -> (any Sendable)? {
            let queue = DispatchQueue.global(qos: .utility)
            let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: queue)
            let follower = Follower(source)
            source.setEventHandler { [weak follower] in
                guard let event = follower?.source.data else { return }
                signal(event.contains(.critical) ? .critical : .warning)
            }
            source.activate()
            return follower
        }
    }
#elseif os(Linux)
    extension MemoryPressure {
        static func followSystem(_ signal: @escaping @Sendable (Level) -> Void) -> (any Sendable)? {
            // Unprivileged processes may only use windows of multiples of two seconds.
            let triggers = [("some 166000 2000000", Level.warning), ("full 166000 2000000", .critical)]
            for path in pressureFiles() {
                let opened = triggers.compactMap { text, level in trigger(path, text).map { ($0, level) } }
                guard !opened.isEmpty else { continue }
                return PollingThread(
                    opened.map { PollingThread.Source(descriptor: $0.0, events: Int16(POLLPRI)) },
                    onEvent: { index in if let index { signal(opened[index].1) } },
                    onEnd: { for (descriptor, _) in opened { close(descriptor) } }
                )
            }
            return nil
        }

        /// Returns the paths of the pressure files, the control group of the process first.
        private static func pressureFiles() -> [String] {
            let groups = text(of: "/proc/self/cgroup").split(separator: "\n")
            let own = groups.first { $0.hasPrefix("0::/") }?.dropFirst(3)
            return (own.map { ["/sys/fs/cgroup\($0)/memory.pressure"] } ?? []) + ["/proc/pressure/memory"]
        }

        /// Returns the beginning of a file that reports no size.
        private static func text(of path: String) -> String {
            let calls = PosixFileCalls()
            guard let descriptor = try? calls.open(path, .reading) else { return "" }
            defer { calls.close(descriptor) }
            return withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
                let count = (try? calls.read(descriptor, into: buffer, at: 0)) ?? 0
                return String(decoding: buffer.prefix(count), as: UTF8.self)
            }
        }

        /// Opens a pressure file and sets a trigger; returns `nil` if that is not possible.
        private static func trigger(_ path: String, _ text: String) -> Int32? {
            let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            let bytes = Array(text.utf8) + [0]
            guard write(descriptor, bytes, bytes.count) == bytes.count else {
                close(descriptor)
                return nil
            }
            return descriptor
        }
    }
#else
    extension MemoryPressure {
        static func followSystem(_ signal: @escaping @Sendable (Level) -> Void) -> (any Sendable)? { nil }
    }
#endif
