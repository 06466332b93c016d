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
        let (isFound, place) = table.find(key, hash)
        guard isFound else {
            statistics.misses &+= 1
            return .nothing
        }
        if place.head.expires { return .expiring }
        statistics.hits &+= 1
        noteUse(place)
        return .value(place.pointee.value)
    }

    /// The value for a key, counted as asked for; its next deadline is set, where an access moves that.
    @usableFromInline
    mutating func value(for key: Key, _ hash: UInt32, now: () -> UInt64, released: inout Released) -> Value? {
        let (isFound, place) = table.find(key, hash)
        guard isFound else {
            statistics.misses &+= 1
            return nil
        }
        if place.head.expires, let lives = table.lives {
            let (time, number) = (now(), place - table.entries)
            guard !lives[number].isOver(at: time) else {
                statistics.expirations &+= 1
                statistics.misses &+= 1
                released.keep(remove(place))
                return nil
            }
            lives[number].noteAccess(at: time)
        }
        statistics.hits &+= 1
        noteUse(place)
        return place.pointee.value
    }

    @inlinable
    mutating func noteUse(_ place: Table.Place) {
        if isLRU {
            moveToEnd(place)
        } else if place.head.frequency < 3 {
            // A store only while there is something to store: a hot entry's line stays clean.
            place.pointee.head.mark &+= 1
        }
    }

    /// Makes an entry of the main queue the last there.
    @inlinable
    mutating func moveToEnd(_ place: Table.Place) {
        let head = place.head
        guard head.ticket != CacheQueue.ticket(main.tail &- 1) else { return }
        main.remove(head.ticket)
        let ticket = main.append(head.hash, cost: main.turn(head.ticket).pointee.cost)
        place.pointee.head.setTurn(CacheHead.turn(ticket, isMain: true), frequency: 0)
        closeGaps()
    }

    /// Keeps a queue that somebody has left out of turn from having more gaps than entries.
    @inlinable
    mutating func closeGaps() {
        if small.isLoose || main.isLoose { closeSomeGaps() }
    }

    @inlinable
    @inline(never)
    mutating func closeSomeGaps() {
        var table = table
        for isMain in [false, true] where (isMain ? main : small).isLoose {
            let move = { (hash: UInt32, ticket: UInt32, fresh: UInt32) in
                let place = table.find(hash, CacheHead.turn(ticket, isMain: isMain))
                place.pointee.head.setTurn(CacheHead.turn(fresh, isMain: isMain), frequency: place.head.frequency)
            }
            if isMain { main.close(move) } else { small.close(move) }
        }
    }

    /// Sets a value, and lets others go where the limits ask for it.
    ///
    /// - Returns: whether it was kept: one whose cost alone is above the limit is not.
    @inlinable
    @inline(never)
    mutating func set(
        _ value: Value,
        for key: Key,
        _ hash: UInt32,
        cost: Int,
        life: CacheLife,
        released: inout Released
    ) -> Bool {
        var toMain = isLRU
        // Who will probably go is fetched from memory together with the newcomer's place, not after it.
        var candidate: Candidate? = isFull(for: cost) && count > 0 ? candidate() : nil
        var (isFound, place) = table.find(key, hash)
        if isFound {
            if replace(place, value, cost: cost, life: life, &released) { return true }
            // Room must be made, and not by this value's going: it comes anew, as one that has proved itself.
            released.keep(remove(place))
            place = table.vacancy(for: hash)
            toMain = true
            candidate = nil
        } else if !toMain {
            toMain = ghosts.take(hash, capacity: count)
        }
        guard cost <= costLimit, countLimit > 0 else { return false }
        while isFull(for: cost) {
            let vacancy = evict(candidate ?? self.candidate(), &released)
            candidate = nil
            if let vacancy, Table.comes(vacancy, before: place, from: table.home(of: hash)) { place = vacancy }
        }
        if count >= table.room {
            table.grow()
            place = table.vacancy(for: hash)
        }
        let ticket = toMain ? main.append(hash, cost: cost) : small.append(hash, cost: cost)
        let mark = CacheHead.turn(ticket, isMain: toMain) | (life.deadline != 0 ? 4 : 0)
        place.initialize(to: CacheEntry(head: CacheHead(hash: hash, mark: mark), key: key, value: value))
        if life.deadline != 0 { table.keepLife(life, of: place) }
        return true
    }

    /// Whether there is no room for another value.
    @inlinable
    @inline(__always)
    mutating func isFull(for cost: Int) -> Bool {
        count >= countLimit || self.cost > costLimit &- cost
    }

    /// Sets the value of an entry that is there; false where its cost asks for room that there is not.
    @inlinable
    mutating func replace(
        _ place: Table.Place,
        _ value: Value,
        cost: Int,
        life: CacheLife,
        _ released: inout Released
    ) -> Bool {
        let head = place.head
        let turn = head.isMain ? main.turn(head.ticket) : small.turn(head.ticket)
        let difference = cost &- turn.pointee.cost
        guard cost <= costLimit, self.cost &+ difference <= costLimit else { return false }
        if head.isMain { main.cost &+= difference } else { small.cost &+= difference }
        turn.pointee.cost = cost
        swap(&place.pointee.value, &released.first, with: value)
        table.setLife(life, of: place)
        noteUse(place)
        return true
    }

    @inlinable
    func swap(_ place: inout Value, _ old: inout Value?, with value: Value) {
        old = place
        place = value
    }

    /// Takes an entry out, whatever its turn, and returns its value.
    @inlinable
    mutating func remove(_ place: Table.Place) -> Value {
        let head = place.head
        if head.isMain { main.remove(head.ticket) } else { small.remove(head.ticket) }
        defer { closeGaps() }
        return table.remove(place).value
    }
}
