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
