import HTTPTransport

/// Waiting exchanges by the time at which each has to be looked at, the earliest first: a binary heap from which any
/// member can be taken out, for each knows its place.
struct DeadlineHeap {
    private var members: [(time: Nanoseconds, exchange: CurlExchange)] = []

    /// The earliest time; the end of all times when there is none.
    var earliest: Nanoseconds { members.first?.time ?? .max }

    /// Puts an exchange in, which must not be in already.
    mutating func insert(_ exchange: CurlExchange, at time: Nanoseconds) {
        exchange.heapIndex = members.count
        members.append((time, exchange))
        rise(members.count - 1)
    }

    /// Takes an exchange out; nothing happens where it is not in.
    mutating func remove(_ exchange: CurlExchange) {
        let index = exchange.heapIndex
        guard index >= 0 else { return }
        exchange.heapIndex = -1
        let last = members.removeLast()
        guard index < members.count else { return }
        members[index] = last
        last.exchange.heapIndex = index
        sink(index)
        rise(index)
    }

    /// Takes the earliest out if its time has come.
    mutating func takeFirst(until now: Nanoseconds) -> CurlExchange? {
        guard let first = members.first, first.time <= now else { return nil }
        remove(first.exchange)
        return first.exchange
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0, members[index].time < members[(index - 1) / 2].time {
            swap(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
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
