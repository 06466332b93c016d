/// When a cached value stops counting as there.
public struct CacheExpiry: Hashable, Sendable {
    /// How long after it was set; `nil` for no such end.
    public var afterWrite: Duration?
    /// How long after it was last set or read; `nil` for no such end.
    public var afterAccess: Duration?

    /// Creates a rule; where both are given, whichever ends first.
    public init(afterWrite: Duration? = nil, afterAccess: Duration? = nil) {
        self.afterWrite = afterWrite
        self.afterAccess = afterAccess
    }

    /// Values stay until they are evicted.
    public static let never = CacheExpiry()

    /// A duration in nanoseconds, at least 1 so that it is told from none.
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

/// When an entry expires: worked out once, when it is set. All in nanoseconds of the cache's clock, 0 for never.
@usableFromInline
struct CacheLife: Sendable {
    /// The present deadline.
    @usableFromInline var deadline: UInt64
    /// How far an access moves the deadline; 0 for not at all.
    @usableFromInline var idle: UInt64
    /// The deadline that no access moves.
    @usableFromInline var limit: UInt64

    /// A life that does not end.
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

    /// Sets the next deadline, where an access moves it: the nearer of the two ends.
    @inlinable
    mutating func noteAccess(at now: UInt64) {
        if idle != 0 { deadline = min(now &+ idle, limit) }
    }

    /// Whether the time is over.
    @inlinable
    func isOver(at now: UInt64) -> Bool {
        deadline != 0 && deadline <= now
    }
}
