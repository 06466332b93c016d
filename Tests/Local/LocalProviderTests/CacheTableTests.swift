import TestSupport
import Testing
import Threading

@testable import LocalProvider

@Suite("A cache's table and queues")
struct CacheTableTests {
    /// A key whose hash has as few values as requested.
    private struct Key: Hashable {
        let number: Int
        let hashes: Int

        func hash(into hasher: inout Hasher) { hasher.combine(number % hashes) }
    }

    @Test(
        "Every value is found or removed, with its deadline, however many keys share a hash",
        arguments: CachePolicy.allCases,
        [1, 7, 1_000]
    )
    func collisions(policy: CachePolicy, hashes: Int) {
        var generator = SeededGenerator()
        let time = Locked<UInt64>(1)
        var options = MemoryCache<Key, String>.Options(costLimit: 600)
        options.policy = policy
        options.now = { time.withLock { $0 } }
        let cache = MemoryCache<Key, String>(options)
        var model: [Int: (value: String, cost: Int, deadline: UInt64)] = [:]
        for step in 0..<(isLongRun ? 200_000 : 12_000) {
            let now = time.withLock { time in
                if step % 10 == 0 { time += 1 }
                return time
            }
            let number = Int.random(in: 0..<450, using: &generator)
            let key = Key(number: number, hashes: hashes)
            let known = model[number].flatMap { $0.deadline > now ? $0.value : nil }
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                let removed = cache.removeValue(for: key)
                #expect(removed == nil || removed == known, "seed \(generator.seed)")
                model[number] = nil
            case 1 where step % 100 == 0:
                cache.removeExpired()
            case 1...4:
                let cost = Int.random(in: 0...4, using: &generator)
                // Two in three do not expire.
                let life = max(0, Int64.random(in: -400...200, using: &generator))
                let expiry = life == 0 ? CacheExpiry.never : CacheExpiry(afterWrite: .nanoseconds(life))
                #expect(cache.set("value \(step)", for: key, cost: cost, expiry: expiry))
                model[number] = ("value \(step)", cost, life == 0 ? .max : now + UInt64(life))
                #expect(cache.value(for: key) == "value \(step)", "seed \(generator.seed)")
            default:
                let value = cache.value(for: key)
                #expect(value == nil || value == known, "seed \(generator.seed)")
            }
            #expect(cache.totalCost <= 600)
        }
        cache.removeExpired()
        let keys = cache.keys
        #expect(keys.count == cache.count && Set(keys).count == keys.count)
        #expect(keys.reduce(0) { $0 + (model[$1.number]?.cost ?? .min / 2) } == cache.totalCost)
        #expect(keys.allSatisfy { cache.value(for: $0) == model[$0.number]?.value }, "seed \(generator.seed)")
    }

    @Test("A queue has its order and stays short when entries are removed out of turn")
    func queue() {
        var generator = SeededGenerator()
        var queue = CacheQueue()
        defer { queue.free() }
        var model: [(hash: UInt32, ticket: UInt32, cost: Int)] = []
        var most = 0
        for step in 0..<(isLongRun ? 200_000 : 20_000) {
            // Now it fills, now it empties.
            let isFilling = step / 2_000 % 2 == 0
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<(isFilling ? 8 : 2):
                let (hash, cost) = (UInt32(step), step % 7)
                model.append((hash, queue.append(hash, cost: cost), cost))
            case 5..<7 where !model.isEmpty:
                let number = queue.first()
                let first = model.removeFirst()
                #expect(CacheQueue.ticket(number) == first.ticket, "seed \(generator.seed)")
                #expect(queue.turns[number & queue.mask].hash == first.hash)
                queue.removeFirst()
            case 7... where !model.isEmpty:
                let left = model.remove(at: Int.random(in: 0..<model.count, using: &generator))
                queue.remove(left.ticket)
                guard queue.isLoose else { break }
                queue.close { hash, ticket, fresh in
                    let index = model.firstIndex { $0.ticket == ticket }
                    #expect(index.map { model[$0].hash } == hash, "seed \(generator.seed)")
                    if let index { model[index].ticket = fresh }
                }
            default:
                break
            }
            most = max(most, model.count)
            // In a long run the queue fills more than it empties.
            #expect(queue.count == model.count && queue.mask < (isLongRun ? 4 * most + 256 : 8_192))
            if step % 50 == 0 { #expect(queue.cost == model.reduce(0) { $0 + $1.cost }) }
        }
        for left in model {
            #expect(CacheQueue.ticket(queue.first()) == left.ticket, "seed \(generator.seed)")
            queue.removeFirst()
        }
    }

    @Test("A queue does not grow when entries move to its end again and again")
    func lastingQueue() {
        var options = MemoryCache<Int, Int>.Options(countLimit: 1_000)
        options.policy = .leastRecentlyUsed
        let cache = MemoryCache<Int, Int>(options)
        for key in 0..<1_000 { cache.set(key, for: key) }
        for step in 0..<100_000 { #expect(cache.value(for: step &* 7_919 % 999) != nil) }
        #expect(cache.shards[0].withLock { $0.main.mask } < 4_096)
        // The value that was not read is evicted first.
        cache.set(0, for: -1)
        #expect(!cache.contains(999) && cache.count == 1_000)
    }

    @Test("Probing passes the end of the table and moves entries back")
    func wrapping() {
        var table = CacheTable<Int, Int>(size: 16)
        defer { table.destroy() }
        func insert(_ key: Int, _ hash: UInt32) {
            let place = table.vacancy(for: hash)
            place.initialize(to: CacheEntry(head: CacheHead(hash: hash, mark: 16), key: key, value: key))
        }
        // Four whose home is the last place, two at home in the first ones.
        for key in 0..<4 { insert(key, .max - UInt32(key)) }
        insert(4, 0)
        insert(5, 1 << 28)
        for key in [0, 2] {
            let (isFound, place) = table.find(key, .max - UInt32(key))
            #expect(isFound && table.remove(place).value == key)
        }
        let left: [(key: Int, hash: UInt32)] = [(1, .max - 1), (3, .max - 3), (4, 0), (5, 1 << 28)]
        for (key, hash) in left { #expect(table.find(key, hash).isFound) }
        #expect(table.find(1, .max - 1).place == table.end - 1)
        #expect(table.find(3, .max - 3).place == table.entries)
        #expect(table.find(5, 1 << 28).place == table.entries + 2)
        #expect(!table.find(0, .max).isFound && !table.find(2, .max - 2).isFound)
    }
}
