import EssentialFoundation

/// Identifies requests that may share one exchange: the method, the URL, all header fields with the credentials that
/// plugins add, and every setting that changes the response.
struct SharedRequestKey: Hashable, Sendable {
    private let target: ObjectIdentifier
    private let method: HTTPMethod
    private let url: String
    private let fields: [HTTPHeaders.Field]
    private let timeouts: HTTPTimeouts
    private let limits: HTTPLimits
    private let decompresses: Bool
    private let policy: HTTPCachePolicy
    private let retry: RetryPolicy
    private let maximumBodyBytes: Int

    /// Creates a key.
    /// - Parameters:
    ///   - request: the request as it would be sent now.
    ///   - target: the target.
    ///   - maximumBodyBytes: the maximum size of the body.
    init<Target: RemoteTargetType>(_ request: HTTPRequest, for target: Target, maximumBodyBytes: Int) {
        self.target = ObjectIdentifier(Target.self)
        method = request.method
        url = request.url.absoluteString
        fields = request.headers.fields
        timeouts = request.timeouts
        limits = request.limits
        decompresses = request.decompresses
        policy = target.cachePolicy
        retry = target.retry
        self.maximumBodyBytes = maximumBodyBytes
    }
}

/// A response that several callers receive: its head, and its whole body or the error of reading it.
struct SharedResponse: Sendable {
    let head: HTTPResponseHead
    let body: Result<Data, HTTPTransportError>

    /// Reads a response to its end.
    init(_ response: HTTPResponse, upTo limit: Int) async throws {
        head = response.head
        do throws(HTTPTransportError) {
            body = .success(try await response.body.collect(upTo: limit))
        } catch {
            if error.code == .cancelled { throw error }
            body = .failure(error)
        }
    }

    /// The response for one caller.
    var response: HTTPResponse {
        switch body {
        case .success(let data): HTTPResponse(head: head, body: HTTPResponseBody(data))
        case .failure(let error): HTTPResponse(head: head, body: HTTPResponseBody(FailedBody(error)))
        }
    }
}
