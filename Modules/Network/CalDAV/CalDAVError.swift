public import HTTPTransport
public import NetworkProvider

/// A failed operation: the reason, the method and the server, and, for a malformed reply, the XML element.
public struct CalDAVError: Error, Sendable {
    /// The reason of a failure.
    public enum Reason: Sendable {
        /// The server does not accept the credential. It was sent once; ask the user for another one.
        case unauthorized
        /// The credential cannot be sent, since the connection is not encrypted.
        case insecureConnection
        /// The server's certificate is not accepted; nothing was sent.
        case certificate(HTTPTransportError.CertificateProblem)
        /// There is no connection, it broke, or a timeout expired. Try again later.
        case network(NetworkError)
        /// The server asks for a pause (429 or 503); the duration is nil if it names none.
        case busy(retryAfter: Duration?)
        /// The collection or the object does not exist (404 or 410).
        case notFound
        /// The server refused the operation; the condition is the name of the violated rule, if the server names it.
        case refused(status: Int, condition: String?)
        /// The server has no CalDAV service at the account's URL, in `/.well-known/caldav` or at `/`.
        case notCalDAV
        /// A redirect is not followed; the text says why.
        case refusedRedirect(String)
        /// The reply is not what the protocol requires; the text says what is wrong.
        case malformedReply(String)
        /// The reply exceeds a limit of ``CalDAVLimits``.
        case limitExceeded(String)
        /// The caller's value cannot be sent.
        case invalidRequest(String)
        /// The task was cancelled.
        case cancelled
    }

    /// The reason of the failure.
    public var reason: Reason
    /// The method of the request, such as `PROPFIND`.
    public var method: String
    /// Scheme, host and port of the server, such as `https://dav.example.com`.
    public var server: String
    /// The path of the request.
    public var path: String
    /// The element of the reply that is missing or wrong, such as `D:getetag`; nil if the failure is not in the reply.
    public var element: String?

    /// Creates an error.
    public init(_ reason: Reason, method: String, server: String, path: String, element: String? = nil) {
        self.reason = reason
        self.method = method
        self.server = server
        self.path = path
        self.element = element
    }

    /// Whether a later attempt may succeed without a change by the user.
    public var isTemporary: Bool {
        switch reason {
        case .network, .busy: true
        case .refused(let status, _): status >= 500 || status == 408 || status == 423 || status == 425
        default: false
        }
    }

    /// Whether a failure to get an object says nothing about other objects.
    var concernsObject: Bool {
        switch reason {
        case .refused, .malformedReply, .limitExceeded: true
        default: false
        }
    }

    /// Whether the server's name has no address.
    package var isUnknownHost: Bool { transportCode == .cannotResolveHost }

    /// Whether there is a connection, but no TLS on it.
    package var isWithoutTLS: Bool { transportCode == .tls }

    private var transportCode: HTTPTransportError.Code? {
        guard case .network(let error) = reason, case .transport(let failure) = error.reason else { return nil }
        return failure.code
    }
}

/// Limits on a server's replies, so that a faulty or hostile server cannot use up the memory.
public struct CalDAVLimits: Sendable, Hashable {
    /// The maximum size of a reply in bytes.
    public var replyBytes: Int
    /// The maximum number of objects in a calendar, and of responses in a reply.
    public var members: Int
    /// The maximum depth of XML elements.
    public var depth: Int
    /// The maximum number of replies that one listing of changes consists of.
    public var pages: Int

    /// Creates limits.
    public init(replyBytes: Int = 64 << 20, members: Int = 200_000, depth: Int = 64, pages: Int = 10_000) {
        self.replyBytes = replyBytes
        self.members = members
        self.depth = depth
        self.pages = pages
    }
}
