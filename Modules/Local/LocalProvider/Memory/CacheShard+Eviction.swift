extension CacheShard {
    /// The next entry to be evicted, or retained if it was used.
    @usableFromInline
    struct Candidate {
        @usableFromInline let isSmalls: Bool
        @usableFromInline let turn: CacheQueue.Turn
        /// The turn in the form in which the entry stores it.
        @usableFromInline let mark: UInt32
        /// The probable slot of the entry, and the head that was there.
        @usableFromInline let home: Table.Place
        @usableFromInline let head: CacheHead

        @inlinable
        init(isSmalls: Bool, turn: CacheQueue.Turn, mark: UInt32, home: Table.Place) {
            self.isSmalls = isSmalls
            self.turn = turn
            self.mark = mark
            self.home = home
            head = home.head
        }
    }

    /// Returns the next candidate; there must be an entry.
    @inlinable
    @inline(__always)
    mutating func candidate() -> Candidate {
        let isSmalls =
            small.count > 0
            && (main.count == 0 || small.count &* 10 >= count || (costLimit < .max && small.cost > cost / 10))
        let number = isSmalls ? small.first() : main.first()
        let turn = isSmalls ? small.turns[number & small.mask] : main.turns[number & main.mask]
        return Candidate(
            isSmalls: isSmalls,
            turn: turn,
            mark: CacheHead.turn(CacheQueue.ticket(number), isMain: !isSmalls),
            home: table.home(of: turn.hash)
        )
    }

    /// Evicts a candidate, or moves it to the end of the main queue if it was used.
    ///
    /// - Returns: the slot that is empty now; `nil` if the entry was retained.
    @inlinable
    @inline(__always)
    mutating func evict(_ candidate: Candidate, _ released: inout Released) -> Table.Place? {
        let turn = candidate.turn
        let isHome = candidate.head.has(turn.hash, candidate.mark)
        let place = isHome ? candidate.home : table.find(turn.hash, candidate.mark)
        if candidate.isSmalls { small.removeFirst() } else { main.removeFirst() }
        let frequency = isHome ? candidate.head.frequency : place.head.frequency
        guard frequency > 0 else {
            if candidate.isSmalls { ghosts.insert(turn.hash, capacity: count &+ 1) }
            statistics.evictions &+= 1
            let (value, vacancy) = table.remove(place)
            released.keep(value)
            return vacancy
        }
        let ticket = main.append(turn.hash, cost: turn.cost)
        place.pointee.head.setTurn(
            CacheHead.turn(ticket, isMain: true),
            frequency: candidate.isSmalls ? 0 : frequency &- 1
        )
        return nil
    }

    /// Evicts one value; there must be one.
    mutating func evict(_ released: inout Released) {
        while evict(candidate(), &released) == nil {}
    }

    /// Removes the next entry, used or not, and returns its value; there must be one.
    mutating func removeFirst() -> Value {
        let candidate = candidate()
        if candidate.isSmalls { small.removeFirst() } else { main.removeFirst() }
        return table.remove(table.find(candidate.turn.hash, candidate.mark)).value
    }

    /// Evicted values, to be destroyed after the lock is released: their destruction may run any code.
    @usableFromInline
    struct Released: ~Copyable {
        @usableFromInline var first: Value?
        /// Rarely used, and not an array here, whose reference would be counted each time.
        @usableFromInline var others: ReleasedValues<Value>?

        @inlinable init() {}

        @inlinable
        mutating func keep(_ value: consuming Value) {
            if first == nil { first = value } else { keepAnother(value) }
        }

        @inlinable
        @inline(never)
        mutating func keepAnother(_ value: Value) {
            let others = others ?? ReleasedValues()
            self.others = others
            others.values.append(value)
        }
    }
}
