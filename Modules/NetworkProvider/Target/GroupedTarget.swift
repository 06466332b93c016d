/// A target whose base, header fields and rules are those of its group, unless it has its own.
public protocol GroupedTarget: RemoteTargetType {
    /// What the target shares with its siblings.
    var group: RemoteGroup { get }
}

extension GroupedTarget {
    /// The group's base.
    public var base: String { group.base }
    /// The group's times.
    public var timeout: HTTPTimeouts { group.timeout }
    /// The group's bounds.
    public var limits: HTTPLimits { group.limits }
    /// The group's rule.
    public var validation: ResponseValidation { group.validation }
    /// The group's policy.
    public var retry: RetryPolicy? { group.retry }
    /// The group's policy.
    public var cachePolicy: HTTPCachePolicy? { group.cachePolicy }

    /// The request, with the group's header fields under the target's own.
    public func asRequest() throws(NetworkError) -> HTTPRequest { try makeRequest(sharing: group.headers) }
}
