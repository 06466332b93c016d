#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One thing that a server can be asked for: where, how, with what, and what comes back.
///
/// Everything but ``base`` has a default, so that a target can be as short as its differences:
///
/// ```swift
/// struct Breeds: RemoteTargetType {
///     typealias Response = [String: [String]]
///     let base = "https://dog.ceo", path = "/api/breeds/list/all"
/// }
/// ```
public protocol RemoteTargetType: Sendable {
    /// What the answer's body is decoded to: raw `Data` unless told otherwise, JSON for any other `Decodable`.
    associatedtype Response: Sendable = Data

    /// What the target is called in errors and logs; its type's name by default.
    static var targetName: String { get }

    /// Scheme, host and whatever all paths begin with, such as `https://example.com/v1`.
    var base: String { get }
    /// What is added to the base, with one slash between. Text is escaped, escapes that are there already stay, and
    /// `?` and `#` are parts of the path. A value that may hold a slash goes through ``RemotePath/segment(_:)``.
    var path: String { get }
    /// The method; GET by default.
    var httpMethod: HTTPMethod { get }
    /// The query; none by default.
    var parameters: QueryParameters? { get }
    /// Header fields; none by default. They win over those that the ``task`` brings.
    var headers: HTTPHeaders? { get }
    /// A value to be sent as JSON; none by default.
    var data: (any Encodable & Sendable)? { get }
    /// What is sent; by default ``data`` as JSON where there is any, else nothing.
    var task: RemoteTask { get }
    /// How long the exchange may take.
    var timeout: HTTPTimeouts { get }
    /// What the answer may weigh on its way, however it is read: the transport's usual limits by default. A compressed
    /// body may unfold to 256 MiB then, also one that is streamed or downloaded; `HTTPLimits.decompressedBytes` raises
    /// that.
    var limits: HTTPLimits { get }
    /// Which answers are good ones; the 2xx by default.
    var validation: ResponseValidation { get }
    /// What a ``RetryPlugin`` tries again; nil leaves it to the plugin.
    var retry: RetryPolicy? { get }
    /// How the cache of the provider is used, if there is one; nil for the policy of the cache.
    var cachePolicy: HTTPCachePolicy? { get }
    /// Whether requests that are the same share one exchange while it is under way; nil leaves it to the provider.
    var deduplicates: Bool? { get }
    /// The greatest body that is taken into memory, in bytes; nil leaves it to the provider. Streams and downloads take
    /// none into memory and pass it over: ``limits`` bounds those too.
    var maximumBodyBytes: Int? { get }
    /// Turns values into JSON; a plain encoder by default.
    var encoder: JSONEncoder { get }
    /// Turns JSON into values; a plain decoder by default.
    var decoder: JSONDecoder { get }

    /// The request that is sent, before plugins have seen it.
    /// - Throws: ``NetworkError`` with ``NetworkError/Reason/invalidRequest(_:)`` or
    ///   ``NetworkError/Reason/encoding(_:)``.
    func asRequest() throws(NetworkError) -> HTTPRequest

    /// Turns the answer's body into the response.
    /// - Throws: whatever says that the body is not what it should be.
    func decode(_ body: Data, _ head: HTTPResponseHead) throws -> Response
}

extension RemoteTargetType {
    /// The name of the target's type.
    public static var targetName: String { "\(Self.self)" }
    /// Nothing added to the base.
    public var path: String { "" }
    /// GET.
    public var httpMethod: HTTPMethod { .get }
    /// No query.
    public var parameters: QueryParameters? { nil }
    /// No fields.
    public var headers: HTTPHeaders? { nil }
    /// No value.
    public var data: (any Encodable & Sendable)? { nil }
    /// ``data`` as JSON, or nothing.
    public var task: RemoteTask { data.map { .json($0) } ?? .plain }
    /// The transport's usual times.
    public var timeout: HTTPTimeouts { HTTPTimeouts() }
    /// The transport's usual limits.
    public var limits: HTTPLimits { HTTPLimits() }
    /// The 2xx.
    public var validation: ResponseValidation { .success }
    /// The plugin's policy.
    public var retry: RetryPolicy? { nil }
    /// The cache's policy.
    public var cachePolicy: HTTPCachePolicy? { nil }
    /// As the provider does.
    public var deduplicates: Bool? { nil }
    /// The provider's limit.
    public var maximumBodyBytes: Int? { nil }
    /// A plain encoder.
    public var encoder: JSONEncoder { JSONEncoder() }
    /// A plain decoder.
    public var decoder: JSONDecoder { JSONDecoder() }
}

extension RemoteTargetType where Response: Decodable {
    /// Raw bytes for `Data`, UTF-8 for `String`, nothing for ``NoContent``, JSON for everything else.
    public func decode(_ body: Data, _ head: HTTPResponseHead) throws -> Response {
        if let raw = body as? Response { return raw }
        if let empty = NoContent() as? Response { return empty }
        if Response.self == String.self, let text = String(decoding: body, as: UTF8.self) as? Response { return text }
        return try decoder.decode(Response.self, from: body)
    }
}

/// Which answers are good ones; all others are thrown as ``NetworkError/Reason/unacceptableStatus(_:)``.
public enum ResponseValidation: Sendable {
    /// Statuses 200 to 299.
    case success
    /// Statuses in a range.
    case statuses(ClosedRange<Int>)
    /// Every answer, whatever its status.
    case any
    /// Answers whose head passes a test of one's own.
    case custom(@Sendable (HTTPResponseHead) -> Bool)

    /// Whether an answer with this head is a good one.
    public func accepts(_ head: HTTPResponseHead) -> Bool {
        switch self {
        case .success: head.isSuccess
        case .statuses(let range): range.contains(head.status)
        case .any: true
        case .custom(let test): test(head)
        }
    }
}

/// The response of a target whose answer's body does not matter.
public struct NoContent: Decodable, Sendable, Equatable {
    /// Nothing.
    public init() {}
}
