#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What makes two requests the same one: the method, the URL, all header fields with the credentials that plugins add on
/// the way, and whatever else decides what comes of it.
struct RequestFlightKey: Hashable, Sendable {
    private let target: ObjectIdentifier
    private let method: HTTPMethod
    private let url: String
    private let fields: [HTTPHeaders.Field]
    private let timeouts: HTTPTimeouts
    private let limits: HTTPLimits
    private let decompresses: Bool
    private let policy: HTTPCachePolicy?
    private let retry: RetryPolicy?
    private let maximumBodyBytes: Int

    /// - Parameters:
    ///   - request: the request as it would be sent now.
    ///   - target: what asks for it.
    ///   - maximumBodyBytes: how much of a body is taken.
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

/// An answer that several share: its head, and its whole body or why that did not come.
struct SharedAnswer: Sendable {
    let head: HTTPResponseHead
    let body: Result<Data, HTTPTransportError>

    /// Reads an answer to its end.
    init(_ response: HTTPResponse, upTo limit: Int) async throws {
        head = response.head
        do throws(HTTPTransportError) {
            body = .success(try await response.body.collect(upTo: limit))
        } catch {
            if error.code == .cancelled { throw error }
            body = .failure(error)
        }
    }

    /// The answer for one of them.
    var response: HTTPResponse {
        switch body {
        case .success(let data): HTTPResponse(head: head, body: HTTPResponseBody(data))
        case .failure(let error): HTTPResponse(head: head, body: HTTPResponseBody(FailedBody(error)))
        }
    }
}
