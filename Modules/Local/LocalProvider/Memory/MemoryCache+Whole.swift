import Threading

extension MemoryCache {
    /// The number of values, including expired ones that were not read since.
    public var count: Int { shards.reduce(0) { $0 + $1.withLock { $0.count } } }

    /// The sum of the costs of the values.
    public var totalCost: Int { shards.reduce(0) { $0 + $1.withLock { $0.cost } } }

    /// The number of hits, misses, evictions and expirations so far.
    public var statistics: CacheStatistics {
        shards.reduce(CacheStatistics()) { $0 + $1.withLock { $0.statistics } }
    }

    /// The keys of all values that have not expired, in no particular order.
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

    /// Removes all values; ``statistics`` are unchanged.
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

    /// Removes the expired values, in time proportional to the size of the cache.
    public func removeExpired() {
        let time = now()
        for shard in shards {
            let released = shard.withLock { shard in
                // By key: each removal moves other entries to other places.
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

    /// Evicts values, in the order of the policy, until a share of them is left: for a shortage of memory.
    ///
    /// - Parameter share: the share of the present count to retain, from 0 to 1.
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
