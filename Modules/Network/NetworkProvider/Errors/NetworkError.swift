public import EssentialFoundation
import TextEscaping

/// The failure of a request: the reason, the target, the redacted request and, if there was one, the response.
public struct NetworkError: Error, Sendable {
    /// The reason of a failure.
    public enum Reason: Sendable {
        /// The target's parts do not form a valid request; the text names the invalid part.
        case invalidRequest(String)
        /// The target's value could not be encoded.
        case encoding(any Error)
        /// The exchange failed: no connection, a timeout, a malformed response.
        case transport(HTTPTransportError)
        /// The target's validation does not accept the response's status or head.
        case unacceptableStatus(Int)
        /// The body could not be decoded to the target's response.
        case decoding(any Error)
        /// There were more redirects in a row than the policy allows.
        case tooManyRedirects(limit: Int)
        /// The policy forbids a redirect; the text says why.
        case refusedRedirect(String)
        /// The body is larger than the target or the provider allows, in bytes.
        case bodyTooLarge(limit: Int)
        /// The cache has no response, and the target's policy forbids a request to the server.
        case notCached
        /// A file could not be written, with the system's error number.
        case file(path: String, code: Int32)
        /// A plugin stopped the request.
        case plugin(any Error)
        /// The task was cancelled.
        case cancelled
    }

    /// The reason of the failure.
    public var reason: Reason
    /// The name of the target's type.
    public var target: String
    /// The request without credentials; nil if the failure came before there was one.
    public var request: RedactedRequest?
    /// The response with the beginning of its body; nil if none was received.
    public var response: ResponseExcerpt?
    /// What to do, in place of the usual advice for a body that is too large.
    var advice: String?

    /// Creates an error.
    public init(_ reason: Reason, target: String, request: RedactedRequest? = nil, response: ResponseExcerpt? = nil) {
        self.reason = reason
        self.target = target
        self.request = request
        self.response = response
    }

    /// The response's status; nil if there was no response.
    public var status: Int? { response?.head.status }

    /// Whether the task was cancelled, which is not a failure to show to the user. A cancelled request throws this error and
    /// not a `CancellationError`.
    public var isCancellation: Bool {
        if case .cancelled = reason { true } else { false }
    }

    /// Whether the network could not be reached, so that a later attempt may succeed; also if that is why a credential could
    /// not be refreshed.
    public var isOffline: Bool { transportFailure?.isConnectionFailure ?? false }

    /// Whether there was no connection or it broke, so that a request for the rest may succeed.
    var isInterruption: Bool {
        switch transportFailure?.code {
        case .timedOut, .connectionLost, .noResponse, .bodyTruncated: true
        default: isOffline
        }
    }

    /// The failure of the exchange, or of the one that would have refreshed the credential.
    private var transportFailure: HTTPTransportError? {
        switch reason {
        case .transport(let error): error
        case .plugin(AuthenticationError.refreshFailed(let cause)):
            (cause as? NetworkError)?.transportFailure ?? cause as? HTTPTransportError
        default: nil
        }
    }

    /// Returns the error of the provider for any error that ends a request.
    static func wrapping(_ error: any Error, target: String, request: RedactedRequest?) -> NetworkError {
        let reason: Reason
        switch error {
        case let error as NetworkError: return error
        case is CancellationError: reason = .cancelled
        case let error as HTTPTransportError:
            switch error.code {
            case .cancelled: reason = .cancelled
            case .invalidURL, .invalidMethod, .invalidHeader, .invalidBody: reason = .invalidRequest(error.description)
            default: reason = .transport(error)
            }
        case RedirectPolicy.Refusal.tooMany(let limit): reason = .tooManyRedirects(limit: limit)
        case RedirectPolicy.Refusal.unusable(let why): reason = .refusedRedirect(why)
        default: reason = .plugin(error)
        }
        return NetworkError(reason, target: target, request: request)
    }
}

/// The head of a response and the beginning of its body, redacted.
public struct ResponseExcerpt: Sendable {
    /// Status and header fields.
    public var head: HTTPResponseHead
    /// At most the first 4 KiB of the body; the secret fields of JSON and forms are replaced.
    public var body: Data

    /// Creates an excerpt.
    public init(head: HTTPResponseHead, body: Data = Data()) {
        self.head = head
        self.body = body
    }

    /// The body as text, with control characters escaped.
    public var text: String { String(decoding: body, as: UTF8.self).escapingControls() }
}
