#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// A shard with its lock, in two places of memory that ``destroy()`` frees.
///
/// Not a `Locked`: a class's variable is checked at run time for overlapping accesses, and a reference to it is counted,
/// which together take a fifth of a look-up.
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

    /// Frees the shard and the lock; neither must be used any more.
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
