package import Threading

/// Takes part in every request of a provider. Each member has a default that changes nothing.
///
/// The order of the plugins matters: the first one prepares first and is the outermost around the sending. An error of
/// a plugin passes through the plugins before it.
public protocol NetworkPlugin: Sendable {
    /// Header fields and parameters in which this plugin sends secrets: the provider leaves them out of errors and
    /// logs, removes them from redirects to other origins, and separates cached responses by them. Read once, when the
    /// provider is created, so that it must contain all names that the plugin may use later.
    var secrets: Redaction { get }

    /// Changes a request before it is sent; called once for a request, however often it is sent.
    /// - Throws: any error, to stop the request.
    func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest

    /// Returns the request as ``send(_:_:next:)`` would pass it on now, credentials included: a cache, and requests
    /// that share an exchange, are separated by it. A plugin that adds credentials in `send` must implement this;
    /// otherwise its responses are stored for those credentials, but never found.
    func anticipate(_ request: HTTPRequest) -> HTTPRequest

    /// Sends a request through `next`: never, once or several times.
    /// - Throws: the error of `next`, or any other error to fail the request.
    func send(_ request: HTTPRequest, _ context: RequestContext, next: NetworkSend) async throws -> HTTPResponse

    /// Called with the head of the response after all plugins, before it is validated.
    func didReceive(_ head: HTTPResponseHead, to request: HTTPRequest, _ context: RequestContext) async

    /// Called when the request has failed, for any reason.
    func didFail(_ error: NetworkError, _ context: RequestContext) async
}

/// Sends a request through the rest of the chain: the inner plugins, redirects, the transport.
public typealias NetworkSend = @Sendable (HTTPRequest) async throws -> HTTPResponse

extension NetworkPlugin {
    /// No secrets.
    public var secrets: Redaction { Redaction.none }

    /// Returns the request.
    public func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest { request }

    /// Returns the request.
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

/// What plugins know of a request besides the request itself.
public final class RequestContext: Sendable {
    /// The number of the request, from 1; unique for a provider and its copies.
    public let id: UInt64
    /// The name of the target's type.
    public let target: String
    /// The target's retry policy; nil for the plugin's own policy.
    public let retry: RetryPolicy?
    /// The provider's redaction, its plugins' ``NetworkPlugin/secrets`` included.
    public let redaction: Redaction
    /// The scope in which the request was sent.
    public let scope: RequestScope
    /// The number of the request during which this one was sent, such as one that is being signed; nil if there is
    /// none.
    public let parent: UInt64?
    /// The target; nil in a context that a test has created.
    package let source: (any RemoteTargetType)?
    /// The attempts at sending the request.
    package let attempts = Locked(Attempts())

    /// The attempts at sending a request.
    package struct Attempts: Sendable {
        /// The number of attempts so far.
        var count = 0
        /// Whether the redirects of the last attempt left the request's origin, where credentials are removed for good. A
        /// later response of the first origin then says nothing about them.
        var hasLeftOrigin = false
        /// Whether a redirect of the last attempt replaced the method: the server has processed the request, and what
        /// follows is about another one.
        var isProcessed = false
    }

    /// Creates a context, for the test of a plugin.
    /// - Parameters:
    ///   - id: the number of the request.
    ///   - target: the name of the target's type.
    ///   - retry: the target's retry policy.
    ///   - redaction: what is left out of errors and logs.
    ///   - scope: the scope in which the request is sent.
    ///   - parent: the number of the request during which this one is sent.
    public convenience init(
        id: UInt64 = 1,
        target: String,
        retry: RetryPolicy? = nil,
        redaction: Redaction = Redaction(),
        scope: RequestScope = RequestScope(),
        parent: UInt64? = nil
    ) {
        self.init(id, target, retry, redaction, scope, parent, source: nil)
    }

    init(
        _ id: UInt64,
        _ target: String,
        _ retry: RetryPolicy?,
        _ redaction: Redaction,
        _ scope: RequestScope,
        _ parent: UInt64?,
        source: (any RemoteTargetType)?
    ) {
        self.id = id
        self.target = target
        self.retry = retry
        self.redaction = redaction
        self.scope = scope
        self.parent = parent
        self.source = source
    }

    /// The request that the current task is sending: in plugins, in their calls and in a transport; nil elsewhere.
    @TaskLocal public static var current: RequestContext?
}

/// A target that sends another target in parts or as an event stream.
package protocol TargetWrapper {
    /// The target of the caller.
    var wrapped: any RemoteTargetType { get }
}
