/// What a cache has done so far.
public struct HTTPCacheStatistics: Sendable, Hashable {
    /// Answers given fresh from the store.
    public var hits = 0
    /// Answers given although their time was over.
    public var staleHits = 0
    /// Answers given from the store after the server had confirmed them.
    public var revalidations = 0
    /// Answers that came whole from the server, nothing usable being stored.
    public var misses = 0
    /// Answers put into the store.
    public var stores = 0
    /// Calls of the store that failed; each was a miss, or an answer not kept.
    public var storeFailures = 0
    /// What the last such call said.
    public var lastFailure: String?

    /// Nothing so far.
    public init() {}

    mutating func count(_ source: HTTPCacheStatus.Source) {
        switch source {
        case .hit: hits += 1
        case .stale, .staleOnError: staleHits += 1
        case .revalidated: revalidations += 1
        case .miss: misses += 1
        case .bypass: break
        }
    }
}
