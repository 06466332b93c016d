public import HTTPTransport
import Locking
public import NetworkProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Answers with samples instead of a network: by route, one after the other, or from the target's own
/// ``StubbedTarget/stub``. A request that nobody foresaw fails with a message that names it.
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

    /// Creates a transport without a route.
    /// - Parameter clock: what delays are measured by; the real one unless told otherwise.
    public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// Adds a route: requests with this method and decoded path get these samples one after the other, and the last
    /// of them from then on. A later route for the same requests replaces an earlier one.
    @discardableResult
    public func on(_ method: HTTPMethod, _ path: String, _ samples: StubbedResponse...) -> StubTransport {
        state.withLock { state in
            state.routes.removeAll { $0.method == method && $0.path == path }
            state.routes.append(Route(method: method, path: path, samples: samples))
        }
        return self
    }

    /// Every request so far, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Answers with the next sample.
    /// - Parameters:
    ///   - request: what is asked; it is validated as a real transport would.
    ///   - events: told of both bodies at once, and of the end.
    /// - Returns: the sample.
    /// - Throws: the sample's failure; `HTTPTransportError/Code/unexpectedRequest` where there is no sample.
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
                detail: "no sample for \(request.method) \(path); add one with on(_:_:_:), or give the target a stub"
            )
        }
        return try await sample.given(to: request, events, clock)
    }

    private static func sample(of target: any RemoteTargetType) -> StubbedResponse? {
        let target = (target as? any TargetWrapper)?.wrapped ?? target
        return (target as? any StubbedTarget)?.stub
    }
}

/// A target with a sample response of its own, for a ``StubTransport``.
///
/// Conform a target in the tests, so that the program itself carries no samples:
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

/// A sample answer: a status with a body, or a failure, after a while.
public struct StubbedResponse: Sendable {
    /// What comes after the delay.
    public enum Outcome: Sendable {
        /// An answer.
        case response(status: Int, headers: HTTPHeaders, body: Data)
        /// A failure of the transport.
        case failure(HTTPTransportError)
    }

    /// What comes.
    public var outcome: Outcome
    /// After how long, by the stub transport's clock.
    public var delay: Duration

    /// Creates a sample.
    public init(_ outcome: Outcome, delay: Duration = .zero) {
        self.outcome = outcome
        self.delay = delay
    }

    /// An answer of bytes.
    public static func data(
        _ body: Data = Data(),
        status: Int = 200,
        headers: HTTPHeaders = [:],
        delay: Duration = .zero
    ) -> StubbedResponse {
        StubbedResponse(.response(status: status, headers: headers, body: body), delay: delay)
    }

    /// An answer of JSON text.
    public static func json(_ text: String, status: Int = 200, delay: Duration = .zero) -> StubbedResponse {
        .data(Data(text.utf8), status: status, headers: ["Content-Type": "application/json"], delay: delay)
    }

    /// An answer with a status and no body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> StubbedResponse {
        .data(status: status, headers: headers)
    }

    /// A failure.
    public static func failure(_ code: HTTPTransportError.Code, delay: Duration = .zero) -> StubbedResponse {
        StubbedResponse(.failure(HTTPTransportError(code, detail: "stubbed")), delay: delay)
    }
}

extension StubbedResponse {
    /// Gives the sample to a request as a transport would, after its delay.
    func given(
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
