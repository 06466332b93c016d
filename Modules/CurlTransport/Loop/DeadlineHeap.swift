import HTTPTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The waiting exchanges ordered by deadline: a binary heap from which any member can be removed, because each exchange
/// stores its index.
struct DeadlineHeap {
    private var members: [(time: Nanoseconds, exchange: CurlExchange)] = []

    /// The earliest deadline; `.max` if empty.
    var earliest: Nanoseconds { members.first?.time ?? .max }

    /// Inserts an exchange, which must not be a member.
    mutating func insert(_ exchange: CurlExchange, at time: Nanoseconds) {
        exchange.heapIndex = members.count
        members.append((time, exchange))
        siftUp(members.count - 1)
    }

    /// Removes an exchange if it is a member.
    mutating func remove(_ exchange: CurlExchange) {
        let index = exchange.heapIndex
        guard index >= 0 else { return }
        exchange.heapIndex = -1
        let last = members.removeLast()
        guard index < members.count else { return }
        members[index] = last
        last.exchange.heapIndex = index
        siftDown(index)
        siftUp(index)
    }

    /// Removes and returns the first exchange if its deadline has passed.
    mutating func removeFirst(until now: Nanoseconds) -> CurlExchange? {
        guard let first = members.first, first.time <= now else { return nil }
        remove(first.exchange)
        return first.exchange
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0, members[index].time < members[(index - 1) / 2].time {
            swap(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < members.count && members[child].time < members[least].time {
                least = child
            }
            guard least != index else { return }
            swap(index, least)
            index = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        members.swapAt(left, right)
        members[left].exchange.heapIndex = left
        members[right].exchange.heapIndex = right
    }
}

// MARK: - Time

/// A time of the monotonic clock, or a duration, in nanoseconds: a plain integer, since it is read for every packet.
typealias Nanoseconds = Int64

/// The monotonic clock.
enum MonotonicTime {
    static var now: Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Nanoseconds(time.tv_sec) * 1_000_000_000 + Nanoseconds(time.tv_nsec)
    }
}

extension Duration {
    /// The duration in nanoseconds, limited to a year, so that sums never overflow.
    var nanoseconds: Nanoseconds {
        let year: Int64 = 366 * 86_400
        let (seconds, attoseconds) = components
        if seconds >= year { return year * 1_000_000_000 }
        if seconds < 0 { return 0 }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
