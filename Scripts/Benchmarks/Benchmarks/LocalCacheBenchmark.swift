import Foundation
import LocalProvider
import TestSupport

/// The memory cache beside a dictionary behind a lock, beside NSCache, and its policies beside each other.
struct LocalCacheBenchmark: Benchmark {
    let area = "local"
    let summary = "the memory cache against a dictionary behind a lock, NSCache and LRU"

    /// Insertions into full caches of several sizes and costs, and look-ups.
    let workloads = [
        Self.evicting("local.evict", entries: 30_000, cost: 1),
        Self.evicting("local.evict-few", entries: 3_000, cost: 1),
        Self.evicting("local.evict-many", entries: 300_000, cost: 1),
        Self.evicting("local.evict-costly", entries: 3_000, cost: 1_000),
        Workload(name: "local.get") { iterations in
            let keys = (0..<1_000_000).map { "key-\($0)" }
            let cache = MemoryCache<String, Int>(.init(countLimit: 2_000_000))
            for (number, key) in keys.enumerated() { cache.set(number, for: key) }
            for number in 0..<iterations { blackHole(cache.value(for: keys[number &* 7_919 % keys.count])) }
        },
    ]

    private static func evicting(_ name: String, entries: Int, cost: Int) -> Workload {
        Workload(name: name) { iterations in
            let cache = MemoryCache<Int, Int>(.init(costLimit: entries * cost))
            for number in 0..<(entries + iterations) { cache.set(number, for: number, cost: cost) }
        }
    }

    func run() async throws -> [BenchmarkRow] {
        try [1_000, 100_000, 1_000_000].map(get) + [evictingInsert()] + constantTime()
            + [false, true].flatMap(hitRatio)
    }

    /// Instructions, which no busy machine changes. The seeds of the hashes move either side by up to a half from run to
    /// run; an insertion that looked at its neighbours would take a hundred or a thousand times as many.
    private func constantTime() throws -> [BenchmarkRow] {
        let counter = InstructionCounter()
        let few = try counter.instructions(of: "local.evict-few")
        let basis = few.map { "3,000 entries of cost 1: \($0.brief) instructions" }
        let against = basis ?? "valgrind: not installed"
        let workloads = [("100 times the entries", "many"), ("1,000 times the cost", "costly")]
        return try workloads.map { what, workload in
            let more = try counter.instructions(of: "local.evict-\(workload)")
            let value: Double? = if let few, let more { more / few } else { nil }
            let name = "evicting insert at \(what)"
            return row(name, value, "x instructions", atMost: 2, against: against)
        }
    }

    private func get(count: Int) throws -> BenchmarkRow {
        let keys = (0..<count).map { "key-\($0)" }.shuffled()
        let asked = Array(keys.shuffled().prefix(100_000))
        let cache = MemoryCache<String, Int>(.init(countLimit: count * 2))
        let dictionary = LockedDictionary()
        for (number, key) in keys.enumerated() {
            cache.set(number, for: key)
            dictionary.set(number, for: key)
        }
        let rounds = max(1, 100_000 / asked.count)
        let timings = try interleaved(
            rounds: 9,
            [
                { for _ in 0..<rounds { for key in asked { blackHole(cache.value(for: key)) } } },
                { for _ in 0..<rounds { for key in asked { blackHole(dictionary.value(for: key)) } } },
            ]
        )
        let nanoseconds = timings[1].cpu * 1e9 / Double(rounds * asked.count)
        let name = "cache get at \(count) entries"
        let against = "Dictionary behind a lock: \(nanoseconds.brief) ns"
        let value = timings[0].cpu / timings[1].cpu
        return row(name, value, "x time", atMost: count > 100_000 ? 1.3 : 1, against: against)
    }

    private func evictingInsert() throws -> BenchmarkRow {
        let count = 30_000
        let values = (0..<count * 2).map { NSNumber(value: $0) }
        let keys = (0..<count * 2).map { "key-\($0)" }
        let names = keys.map { NSString(string: $0) }
        let theirs = NSCache<NSString, NSNumber>()
        theirs.totalCostLimit = count
        let ours = MemoryCache<String, Int>(.init(costLimit: count))
        for number in 0..<count {
            theirs.setObject(values[number], forKey: names[number], cost: 1)
            ours.set(number, for: keys[number], cost: 1)
        }
        var next = (0, 0)
        let timings = try interleaved(
            rounds: 5,
            [
                {
                    for _ in 0..<20_000 {
                        next.0 += 1
                        ours.set(next.0, for: keys[(count + next.0) % keys.count], cost: 1)
                    }
                },
                {
                    for _ in 0..<200 {
                        next.1 += 1
                        let number = (count + next.1) % keys.count
                        theirs.setObject(values[number], forKey: names[number], cost: 1)
                    }
                },
            ]
        )
        let (mine, other) = (timings[0].cpu / 20_000, timings[1].cpu / 200)
        let name = "evicting insert with cost at 30,000 entries"
        let against = "NSCache: \((other * 1e9).brief) ns; here \((mine * 1e9).brief) ns"
        return row(name, other / mine, "x faster", atLeast: 20, against: against)
    }

    private func hitRatio(scans: Bool) -> [BenchmarkRow] {
        let keys = Self.trace(scans: scans)
        return [1_000, 10_000].map { capacity in
            let ratios = [CachePolicy.s3FIFO, .leastRecentlyUsed].map { policy in
                var options = MemoryCache<Int, Int>.Options(countLimit: capacity)
                options.policy = policy
                options.shards = 1
                let cache = MemoryCache<Int, Int>(options)
                for key in keys where cache.value(for: key) == nil { cache.set(key, for: key) }
                return cache.statistics.hitRatio * 100
            }
            let best = OptimalCache.hitRatio(keys, capacity: capacity) * 100
            let name = "hit ratio at \(capacity) of 100,000, Zipf 0.9" + (scans ? " with 25 % scans" : "")
            let against = "LRU \(ratios[1].brief) %; S3-FIFO \(ratios[0].brief) %; optimum \(best.brief) %"
            let value = ratios[0] - ratios[1]
            return row(name, value, "points", atLeast: capacity == 1_000 ? 9 : nil, against: against)
        }
    }

    /// Keys as Zipf's law has them, with or without one in four that never comes again.
    private static func trace(scans: Bool) -> [Int] {
        var generator = SystemRandomNumberGenerator()
        let trace = ZipfTrace(count: 100_000, exponent: 0.9)
        var keys: [Int] = []
        for step in 0..<300_000 {
            keys.append(trace.next(&generator))
            if scans, step % 3 == 0 { keys.append(1_000_000 + step) }
        }
        return keys
    }
}

/// What people write first: a dictionary and a lock.
private final class LockedDictionary: @unchecked Sendable {
    private var values: [String: Int] = [:]
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func value(for key: String) -> Int? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return values[key]
    }

    func set(_ value: Int, for key: String) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        values[key] = value
    }
}
