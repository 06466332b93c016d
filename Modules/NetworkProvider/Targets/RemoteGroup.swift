/// What the targets of one service have in common: where it is, and what every request to it carries.
///
/// A target that names its group as ``GroupedTarget/group`` writes down only what is its own:
///
/// ```swift
/// extension RemoteGroup {
///     static let dogs = RemoteGroup("https://dog.ceo/api", headers: ["Accept": "application/json"])
/// }
///
/// struct Breeds: GroupedTarget {
///     let group = RemoteGroup.dogs, path = "/breeds/list/all"
/// }
/// ```
public struct RemoteGroup: Sendable {
    /// Scheme, host and whatever all paths begin with.
    public var base: String
    /// Header fields of every request; a target's own of the same name win.
    public var headers: HTTPHeaders
    /// How long an exchange may take, where a target does not say.
    public var timeout: HTTPTimeouts
    /// What an answer may weigh on its way, where a target does not say.
    public var limits: HTTPLimits
    /// Which answers are good ones, where a target does not say.
    public var validation: ResponseValidation
    /// What is tried again, where a target does not say; nil leaves it to the plugin.
    public var retry: RetryPolicy?
    /// What a cache may do with the answers, where a target does not say; nil leaves it to the cache.
    public var cachePolicy: HTTPCachePolicy?

    /// Creates a group; everything but the base has the default of a target.
    public init(
        _ base: String,
        headers: HTTPHeaders = [:],
        timeout: HTTPTimeouts = HTTPTimeouts(),
        limits: HTTPLimits = HTTPLimits(),
        validation: ResponseValidation = .success,
        retry: RetryPolicy? = nil,
        cachePolicy: HTTPCachePolicy? = nil
    ) {
        self.base = base
        self.headers = headers
        self.timeout = timeout
        self.limits = limits
        self.validation = validation
        self.retry = retry
        self.cachePolicy = cachePolicy
    }
}

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
