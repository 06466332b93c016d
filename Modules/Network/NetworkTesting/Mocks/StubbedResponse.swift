public import EssentialFoundation
public import HTTPTransport
public import NetworkProvider

/// A sample response: a status with a body, or a failure, after a delay.
public struct StubbedResponse: Sendable {
    /// The result after the delay.
    public enum Outcome: Sendable {
        /// A response.
        case response(status: Int, headers: HTTPHeaders, body: Data)
        /// A failure of the transport.
        case failure(HTTPTransportError)
    }

    /// The result.
    public var outcome: Outcome
    /// The delay, by the transport's clock. It ends with the request's total timeout.
    public var delay: Duration

    /// Creates a sample.
    public init(_ outcome: Outcome, delay: Duration = .zero) {
        self.outcome = outcome
        self.delay = delay
    }

    /// Returns a response of bytes.
    public static func data(
        _ body: Data = Data(),
        status: Int = 200,
        headers: HTTPHeaders = [:],
        delay: Duration = .zero
    ) -> StubbedResponse {
        StubbedResponse(.response(status: status, headers: headers, body: body), delay: delay)
    }

    /// Returns a response of JSON text.
    public static func json(_ text: String, status: Int = 200, delay: Duration = .zero) -> StubbedResponse {
        .data(Data(text.utf8), status: status, headers: ["Content-Type": "application/json"], delay: delay)
    }

    /// Returns a response with a status and no body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> StubbedResponse {
        .data(status: status, headers: headers)
    }

    /// Returns a failure.
    public static func failure(_ code: HTTPTransportError.Code, delay: Duration = .zero) -> StubbedResponse {
        StubbedResponse(.failure(HTTPTransportError(code, detail: "stubbed")), delay: delay)
    }
}

extension StubbedResponse {
    /// Returns the response to a request, after the delay.
    func response(
        to request: HTTPRequest,
        _ events: HTTPEventHandler?,
        _ clock: any Clock<Duration>
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let total = request.timeouts.total
        let isLate = total.map { delay >= $0 } ?? false
        do {
            let wait = isLate ? total ?? delay : delay
            if wait > .zero { try await clock.sleep(for: wait) }
            try Task.checkCancellation()
        } catch {
            throw HTTPTransportError.cancelled.reported(by: events, of: request)
        }
        if isLate {
            let detail = "the response has a delay of \(delay)"
            throw HTTPTransportError(.timedOut(.total), detail: detail).reported(by: events, of: request, after: total)
        }
        switch outcome {
        case .failure(let error): throw error.reported(by: events, of: request, after: delay)
        case .response(let status, let headers, let body):
            let sent = request.method == .head ? Data() : body
            if let length = request.body.knownLength, length > 0 { events?(.uploaded(length, of: length)) }
            if !sent.isEmpty { events?(.downloaded(Int64(sent.count), of: Int64(sent.count))) }
            let (length, received) = (request.body.knownLength ?? 0, Int64(sent.count))
            events?(.finished(HTTPMetrics(total: delay, bytesSent: length, bytesReceived: received)))
            let head = HTTPResponseHead(status: status, headers: headers, url: request.url)
            return HTTPResponse(head: head, body: HTTPResponseBody(sent))
        }
    }
}

extension HTTPTransportError {
    /// Reports the failure of a request as the end of its exchange, and returns it with the request's URL.
    func reported(
        by events: HTTPEventHandler?,
        of request: HTTPRequest,
        after total: Duration? = nil,
        bytesReceived: Int = 0
    ) -> HTTPTransportError {
        let error = at(request.url)
        let metrics = HTTPMetrics(total: total ?? .zero, bytesSent: 0, bytesReceived: Int64(bytesReceived))
        events?(.failed(error, metrics))
        return error
    }
}

/// A target with its own sample response, for a ``MockTransport``.
///
/// Conform a target in the tests, so that the program contains no samples:
///
/// ```swift
/// extension Breeds: StubbedTarget {
///     var stub: StubbedResponse? { .json(#"["corgi"]"#) }
/// }
/// ```
///
/// Two targets of one type that make equal requests with different samples must not share an exchange: let their
/// `deduplicates` be false.
public protocol StubbedTarget: RemoteTargetType {
    /// The sample response; nil for none.
    var stub: StubbedResponse? { get }
}
