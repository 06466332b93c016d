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

#if canImport(Darwin)
    import Dispatch

    extension MemoryPressure {
        /// The source that the system ends with its follower.
        private final class Follower: @unchecked Sendable {
            let source: any DispatchSourceMemoryPressure

            init(_ source: any DispatchSourceMemoryPressure) {
                self.source = source
            }

            deinit {
                source.cancel()
            }
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
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    extension MemoryPressure {
        static func followSystem(_ signal: @escaping @Sendable (Level) -> Void) -> (any Sendable)? {
            // Who is not privileged may ask for windows of whole seconds in twos only.
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

        /// Where the kernel tells of the memory: the process's own control group first.
        private static func pressureFiles() -> [String] {
            let groups = text(of: "/proc/self/cgroup").split(separator: "\n")
            let own = groups.first { $0.hasPrefix("0::/") }?.dropFirst(3)
            return (own.map { ["/sys/fs/cgroup\($0)/memory.pressure"] } ?? []) + ["/proc/pressure/memory"]
        }

        /// The beginning of a file that tells no length.
        private static func text(of path: String) -> String {
            let calls = PosixFileCalls()
            guard let descriptor = try? calls.open(path, .reading) else { return "" }
            defer { calls.close(descriptor) }
            return withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
                let count = (try? calls.read(descriptor, into: buffer, at: 0)) ?? 0
                return String(decoding: buffer.prefix(count), as: UTF8.self)
            }
        }

        /// Asks to be told; `nil` where that is not possible.
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
