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
