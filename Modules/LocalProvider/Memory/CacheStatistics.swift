/// What a cache has done so far.
public struct CacheStatistics: Hashable, Sendable {
    /// Look-ups that found a value.
    public var hits = 0
    /// Look-ups that found none, expired ones among them.
    public var misses = 0
    /// Values that left because the cache was full.
    public var evictions = 0
    /// Values that left because their time was over.
    public var expirations = 0

    /// Hits in all look-ups, from 0 to 1; 0 before the first.
    public var hitRatio: Double {
        hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses)
    }

    /// Nothing done yet.
    @inlinable public init() {}

    /// The sum of both.
    public static func + (left: CacheStatistics, right: CacheStatistics) -> CacheStatistics {
        var sum = left
        sum.hits += right.hits
        sum.misses += right.misses
        sum.evictions += right.evictions
        sum.expirations += right.expirations
        return sum
    }
}
