/// The cache that knows what comes: of all that it holds, it lets go what is asked for last (Belady, "A study of replacement
/// algorithms for a virtual-storage computer", 1966). No policy hits more often.
enum OptimalCache {
    /// How often it hits, from 0 to 1.
    static func hitRatio(_ keys: [Int], capacity: Int) -> Double {
        var next = [Int](repeating: .max, count: keys.count)
        var seen: [Int: Int] = [:]
        for index in keys.indices.reversed() {
            next[index] = seen[keys[index]] ?? .max - index
            seen[keys[index]] = index
        }
        // When each held key is asked for next; the heap may hold older times of it as well, which count no more.
        var held: [Int: Int] = [:]
        var heap = MaxHeap()
        var hits = 0
        for (index, key) in keys.enumerated() {
            if held[key] != nil {
                hits += 1
            } else if held.count == capacity {
                while let last = heap.popMax() {
                    guard held[last.key] == last.time else { continue }
                    held[last.key] = nil
                    break
                }
            }
            held[key] = next[index]
            heap.push((next[index], key))
        }
        return keys.isEmpty ? 0 : Double(hits) / Double(keys.count)
    }

    /// A binary heap with the latest time first.
    private struct MaxHeap {
        private var items: [(time: Int, key: Int)] = []

        mutating func push(_ item: (time: Int, key: Int)) {
            items.append(item)
            var index = items.count - 1
            while index > 0, items[(index - 1) / 2].time < items[index].time {
                items.swapAt(index, (index - 1) / 2)
                index = (index - 1) / 2
            }
        }

        mutating func popMax() -> (time: Int, key: Int)? {
            guard let first = items.first, let last = items.popLast() else { return nil }
            guard !items.isEmpty else { return first }
            items[0] = last
            var index = 0
            while 2 * index + 1 < items.count {
                var child = 2 * index + 1
                if child + 1 < items.count, items[child + 1].time > items[child].time { child += 1 }
                guard items[child].time > items[index].time else { break }
                items.swapAt(index, child)
                index = child
            }
            return first
        }
    }
}
