public import SystemCalls

/// A part of a cache, guarded by its lock: entries in a table, ordered by one or two queues. All operations are O(1),
/// except the growth of the table or of a queue.
///
/// Sendable by that lock alone.
@usableFromInline
struct CacheShard<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Table = CacheTable<Key, Value>

    @usableFromInline let countLimit: Int
    @usableFromInline let costLimit: Int
    @usableFromInline let isLRU: Bool
    @usableFromInline var table = Table(size: 16)
    @usableFromInline var small = CacheQueue()
    @usableFromInline var main = CacheQueue()
    @usableFromInline var statistics = CacheStatistics()
    @usableFromInline var ghosts = CacheGhosts()
    /// The number of loads for keys of this shard, to which sets and removals must be reported.
    @usableFromInline var loads = 0

    @usableFromInline
    init(countLimit: Int, costLimit: Int, policy: CachePolicy) {
        // A queue can have gaps, too, at most twice as many turns as entries.
        self.countLimit = min(countLimit, CacheHead.tickets / 4)
        self.costLimit = costLimit
        isLRU = policy == .leastRecentlyUsed
    }

    // Mutating, like the methods of the table.
    @inlinable var count: Int { mutating get { small.count &+ main.count } }
    @inlinable var cost: Int { mutating get { small.cost &+ main.cost } }

    /// Frees the memory; the shard must not be used afterwards.
    @usableFromInline
    func destroy() {
        table.destroy()
        small.free()
        main.free()
        ghosts.free()
    }
}

extension CacheShard {
    /// The result of a lookup.
    @usableFromInline
    enum Found: Sendable {
        case value(Value)
        case nothing
        /// A value with a deadline that was not checked.
        case expiring
    }

    /// Returns the value for a key and records its use, unless it has a deadline.
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

    /// Returns the value for a key, records its use, and moves its deadline if a use does that.
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
            // Written only if it changes, so that the cache line of a hot entry stays clean.
            place.pointee.head.mark &+= 1
        }
    }

    /// Moves an entry to the end of the main queue.
    @inlinable
    mutating func moveToEnd(_ place: Table.Place) {
        let head = place.head
        guard head.ticket != CacheQueue.ticket(main.tail &- 1) else { return }
        main.remove(head.ticket)
        let ticket = main.append(head.hash, cost: main.turn(head.ticket).pointee.cost)
        place.pointee.head.setTurn(CacheHead.turn(ticket, isMain: true), frequency: 0)
        closeGaps()
    }

    /// Limits the number of gaps in the queues.
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

    /// Sets a value, and evicts others if the limits require that.
    ///
    /// - Returns: whether it was stored: a value whose cost is above the limit is not.
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
        // The probable victim is fetched from memory together with the slot of the new value.
        var candidate: Candidate? = isFull(for: cost) && count > 0 ? candidate() : nil
        var (isFound, place) = table.find(key, hash)
        if isFound {
            if replace(place, value, cost: cost, life: life, &released) { return true }
            // Space must be made, but not by evicting this value: it is inserted again as a used one.
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

    /// Whether there is no space for another value.
    @inlinable
    @inline(__always)
    mutating func isFull(for cost: Int) -> Bool { count >= countLimit || self.cost > costLimit &- cost }

    /// Replaces the value of an entry; returns false if its cost requires space that is not available.
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

    /// Removes an entry and returns its value.
    @inlinable
    mutating func remove(_ place: Table.Place) -> Value {
        let head = place.head
        if head.isMain { main.remove(head.ticket) } else { small.remove(head.ticket) }
        defer { closeGaps() }
        return table.remove(place).value
    }
}

/// All evicted values of one operation except the first.
///
/// An object instead of a pointer with a `deinit`: for values that need no destruction, unspecialised code treats the
/// whole as a type that needs none.
@usableFromInline
final class ReleasedValues<Value> {
    @usableFromInline var values: [Value] = []

    @inlinable init() {}
}

/// A shard with its lock, in two allocations that ``destroy()`` frees.
///
/// Not a `Locked`: the exclusivity checks and the reference counting of a class take a fifth of a lookup.
@usableFromInline
struct CachePart<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let shard: UnsafeMutablePointer<CacheShard<Key, Value>>

    init(_ shard: CacheShard<Key, Value>) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.shard = .allocate(capacity: 1)
        self.shard.initialize(to: shard)
    }

    /// Frees the shard and the lock; neither may be used afterwards.
    func destroy() {
        shard.pointee.destroy()
        shard.deinitialize(count: 1)
        shard.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the shard.
    @inlinable
    func withLock<Result>(_ body: (inout CacheShard<Key, Value>) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&shard.pointee)
    }
}
