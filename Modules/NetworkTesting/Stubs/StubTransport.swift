public import HTTPTransport
public import NetworkProvider
import Threading

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Returns sample responses instead of using a network: those of a route, one after the other, or the
/// ``StubbedTarget/stub`` of the target. A request without a sample fails with a message that names it.
public final class StubTransport: HTTPTransport {
    private struct Route {
        let method: HTTPMethod
        let path: String
        var samples: [StubbedResponse]
    }

    private struct State {
        var routes: [Route] = []
        var requests: [HTTPRequest] = []
    }

    private let state = Locked(State())
    private let clock: any Clock<Duration>

    /// Creates a transport without routes.
    /// - Parameter clock: measures the delays of responses.
    public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// Adds a route: requests with this method and unescaped path receive these samples one after the other, and then
    /// the last one. A later route for the same requests replaces an earlier one.
    @discardableResult
    public func on(_ method: HTTPMethod, _ path: String, _ samples: StubbedResponse...) -> StubTransport {
        state.withLock { state in
            state.routes.removeAll { $0.method == method && $0.path == path }
            state.routes.append(Route(method: method, path: path, samples: samples))
        }
        return self
    }

    /// All requests so far, in their order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Returns the next sample.
    /// - Parameters:
    ///   - request: the request; it is validated as by any other transport.
    ///   - events: called with the progress of both bodies at once, and with the end.
    /// - Returns: the sample.
    /// - Throws: the failure of the sample; `HTTPTransportError/Code/unexpectedRequest` if there is no sample.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        try request.validate()
        let path = request.url.path(percentEncoded: false)
        let routed = state.withLock { state -> StubbedResponse? in
            state.requests.append(request)
            guard let index = state.routes.firstIndex(where: { $0.method == request.method && $0.path == path }) else {
                return nil
            }
            let samples = state.routes[index].samples
            if samples.count > 1 { state.routes[index].samples.removeFirst() }
            return samples.first
        }
        guard let sample = routed ?? RequestContext.current.flatMap({ StubTransport.sample(of: $0.source) }) else {
            throw HTTPTransportError(
                .unexpectedRequest,
                url: request.url,
                detail:
                    "no sample for \(request.method) \(path); add one with on(_:_:_:), or let the target conform to StubbedTarget"
            )
        }
        return try await sample.response(to: request, events, clock)
    }

    private static func sample(of target: any RemoteTargetType) -> StubbedResponse? {
        let target = (target as? any TargetWrapper)?.wrapped ?? target
        return (target as? any StubbedTarget)?.stub
    }
}

/// A target with its own sample response, for a ``StubTransport``.
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
    /// The delay, by the transport's clock.
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
        do {
            if delay > .zero { try await clock.sleep(for: delay) }
            try Task.checkCancellation()
        } catch {
            throw HTTPTransportError.cancelled.at(request.url)
        }
        switch outcome {
        case .failure(let error):
            throw error.at(request.url)
        case .response(let status, let headers, let body):
            let sent = request.method == .head ? Data() : body
            if let length = request.body.knownLength, length > 0 { events?(.uploaded(length, of: length)) }
            if !sent.isEmpty { events?(.downloaded(Int64(sent.count), of: Int64(sent.count))) }
            events?(
                .finished(
                    HTTPMetrics(
                        total: delay,
                        bytesSent: request.body.knownLength ?? 0,
                        bytesReceived: Int64(sent.count)
                    )
                )
            )
            return HTTPResponse(
                head: HTTPResponseHead(status: status, headers: headers, url: request.url),
                body: HTTPResponseBody(sent)
            )
        }
    }
}
