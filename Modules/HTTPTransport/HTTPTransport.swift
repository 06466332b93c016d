/// Sends requests: the seam between what a program wants and the library that speaks HTTP.
///
/// A transport sends one request and gives one answer. It follows no redirect, keeps no cookie, answers no challenge
/// and retries nothing a server has seen: those are policies, the same over every transport, and stand above it.
///
/// Every transport holds to this, and one suite of tests checks them all:
/// - The request is checked by ``HTTPRequest/validate()`` before a byte leaves.
/// - ``send(_:events:)`` returns when the head is there; the body follows at its reader's pace.
/// - Cancelling the task ends the exchange and closes its connection, whenever it comes. A body is cancelled with the
///   task that reads it, or when it is let go of.
/// - Every failure is an ``HTTPTransportError``, and comes within the request's timeouts.
public protocol HTTPTransport: Sendable {
    /// Sends a request and gives the answer's head, with its body to be read.
    /// - Parameters:
    ///   - request: what to send.
    ///   - events: told of progress and, at the end, of the metrics; nil costs nothing.
    /// - Returns: the answer's head, and its body as it arrives.
    /// - Throws: ``HTTPTransportError``, with ``HTTPTransportError/Code/cancelled`` for a cancelled task.
    func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse

    /// What it cannot do here; empty for a transport that can do everything.
    var unsupportedFeatures: Set<HTTPTransportFeature> { get }
}

extension HTTPTransport {
    /// Sends a request without looking at its progress.
    public func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        try await send(request, events: nil)
    }

    /// Nothing.
    public var unsupportedFeatures: Set<HTTPTransportFeature> { [] }
}
