#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Why a target gave no response: what failed, for which target, with the request and the answer where there are any.
public struct NetworkError: Error, Sendable {
    /// What failed.
    public enum Reason: Sendable {
        /// The target makes no request that can be sent; the text says which part.
        case invalidRequest(String)
        /// The target's value could not be encoded.
        case encoding(any Error)
        /// The exchange failed: no connection, a timeout, a broken answer.
        case transport(HTTPTransportError)
        /// The answer's status, or its head, did not pass the target's validation.
        case unacceptableStatus(Int)
        /// The body is not what the target's response is decoded from.
        case decoding(any Error)
        /// One redirect followed another more often than is allowed.
        case tooManyRedirects(limit: Int)
        /// A redirect that may not be followed; the text says why.
        case refusedRedirect(String)
        /// The body is longer than the target or the provider allows, in bytes.
        case bodyTooLarge(limit: Int)
        /// Nothing that could be used is in the cache, and the target's policy forbids to ask the server.
        case notCached
        /// A file could not be written, with the system's error number.
        case file(path: String, code: Int32)
        /// A plugin stopped the request.
        case plugin(any Error)
        /// The task was cancelled.
        case cancelled
    }

    /// What failed.
    public var reason: Reason
    /// The name of the target's type.
    public var target: String
    /// What was sent or would have been, without credentials; nil when there was no request yet.
    public var request: RedactedRequest?
    /// What was answered, with the beginning of the body; nil when there was no answer.
    public var response: ResponseExcerpt?

    /// Creates an error.
    public init(
        _ reason: Reason,
        target: String,
        request: RedactedRequest? = nil,
        response: ResponseExcerpt? = nil
    ) {
        self.reason = reason
        self.target = target
        self.request = request
        self.response = response
    }

    /// The answer's status, where there was an answer.
    public var status: Int? { response?.head.status }

    /// Whether the task was cancelled, which is no failure to show to anybody.
    public var isCancellation: Bool {
        if case .cancelled = reason { true } else { false }
    }

    /// Whether the connection did not come about or broke, so that asking for the rest may bring it.
    var isInterruption: Bool {
        guard case .transport(let error) = reason else { return false }
        return switch error.code {
        case .cannotResolveHost, .cannotConnect, .timedOut, .connectionLost, .noResponse, .bodyTruncated: true
        default: false
        }
    }

    /// Whether the network could not be reached at all, so that trying later may help.
    public var isOffline: Bool {
        guard case .transport(let error) = reason else { return false }
        return switch error.code {
        case .cannotResolveHost, .cannotConnect, .timedOut(.connect): true
        default: false
        }
    }
}

/// The beginning of an answer, kept for an error.
public struct ResponseExcerpt: Sendable {
    /// Status and header fields, credentials taken out.
    public var head: HTTPResponseHead
    /// At most the first 4 KiB of the body, with the secret fields of JSON and forms taken out.
    public var body: Data

    /// Creates an excerpt.
    public init(head: HTTPResponseHead, body: Data = Data()) {
        self.head = head
        self.body = body
    }

    /// The body as text, control characters shown as escapes.
    public var text: String { String(decoding: body, as: UTF8.self).withVisibleControls }
}

extension NetworkError {
    /// The error that any error on the way stands for.
    static func wrapping(_ error: any Error, target: String, request: RedactedRequest?) -> NetworkError {
        switch error {
        case let error as NetworkError: return error
        case is CancellationError: return NetworkError(.cancelled, target: target, request: request)
        case let error as HTTPTransportError:
            let reason: Reason
            switch error.code {
            case .cancelled: reason = .cancelled
            case .invalidURL, .invalidMethod, .invalidHeader, .invalidBody: reason = .invalidRequest(error.description)
            default: reason = .transport(error)
            }
            return NetworkError(reason, target: target, request: request)
        case RedirectPolicy.Refusal.tooMany(let limit):
            return NetworkError(.tooManyRedirects(limit: limit), target: target, request: request)
        case RedirectPolicy.Refusal.unusable(let why):
            return NetworkError(.refusedRedirect(why), target: target, request: request)
        default: return NetworkError(.plugin(error), target: target, request: request)
        }
    }
}
