/// Takes part in every request of a provider. Each member has a default that does nothing, so that a plugin writes the
/// ones it needs.
///
/// Plugins stand in an order: the first prepares first and stands outermost around the sending. Retry, authorisation,
/// caching and measuring are plugins around the sending; what one throws goes out through the plugins before it.
public protocol NetworkPlugin: Sendable {
    /// Header fields and parameters that this plugin puts secrets into: the provider leaves them out of errors and
    /// logs, off a redirect to another origin, and keeps cached answers apart by them. Asked once, when the provider is
    /// made: what a plugin may ever need stands here from the beginning.
    var secrets: Redaction { get }

    /// Changes a request before it is sent; once for a request, however often it is sent.
    /// - Throws: anything, to stop the request.
    func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest

    /// The request as ``send(_:_:next:)`` would pass it on now, credentials included: what a cache, and requests that
    /// share an exchange, are kept apart by. A plugin that adds credentials on the way says so here; without, what it
    /// sends is stored for those credentials all the same, and never found.
    func anticipate(_ request: HTTPRequest) -> HTTPRequest

    /// Sends a request through `next`: never, once or several times, with whatever comes before and after.
    /// - Throws: what `next` throws, or anything else to fail the request.
    func send(_ request: HTTPRequest, _ context: RequestContext, next: NetworkSend) async throws -> HTTPResponse

    /// Sees the head of the answer that came out of all plugins, before it is validated.
    func didReceive(_ head: HTTPResponseHead, to request: HTTPRequest, _ context: RequestContext) async

    /// Sees that the request failed in the end, for whatever reason.
    func didFail(_ error: NetworkError, _ context: RequestContext) async
}

/// The rest of the way to the server: the plugins further in, redirects, the transport.
public typealias NetworkSend = @Sendable (HTTPRequest) async throws -> HTTPResponse

extension NetworkPlugin {
    /// None.
    public var secrets: Redaction { Redaction.none }

    /// Leaves the request as it is.
    public func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest { request }

    /// The request as it is.
    public func anticipate(_ request: HTTPRequest) -> HTTPRequest { request }

    /// Sends the request once.
    public func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        next: NetworkSend
    ) async throws -> HTTPResponse {
        try await next(request)
    }

    /// Does nothing.
    public func didReceive(_ head: HTTPResponseHead, to request: HTTPRequest, _ context: RequestContext) async {}

    /// Does nothing.
    public func didFail(_ error: NetworkError, _ context: RequestContext) async {}
}

/// What plugins know of a request beside the request itself.
public struct RequestContext: Sendable {
    /// A number that no other request of the same provider, or of a copy of it, has; counted from 1.
    public let id: UInt64
    /// The name of the target's type.
    public let target: String
    /// The target's own retry policy; nil leaves it to the plugin.
    public let retry: RetryPolicy?
    /// What the provider leaves out of errors, its plugins' ``NetworkPlugin/secrets`` included.
    public let redaction: Redaction
    /// What the request has in common with the others of its piece of work.
    public let scope: RequestScope
    /// The number of the request in whose course this one is made, such as one that signs it; nil for one of its own.
    public let parent: UInt64?
    /// The target itself.
    package let source: any RemoteTargetType

    /// The request that the present task is sending: in plugins, in what they call, in a transport; nil elsewhere.
    @TaskLocal public static var current: RequestContext?
}

/// A target that sends another one in a special way, such as in parts or as an event stream.
package protocol TargetWrapper {
    /// The target as the caller wrote it.
    var wrapped: any RemoteTargetType { get }
}
