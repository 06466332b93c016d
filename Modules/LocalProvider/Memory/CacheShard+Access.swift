extension CacheShard {
    /// What a look-up found.
    @usableFromInline
    enum Found: Sendable {
        case value(Value)
        case nothing
        /// A value with a deadline, not looked at yet.
        case expiring
    }

    /// The value for a key, counted as asked for unless it has a deadline.
    @inlinable
    mutating func quickValue(for key: Key, _ hash: UInt32) -> Found {
        guard let (_, number) = find(key, hash) else {
            statistics.misses &+= 1
            return .nothing
        }
        let entry = entries + number
        if entry.pointee.expires { return .expiring }
        statistics.hits &+= 1
        noteUse(number)
        return .value(entry.pointee.value)
    }

    /// The value for a key, counted as asked for; its next deadline is set, where an access moves that.
    @usableFromInline
    mutating func value(for key: Key, _ hash: UInt32, now: () -> UInt64, released: inout Released) -> Value? {
        guard let (slot, number) = find(key, hash) else {
            statistics.misses &+= 1
            return nil
        }
        if entries[number].expires, let lives {
            let time = now()
            guard !lives[number].isOver(at: time) else {
                statistics.expirations &+= 1
                statistics.misses &+= 1
                released.keep(remove(number, slot: slot))
                return nil
            }
            lives[number].noteAccess(at: time)
        }
        statistics.hits &+= 1
        noteUse(number)
        return entries[number].value
    }

    @inlinable
    mutating func noteUse(_ number: Int) {
        if isLRU {
            guard main.tail != UInt32(truncatingIfNeeded: number) else { return }
            main.unlink(number, in: records)
            main.append(number, in: records)
        } else if entries[number].frequency < 3 {
            // A store only while there is something to store: a hot entry's line stays clean.
            entries[number].frequency &+= 1
        }
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
            if cost <= costLimit, self.cost &- records[number].cost &+ cost <= costLimit {
                changeCost(number, cost)
                swap(&entries[number].value, &released.first, with: value)
                setLife(life, of: number)
                noteUse(number)
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
        if free != CacheQueue.none {
            number = Int(free)
            free = records[number].next
        } else {
            if used == capacity { grow() }
            number = used
            used &+= 1
        }
        (entries + number).initialize(to: Entry(key: key, value: value, expires: false))
        (records + number).initialize(to: CacheRecord(hash: hash, cost: cost))
        setLife(life, of: number)
        enter(hash, number)
        append(number, toMain: toMain)
    }

    @inlinable
    mutating func changeCost(_ number: Int, _ cost: Int) {
        let difference = cost &- records[number].cost
        if records[number].isMain { main.cost &+= difference } else { small.cost &+= difference }
        records[number].cost = cost
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
        records[number].next = free
        free = UInt32(truncatingIfNeeded: number)
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
                ghosts.insert(records[number].hash, capacity: count)
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
