extension CacheShard {
    /// The value for a key, counted as asked for.
    @inlinable
    mutating func value(for key: Key, _ hash: UInt32, now: () -> UInt64, released: inout Released) -> Value? {
        guard let (slot, number) = find(key, hash) else {
            statistics.misses &+= 1
            return nil
        }
        let entry = entries + number
        if entry.pointee.deadline != 0, hasExpired(entry, now: now(), slot: slot, number: number, &released) {
            statistics.misses &+= 1
            return nil
        }
        statistics.hits &+= 1
        noteUse(entry, number)
        return entry.pointee.value
    }

    @inlinable
    mutating func noteUse(_ entry: UnsafeMutablePointer<Entry>, _ number: Int) {
        if isLRU {
            guard main.tail != UInt32(number) else { return }
            unlink(entry, &main)
            append(number, toMain: true)
        } else if entry.pointee.frequency < 3 {
            // A store only while there is something to store: a hot entry's line stays clean.
            entry.pointee.frequency &+= 1
        }
    }

    /// Removes an expired entry and says so; else sets its next deadline, where an access moves that.
    @usableFromInline
    mutating func hasExpired(
        _ entry: UnsafeMutablePointer<Entry>,
        now: UInt64,
        slot: Int,
        number: Int,
        _ released: inout Released
    ) -> Bool {
        guard entry.pointee.deadline > now else {
            statistics.expirations &+= 1
            released.keep(remove(number, slot: slot))
            return true
        }
        if entry.pointee.idle != 0 {
            // Two ends at once: the nearer one stands, and writing set the farther one apart.
            entry.pointee.deadline = min(now &+ entry.pointee.idle, entry.pointee.limit)
        }
        return false
    }

    /// Sets a value, and lets others go where the limits ask for it.
    ///
    /// - Returns: whether it was kept: one whose cost alone is above the limit is not.
    @inlinable
    mutating func set(
        _ value: Value,
        for key: Key,
        _ hash: UInt32,
        cost: Int,
        life: CacheLife,
        released: inout Released
    ) -> Bool {
        var toMain = isLRU
        if let (slot, number) = find(key, hash) {
            let entry = entries + number
            if cost <= costLimit, self.cost &- entry.pointee.cost &+ cost <= costLimit {
                unlinkedCostChange(entry, cost)
                swap(&entry.pointee.value, &released.first, with: value)
                entry.pointee.deadline = life.deadline
                entry.pointee.idle = life.idle
                entry.pointee.limit = life.limit
                noteUse(entry, number)
                return true
            }
            // Room must be made, and not by this value's going: it comes anew, as one that has proved itself.
            released.keep(remove(number, slot: slot))
            toMain = true
        } else if !toMain {
            toMain = ghosts.take(hash, capacity: count)
        }
        guard cost <= costLimit, countLimit > 0 else { return false }
        while count >= countLimit || self.cost > costLimit &- cost { evict(&released) }
        insert(key, value, hash, cost, life, toMain: toMain)
        return true
    }

    @inlinable
    mutating func insert(_ key: Key, _ value: Value, _ hash: UInt32, _ cost: Int, _ life: CacheLife, toMain: Bool) {
        let number: Int
        if let place = free.popLast() {
            number = Int(place)
        } else {
            if used == capacity { grow() }
            number = used
            used &+= 1
        }
        (entries + number).initialize(to: Entry(key: key, value: value, hash: hash, cost: cost, life: life))
        enter(hash, number)
        append(number, toMain: toMain)
    }

    @inlinable
    mutating func unlinkedCostChange(_ entry: UnsafeMutablePointer<Entry>, _ cost: Int) {
        let difference = cost &- entry.pointee.cost
        if entry.pointee.isMain { main.cost &+= difference } else { small.cost &+= difference }
        entry.pointee.cost = cost
    }

    @inlinable
    func swap(_ place: inout Value, _ old: inout Value?, with value: Value) {
        old = place
        place = value
    }

    /// Takes an entry out and returns its value.
    @inlinable
    mutating func remove(_ number: Int, slot: Int) -> Value {
        unlink(number)
        clear(slot)
        free.append(UInt32(number))
        return (entries + number).move().value
    }

    /// Lets one value go.
    @inlinable
    mutating func evict(_ released: inout Released) {
        while true {
            let isSmallsTurn =
                main.count == 0
                || (!isLRU && (small.count &* 10 >= count || (costLimit < .max && small.cost > cost / 10)))
            if isSmallsTurn, small.count > 0 {
                let number = Int(small.head)
                if entries[number].frequency > 0 {
                    unlink(number)
                    entries[number].frequency = 0
                    append(number, toMain: true)
                    continue
                }
                ghosts.insert(entries[number].hash, capacity: count)
                return letGo(number, &released)
            }
            let number = Int(main.head)
            if !isLRU, entries[number].frequency > 0 {
                unlink(number)
                entries[number].frequency &-= 1
                append(number, toMain: true)
                continue
            }
            return letGo(number, &released)
        }
    }

    @inlinable
    mutating func letGo(_ number: Int, _ released: inout Released) {
        statistics.evictions &+= 1
        released.keep(remove(number, slot: slot(of: number)))
    }

    /// Values that left, to be destroyed after the lock is given back: their destruction may run anybody's code.
    @usableFromInline
    struct Released: Sendable {
        @usableFromInline var first: Value?
        @usableFromInline var others: [Value] = []

        @inlinable init() {}

        @inlinable
        mutating func keep(_ value: Value) {
            if first == nil { first = value } else { others.append(value) }
        }
    }
}
