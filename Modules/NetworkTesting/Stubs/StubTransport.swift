public import HTTPTransport
public import NetworkProvider
import Threading

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
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
