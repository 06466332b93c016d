import Threading

extension MemoryCache {
    /// How many values there are, those included whose time is over and that nobody has asked for since.
    public var count: Int {
        shards.reduce(0) { $0 + $1.withLock { $0.count } }
    }

    /// The sum of the values' costs.
    public var totalCost: Int {
        shards.reduce(0) { $0 + $1.withLock { $0.cost } }
    }

    /// What the cache has done so far.
    public var statistics: CacheStatistics {
        shards.reduce(CacheStatistics()) { $0 + $1.withLock { $0.statistics } }
    }

    /// The keys of all values whose time is not over, in no particular order.
    public var keys: [Key] {
        let time = now()
        return shards.flatMap { shard in
            shard.withLock { shard in
                var keys: [Key] = []
                keys.reserveCapacity(shard.count)
                shard.table.forEach { place in
                    if !shard.table.isOver(place, at: time) { keys.append(place.pointee.key) }
                }
                return keys
            }
        }
    }

    /// Removes all values; ``statistics`` stay.
    public func removeAll() {
        for shard in shards {
            let released = shard.withLock { shard in
                if shard.loads > 0 { flights.forgetAll() }
                var released: [Value] = []
                released.reserveCapacity(shard.count)
                while shard.count > 0 { released.append(shard.removeFirst()) }
                shard.ghosts.removeAll()
                return released
            }
            withExtendedLifetime(released) {}
        }
    }

    /// Removes the values whose time is over; takes as long as the cache is large.
    public func removeExpired() {
        let time = now()
        for shard in shards {
            let released = shard.withLock { shard in
                // By their keys: with each that leaves, others move up and get other turns.
                var keys: [(Key, UInt32)] = []
                shard.table.forEach { place in
                    if shard.table.isOver(place, at: time) { keys.append((place.pointee.key, place.head.hash)) }
                }
                shard.statistics.expirations += keys.count
                return keys.map { key, hash in shard.remove(shard.table.find(key, hash).place) }
            }
            withExtendedLifetime(released) {}
        }
    }

    /// Lets values go, in the order of the policy, until a share of them is left: for when memory is short.
    ///
    /// - Parameter share: how much to keep of the present count, from 0 to 1.
    public func trim(keeping share: Double) {
        let share = min(max(share, 0), 1)
        for shard in shards {
            var released = CacheShard<Key, Value>.Released()
            shard.withLock { shard in
                let target = Int(Double(shard.count) * share)
                while shard.count > target { shard.evict(&released) }
            }
        }
    }
}
