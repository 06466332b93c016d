public import EssentialFoundation

/// A request to a server and the type of its response.
///
/// Everything but ``base`` has a default:
///
/// ```swift
/// struct Breeds: RemoteTargetType {
///     typealias Response = [String: [String]]
///     let base = "https://dog.ceo", path = "/api/breeds/list/all"
/// }
/// ```
///
/// Declare each property with its type: one with another name or type compiles and is ignored, and the default is sent.
/// `let headers = ["X-Client": "paws"]` is a dictionary; write `let headers: HTTPHeaders = ["X-Client": "paws"]`.
public protocol RemoteTargetType: Sendable {
    /// The type that the response's body is decoded to: raw `Data` by default, JSON for any other `Decodable` type.
    associatedtype Response: Sendable = Data
    /// The type of ``data``; ``NoContent`` by default.
    associatedtype Payload: Encodable & Sendable = NoContent

    /// The target's name in errors and logs; the name of its type by default.
    static var targetName: String { get }

    /// Scheme, host and the beginning of all paths, such as `https://example.com/v1`.
    var base: String { get }
    /// The path, appended to the base with one slash between them. Characters that a URL cannot contain are escaped,
    /// existing escapes are not escaped again, and `?` and `#` are parts of the path. Pass a value that may contain a
    /// slash through ``RemotePath/segment(_:)``, which throws.
    var path: String { get throws(NetworkError) }
    /// The method; GET by default.
    var httpMethod: HTTPMethod { get }
    /// The query; empty by default.
    var parameters: QueryParameters { get }
    /// Header fields; empty by default. They override the fields of the ``task``, of a group and ``accept``.
    var headers: HTTPHeaders { get }
    /// A value that is sent as JSON; ``NoContent`` by default.
    var data: Payload { get }
    /// The request's body; by default ``data`` as JSON, or no body where that is ``NoContent`` or nil.
    var task: RemoteTask { get }
    /// The value of the `Accept` field: `application/json` by default where the response is decoded from JSON, otherwise
    /// empty: the transport then sends its own, `*/*`.
    var accept: String { get }
    /// The time limits of an exchange.
    var timeout: HTTPTimeouts { get }
    /// The size limits of a response, however it is read; the transport's defaults by default. These let a compressed
    /// body decompress to 256 MiB, even one that is streamed or downloaded; `HTTPLimits.decompressedBytes` raises that.
    var limits: HTTPLimits { get }
    /// The responses that are not errors; status 200 to 299 by default.
    var validation: ResponseValidation { get }
    /// The policy of a ``RetryPlugin`` for this target; ``RetryPolicy/inherited`` by default.
    var retry: RetryPolicy { get }
    /// How the cache of the provider is used, if there is one; ``HTTPCachePolicy/inherited`` by default.
    var cachePolicy: HTTPCachePolicy { get }
    /// Whether equal requests share one exchange while it is under way; nil, the default, for the provider's setting. Declare
    /// it with its type: `let deduplicates: Bool? = true`.
    var deduplicates: Bool? { get }
    /// The maximum size of a body that is read into memory, in bytes; 0, the default, for the provider's limit. Streams and
    /// downloads are bounded by ``limits`` only.
    var maximumBodyBytes: Int { get }
    /// Encodes values to JSON; a new encoder by default.
    var encoder: JSONEncoder { get }
    /// Decodes values from JSON; a new decoder by default.
    var decoder: JSONDecoder { get }

    /// Returns the request before plugins have changed it.
    /// - Throws: ``NetworkError`` with ``NetworkError/Reason/invalidRequest(_:)`` or
    ///   ``NetworkError/Reason/encoding(_:)``.
    func asRequest() throws(NetworkError) -> HTTPRequest

    /// Decodes the response's body.
    /// - Throws: any error; the provider reports it as ``NetworkError/Reason/decoding(_:)``.
    func decode(_ body: Data, _ head: HTTPResponseHead) throws -> Response
}

extension RemoteTargetType {
    /// The name of the target's type.
    public static var targetName: String { "\(Self.self)" }
    /// An empty path.
    public var path: String { "" }
    /// GET.
    public var httpMethod: HTTPMethod { .get }
    /// No query.
    public var parameters: QueryParameters { [:] }
    /// No fields.
    public var headers: HTTPHeaders { [:] }
    /// ``data`` as JSON, or no body.
    public var task: RemoteTask {
        if Payload.self == NoContent.self { return .plain }
        let data = data
        if let optional = data as? any OptionalPayload, optional.isNil { return .plain }
        return .json(data)
    }
    /// The transport's field, `*/*`.
    public var accept: String { "" }
    /// The transport's default time limits.
    public var timeout: HTTPTimeouts { HTTPTimeouts() }
    /// The transport's default size limits.
    public var limits: HTTPLimits { HTTPLimits() }
    /// Status 200 to 299.
    public var validation: ResponseValidation { .success }
    /// The plugin's policy.
    public var retry: RetryPolicy { .inherited }
    /// The cache's policy.
    public var cachePolicy: HTTPCachePolicy { .inherited }
    /// The provider's setting.
    public var deduplicates: Bool? { nil }
    /// The provider's limit.
    public var maximumBodyBytes: Int { 0 }
    /// A new encoder.
    public var encoder: JSONEncoder { JSONEncoder() }
    /// A new decoder.
    public var decoder: JSONDecoder { JSONDecoder() }
}

extension RemoteTargetType where Payload == NoContent {
    /// No value.
    public var data: NoContent { NoContent() }
}

/// A request without a body, or the body of a response that is expected and ignored.
public struct NoContent: Codable, Sendable, Equatable {
    /// Creates the value.
    public init() {}
}

/// A value of a target's ``RemoteTargetType/data`` that may be nil, which is sent as no body.
private protocol OptionalPayload { var isNil: Bool { get } }

extension Optional: OptionalPayload {
    fileprivate var isNil: Bool { self == nil }
}

/// Decides which responses are not errors; every other one is thrown as ``NetworkError/Reason/unacceptableStatus(_:)``.
public enum ResponseValidation: Sendable {
    /// Accepts statuses 200 to 299.
    case success
    /// Accepts the statuses in a range.
    case statuses(ClosedRange<Int>)
    /// Accepts every status.
    case any
    /// Accepts the responses for which the closure returns true.
    case custom(@Sendable (HTTPResponseHead) -> Bool)

    /// Returns whether a response with this head is accepted.
    public func accepts(_ head: HTTPResponseHead) -> Bool {
        switch self {
        case .success: head.isSuccess
        case .statuses(let range): range.contains(head.status)
        case .any: true
        case .custom(let test): test(head)
        }
    }
}
