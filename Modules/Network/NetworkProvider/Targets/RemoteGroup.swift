public import EssentialFoundation

/// The properties that the targets of one service share.
///
/// A target that names its group as ``GroupedTarget/group`` declares only its differences:
///
/// ```swift
/// extension RemoteGroup {
///     static let dogs = RemoteGroup("https://dog.ceo/api", headers: ["X-Client": "paws"])
/// }
///
/// struct Breeds: GroupedTarget {
///     let group = RemoteGroup.dogs, path = "/breeds/list/all"
/// }
/// ```
public struct RemoteGroup: Sendable {
    /// Scheme, host and the beginning of all paths.
    public var base: String
    /// Header fields of every request; a target's own fields override them.
    public var headers: HTTPHeaders
    /// The time limits of an exchange.
    public var timeout: HTTPTimeouts
    /// The size limits of a response.
    public var limits: HTTPLimits
    /// The responses that are not errors.
    public var validation: ResponseValidation
    /// The policy of a ``RetryPlugin``.
    public var retry: RetryPolicy
    /// How the cache of the provider is used.
    public var cachePolicy: HTTPCachePolicy
    /// Encodes values to JSON.
    public var encoder: JSONEncoder
    /// Decodes values from JSON.
    public var decoder: JSONDecoder

    /// Creates a group; everything but the base has the default of a target.
    public init(
        _ base: String,
        headers: HTTPHeaders = [:],
        timeout: HTTPTimeouts = HTTPTimeouts(),
        limits: HTTPLimits = HTTPLimits(),
        validation: ResponseValidation = .success,
        retry: RetryPolicy = .inherited,
        cachePolicy: HTTPCachePolicy = .inherited,
        encoder: JSONEncoder = JSONEncoder(),
        decoder: JSONDecoder = JSONDecoder()
    ) {
        self.base = base
        self.headers = headers
        self.timeout = timeout
        self.limits = limits
        self.validation = validation
        self.retry = retry
        self.cachePolicy = cachePolicy
        self.encoder = encoder
        self.decoder = decoder
    }
}

/// A target whose properties default to those of its group.
public protocol GroupedTarget: RemoteTargetType {
    /// The group.
    var group: RemoteGroup { get }
}

extension GroupedTarget {
    /// The group's base.
    public var base: String { group.base }
    /// The group's time limits.
    public var timeout: HTTPTimeouts { group.timeout }
    /// The group's size limits.
    public var limits: HTTPLimits { group.limits }
    /// The group's validation.
    public var validation: ResponseValidation { group.validation }
    /// The group's policy.
    public var retry: RetryPolicy { group.retry }
    /// The group's policy.
    public var cachePolicy: HTTPCachePolicy { group.cachePolicy }
    /// The group's encoder.
    public var encoder: JSONEncoder { group.encoder }
    /// The group's decoder.
    public var decoder: JSONDecoder { group.decoder }

    /// Returns the request with the group's header fields, overridden by the target's own.
    public func asRequest() throws(NetworkError) -> HTTPRequest { try makeRequest(sharing: group.headers) }
}
