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
