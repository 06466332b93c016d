import Foundation
import TestSupport
import Testing
import Threading

@testable import LocalProvider

@Suite("Memory cache")
struct MemoryCacheTests {
    private typealias Cache = MemoryCache<Int, Int>

    private func cache(_ count: Int?, cost: Int? = nil, _ policy: CachePolicy = .s3FIFO, shards: Int = 1) -> Cache {
        var options = Cache.Options(countLimit: count, costLimit: cost)
        options.policy = policy
        options.shards = shards
        return Cache(options)
    }

    /// Counts its instances.
    private final class Counted: Sendable {
        private let count: Locked<Int>

        init(_ count: Locked<Int>) {
            self.count = count
            count.withLock { $0 += 1 }
        }

        deinit { count.withLock { $0 -= 1 } }
    }

    @Test("An evicted value is released, however many are evicted at once", arguments: CachePolicy.allCases, [1, 10])
    func letGo(policy: CachePolicy, cost: Int) {
        let count = Locked(0)
        var options = MemoryCache<Int, Counted>.Options(costLimit: 100)
        options.policy = policy
        options.shards = 1
        let cache = MemoryCache<Int, Counted>(options)
        for key in 0..<100 { cache.set(Counted(count), for: key, cost: 1) }
        for key in 100..<120 { cache.set(Counted(count), for: key, cost: cost) }
        #expect(count.withLock { $0 } == cache.count)
        cache.set(Counted(count), for: 200, cost: 100)
        #expect(cache.count <= 1 && count.withLock { $0 } == cache.count)
        cache.removeAll()
        #expect(count.withLock { $0 } == 0)
    }

    /// Uses its cache while it is destroyed, and counts its instances.
    private final class Reentrant: Sendable {
        private let cache: MemoryCache<Int, Reentrant>
        private let count: Locked<Int>

        init(_ cache: MemoryCache<Int, Reentrant>, _ count: Locked<Int>) {
            (self.cache, self.count) = (cache, count)
            count.withLock { $0 += 1 }
        }

        deinit {
            _ = cache.value(for: 0)
            count.withLock { $0 -= 1 }
        }
    }

    @Test("The destruction of a value may use the cache, however it was removed", arguments: CachePolicy.allCases)
    func reentrantDestruction(policy: CachePolicy) async throws {
        let (time, count, removed) = (Locked<UInt64>(1), Locked(0), Locked(0))
        var options = MemoryCache<Int, Reentrant>.Options(countLimit: 2)
        options.policy = policy
        options.expiry = CacheExpiry(afterWrite: .nanoseconds(10))
        options.now = { time.withLock { $0 } }
        let cache = MemoryCache<Int, Reentrant>(options)
        let set = { @Sendable key in _ = cache.set(Reentrant(cache, count), for: key) }
        let expire = { @Sendable in time.withLock { $0 += 10 } }
        let removals: [@Sendable () -> Void] = [
            { cache.removeValue(for: 1) }, { cache.removeAll() }, { cache.trim(keeping: 0) },
            { set(1) }, { for key in 2...4 { set(key) } },
            {
                expire()
                cache.removeValue(for: 1)
            },
            {
                expire()
                _ = cache.value(for: 1)
            },
            {
                expire()
                cache.removeExpired()
            },
        ]
        // On another thread, which a value that is destroyed under the lock would stop for ever.
        Thread.detachNewThread {
            for removal in removals {
                set(1)
                removal()
                removed.withLock { $0 += 1 }
            }
            cache.removeAll()
            removed.withLock { $0 += 1 }
        }
        try await eventually(within: .seconds(20)) { removed.withLock { $0 } == removals.count + 1 }
        #expect(count.withLock { $0 } == 0)
    }

