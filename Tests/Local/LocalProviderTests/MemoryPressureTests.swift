import SystemCalls
import TestSupport
import Testing
import Threading

@testable import LocalProvider

@Suite("Memory pressure")
struct MemoryPressureTests {
    private static let isFollowing: Bool = {
        #if os(Linux)
            return access("/proc/pressure/memory", W_OK) == 0
        #else
            return true
        #endif
    }()

    /// The one that a test speaks for.
    private final class System: Sendable {
        let signal = Locked<(@Sendable (MemoryPressure.Level) -> Void)?>(nil)
        let starts = Locked(0)

        func follow(_ signal: @escaping @Sendable (MemoryPressure.Level) -> Void) -> (any Sendable)? {
            self.signal.withLock { $0 = signal }
            starts.withLock { $0 += 1 }
            return self
        }

        func tell(_ level: MemoryPressure.Level) { signal.withLock { $0 }?(level) }
    }

    @Test("A cache retains half at a warning and a tenth at a critical shortage", arguments: CachePolicy.allCases)
    func levels(policy: CachePolicy) {
        let system = System()
        let pressure = MemoryPressure { system.follow($0) }
        var options = MemoryCache<Int, Int>.Options(countLimit: 1_000)
        options.policy = policy
        options.pressure = pressure
        let cache = MemoryCache<Int, Int>(options)
        for key in 0..<1_000 { cache.set(key, for: key) }
        // The ones asked for are the last to go.
        for _ in 0..<2 { for key in 900..<1_000 { _ = cache.value(for: key) } }
        system.tell(.warning)
        #expect(cache.count == 500)
        #expect((900..<1_000).allSatisfy(cache.contains))
        system.tell(.critical)
        #expect(cache.count == 50)
        pressure.signal(.warning)
        #expect(cache.count == 25)
        #expect(system.starts.withLock { $0 } == 1 && pressure.isFollowing)
    }

    @Test("All caches are informed, and a deallocated one is forgotten")
    func several() {
        let system = System()
        let pressure = MemoryPressure { system.follow($0) }
        var options = MemoryCache<Int, String>.Options(countLimit: 1_000)
        options.pressure = pressure
        let first = MemoryCache<Int, String>(options)
        for key in 0..<100 { first.set("\(key)", for: key) }
        weak var gone: MemoryCache<Int, String>?
        do {
            let second = MemoryCache<Int, String>(options)
            gone = second
            second.set("x", for: 1)
            system.tell(.warning)
            #expect(second.count == 0 && first.count == 50)
        }
        #expect(gone == nil)
        system.tell(.warning)
        #expect(first.count == 25)
    }

    @Test("A store follows the system from its first value on")
    func store() throws {
        let system = System()
        var options = MemoryStore.Options()
        options.pressure = MemoryPressure { system.follow($0) }
        let store = MemoryStore(options)
        #expect(try store.count() == 0 && system.starts.withLock { $0 } == 0)
        for number in 0..<100 { try store.set("\(number)", number, nil) }
        #expect(system.starts.withLock { $0 } == 1)
        system.tell(.critical)
        #expect(try store.count() == 10)
    }

    @Test(
        "The system is followed, and all resources released with the last listener",
        .enabled(if: isFollowing, "the kernel does not report memory pressure here, or not to this user")
    )
    func asksTheSystem() async throws {
        func run() {
            let pressure = MemoryPressure()
            var options = MemoryCache<Int, Int>.Options(countLimit: 10)
            options.pressure = pressure
            let cache = MemoryCache<Int, Int>(options)
            cache.set(1, for: 1)
            #expect(pressure.isFollowing)
            #expect(cache.value(for: 1) == 1)
        }
        for _ in 0..<300 { run() }
        // Leaked descriptors or threads would be hundreds; their number varies with the tests that run at the same time.
        try await eventually {
            let next = dup(0)
            defer { close(next) }
            return next < 300
        }
    }
}
