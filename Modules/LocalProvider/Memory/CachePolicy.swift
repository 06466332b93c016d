/// Which value leaves a full cache.
public enum CachePolicy: Hashable, Sendable, CaseIterable {
    /// S3-FIFO (Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023): newcomers prove themselves in
    /// a small queue of a tenth of the cache; what is asked for again moves to the main one. Values asked for only once
    /// cannot push the others out, and a look-up moves nothing.
    case s3FIFO
    /// Strictly the value that was not asked for the longest.
    case leastRecentlyUsed
}