    @Test("A strict LRU evicts exactly the least recently used value in random use", arguments: [1, 20, 300])
    func strictLRU(capacity: Int) {
        var generator = SeededGenerator()
        let cache = cache(capacity, .leastRecentlyUsed)
        var model: [(key: Int, value: Int)] = []
        for step in 0..<(isLongRun ? 100_000 : 8_000) {
            let key = Int.random(in: 0..<capacity * 2, using: &generator)
            let index = model.firstIndex { $0.key == key }
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                #expect(cache.removeValue(for: key) == index.map { model.remove(at: $0).value })
            case 1, 2:
                cache.set(step, for: key)
                if let index { model.remove(at: index) }
                model.append((key, step))
                if model.count > capacity { model.removeFirst() }
            default:
                #expect(cache.value(for: key) == index.map { model[$0].value }, "seed \(generator.seed)")
                if let index { model.append(model.remove(at: index)) }
            }
            #expect(cache.count == model.count)
        }
        #expect(Set(cache.keys) == Set(model.map(\.key)))
    }

    @Test("Count and cost are exact and never above their limits", arguments: CachePolicy.allCases, [1, 4])
    func limits(policy: CachePolicy, shards: Int) {
        var generator = SeededGenerator()
        let cache = cache(50, cost: 1_000, policy, shards: shards)
        var costs: [Int: Int] = [:]
        for step in 0..<(isLongRun ? 100_000 : 8_000) {
            let key = Int.random(in: 0..<200, using: &generator)
            if Bool.random(using: &generator) {
                let cost = Int.random(in: 0...(step % 50 == 0 ? 1_200 : 40), using: &generator)
                let isKept = cache.set(step, for: key, cost: cost)
                #expect(isKept || cost > 1_000 / shards)
                #expect(cache.contains(key) == isKept)
                costs[key] = cost
            } else {
                _ = cache.value(for: key)
            }
            #expect(cache.count <= 50 && cache.totalCost <= 1_000, "seed \(generator.seed)")
        }
        let keys = cache.keys
        #expect(keys.count == cache.count && Set(keys).count == keys.count)
        #expect(keys.reduce(0) { $0 + (costs[$1] ?? .min / 2) } == cache.totalCost)
    }

    @Test("S3-FIFO retains used values in a scan that would empty an LRU")
    func scanResistance() {
        for (policy, survives) in [(CachePolicy.s3FIFO, true), (.leastRecentlyUsed, false)] {
            let cache = cache(100, policy)
            for key in 0..<50 { cache.set(key, for: key) }
            for _ in 0..<3 { for key in 0..<50 { _ = cache.value(for: key) } }
            for key in 1_000..<2_000 { cache.set(key, for: key) }
            #expect((0..<50).allSatisfy { cache.contains($0) } == survives)
        }
    }

    @Test("S3-FIFO evicts from the small queue while it has a tenth, and keeps what is used or comes again")
    func queues() {
        // Of ten, nine were used. The small queue then has exactly a tenth, from which the next one is evicted.
        let ten = cache(10)
        for key in 1...10 { ten.set(key, for: key) }
        for key in 1...9 { _ = ten.value(for: key) }
        for key in 11...12 { ten.set(key, for: key) }
        #expect(Set(ten.keys) == Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 12]))
        // Of twenty it has less: the oldest of the used ones goes, however often it was used before.
        let twenty = cache(20)
        for key in 1...20 { twenty.set(key, for: key) }
        for key in [1] + Array(1...19) { _ = twenty.value(for: key) }
        for key in 21...22 { twenty.set(key, for: key) }
        #expect(!twenty.contains(1) && twenty.contains(2))
        // What comes again soon after its eviction is no part of a scan.
        let again = cache(10)
        for key in Array(1...11) + [1] + Array(100...130) { again.set(key, for: key) }
        #expect(again.contains(1) && !again.contains(2))
    }

    @Test("S3-FIFO hits nine points more often than LRU on a Zipf 0.9 trace")
    func hitRatio() {
        var generator = SeededGenerator(seed: 42)
        let trace = ZipfTrace(count: 100_000, exponent: 0.9)
        var ratios: [CachePolicy: Double] = [:]
        let keys = (0..<200_000).map { _ in trace.next(&generator) }
        for policy in CachePolicy.allCases {
            let cache = cache(1_000, policy)
            for key in keys where cache.value(for: key) == nil { cache.set(key, for: key) }
            ratios[policy] = cache.statistics.hitRatio
        }
        #expect((ratios[.s3FIFO] ?? 0) >= (ratios[.leastRecentlyUsed] ?? 1) + 0.09, "\(ratios)")
    }

    @Test("A cache is created with its limits and the time to live")
    func shortForm() {
        let cache = MemoryCache<Int, Int>(countLimit: 2, costLimit: 5)
        for key in 1...3 { cache.set(key, for: key, cost: 2) }
        #expect(cache.count == 2 && cache.statistics.evictions == 1)
        cache.set(4, for: 4, cost: 5)
        #expect(cache.count == 1)
        // The clock has a later time when the value is read.
        let brief = MemoryCache<Int, Int>(countLimit: 2, ttl: .nanoseconds(1))
        brief.set(1, for: 1)
        #expect(brief.value(for: 1) == nil)
        let lasting = MemoryCache<Int, Int>(countLimit: 2, ttl: .seconds(1_000))
        lasting.set(1, for: 1)
        #expect(lasting.value(for: 1) == 1)
    }

    @Test("Values expire after writing and after access, by the given clock")
    func expiry() {
        let time = Locked<UInt64>(1_000_000_000)
        func advance(_ seconds: UInt64) { time.withLock { $0 += seconds * 1_000_000_000 } }
        var options = Cache.Options(countLimit: 10)
        options.now = { time.withLock { $0 } }
        options.expiry = CacheExpiry(afterWrite: .seconds(10))
        let cache = Cache(options)
        cache.set(1, for: 1)
        cache.set(2, for: 2, expiry: .never)
        cache.set(3, for: 3, expiry: CacheExpiry(afterAccess: .seconds(6)))
        cache.set(4, for: 4, expiry: CacheExpiry(afterWrite: .seconds(8), afterAccess: .seconds(6)))
        advance(5)
        #expect((1...4).map { cache.value(for: $0) } == [1, 2, 3, 4])
        advance(4)
        #expect((1...4).map { cache.value(for: $0) } == [1, 2, 3, nil])
        advance(1)
        #expect((1...4).map { cache.contains($0) } == [false, true, true, false])
        #expect(cache.count == 3)
        cache.removeExpired()
        #expect(cache.count == 2 && cache.keys.sorted() == [2, 3])
        advance(100)
        #expect((1...4).map { cache.value(for: $0) } == [nil, 2, nil, nil])
        #expect(cache.statistics.expirations == 3)
        cache.set(5, for: 5, expiry: CacheExpiry(afterWrite: .seconds(10)))
        cache.set(6, for: 5, expiry: CacheExpiry(afterWrite: .seconds(50)))
        advance(20)
        #expect(cache.value(for: 5) == 6)
        cache.set(7, for: 5, expiry: CacheExpiry(afterWrite: .seconds(10)))
        advance(20)
        #expect(cache.value(for: 5) == nil)
    }

    @Test("Statistics count hits, misses and evictions")
    func statistics() {
        let cache = cache(2, .leastRecentlyUsed)
        for key in 0..<3 { cache.set(key, for: key) }
        _ = cache.value(for: 0)
        _ = cache.value(for: 2)
        let statistics = cache.statistics
        #expect(statistics.hits == 1 && statistics.misses == 1 && statistics.evictions == 1)
        #expect(statistics.hitRatio == 0.5)
    }

    @Test(
        "Trimming retains the requested share, and removing all values releases them",
        arguments: CachePolicy.allCases
    )
    func trims(policy: CachePolicy) {
        let alive = Locked(0)
        var options = MemoryCache<Int, Counted>.Options(countLimit: 1_000)
        options.policy = policy
        do {
            let cache = MemoryCache<Int, Counted>(options)
            for key in 0..<1_500 { cache.set(Counted(alive), for: key) }
            #expect(alive.withLock { $0 } == 1_000)
            cache.trim(keeping: 0.25)
            #expect(cache.count == 250 && alive.withLock { $0 } == 250)
            cache.removeAll()
            #expect(alive.withLock { $0 } == 0 && cache.totalCost == 0)
            for key in 0..<10 { cache.set(Counted(alive), for: key) }
        }
        #expect(alive.withLock { $0 } == 0)
    }

    @Test("Concurrent tasks read only intact values")
    func threads() async {
        var options = MemoryCache<Int, [Int]>.Options(countLimit: 63)
        options.shards = 4
        let cache = MemoryCache<Int, [Int]>(options)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for step in 0..<5_000 {
                        let key = (step &* 31 &+ task) % 128
                        if step % 3 == 0 { cache.set([key, step, key], for: key, cost: step % 7) }
                        if let value = cache.value(for: key) { #expect(value[0] == key && value[2] == key) }
                        if step % 101 == 0 { cache.removeValue(for: key) }
                    }
                }
            }
        }
        #expect(cache.count <= 63)
        // The limits of the four parts add up to that of the cache.
        for key in 0..<1_000 { cache.set([key], for: key) }
        #expect(cache.count == 63)
    }
}
