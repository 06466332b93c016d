/// When a cached value expires.
public struct CacheExpiry: Hashable, Sendable {
    /// The time after it was set; `nil` for no limit.
    public var afterWrite: Duration?
    /// The time after it was last set or read; `nil` for no limit.
    public var afterAccess: Duration?

    /// Creates an expiry; with both times, the earlier end applies.
    public init(afterWrite: Duration? = nil, afterAccess: Duration? = nil) {
        self.afterWrite = afterWrite
        self.afterAccess = afterAccess
    }

    /// Values do not expire.
    public static let never = CacheExpiry()

    /// Returns a duration in nanoseconds, at least 1; 0 for `nil`.
    @usableFromInline
    static func nanoseconds(_ duration: Duration?) -> UInt64 {
        guard let duration else { return 0 }
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 1 }
        let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow2) = product.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000)
        return overflow || overflow2 ? .max / 2 : min(max(sum, 1), .max / 2)
    }
}

/// The lifetime of an entry, computed when it is set. In nanoseconds of the cache's clock; 0 for no limit.
@usableFromInline
struct CacheLife: Sendable {
    /// The present deadline.
    @usableFromInline var deadline: UInt64
    /// The time by which a use moves the deadline; 0 if it does not.
    @usableFromInline var idle: UInt64
    /// The deadline that does not depend on uses.
    @usableFromInline var limit: UInt64

    /// A lifetime without an end.
    @usableFromInline static let endless = CacheLife(write: 0, idle: 0) { 0 }

    @inlinable
    init(write: UInt64, idle: UInt64, now: () -> UInt64) {
        self.idle = idle
        limit = .max
        deadline = 0
        guard write != 0 || idle != 0 else { return }
        let start = now()
        if write != 0 { limit = start &+ write }
        deadline = idle == 0 ? limit : min(limit, start &+ idle)
    }

    /// Moves the deadline, but not beyond the limit.
    @inlinable
    mutating func noteAccess(at now: UInt64) {
        if idle != 0 { deadline = min(now &+ idle, limit) }
    }

    /// Returns whether the lifetime has ended.
    @inlinable
    func isOver(at now: UInt64) -> Bool { deadline != 0 && deadline <= now }
}
