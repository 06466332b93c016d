import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Answers with samples instead of a network: by route, one after the other, or from the target's own
/// ``RemoteTargetType/stub``. A request that nobody foresaw fails with a message that names it.
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
        guard let sample = routed ?? RequestContext.current?.stub else {
            throw HTTPTransportError(
                .unexpectedRequest,
                url: request.url,
                detail: "no sample for \(request.method) \(path); add one with on(_:_:_:), or give the target a stub"
            )
        }
        return try await sample.given(to: request, events, clock)
    }
}
