public import EssentialFoundation
public import HTTPTransport
public import NetworkProvider
import Threading

/// A transport for tests that returns samples instead of using a network.
///
/// With ``on(_:_:_:)`` it is a stub: it returns the samples of a route, one after the other, or the ``StubbedTarget/stub`` of
/// the target. With ``expect(_:_:times:query:headers:body:response:fileID:filePath:line:column:where:)`` it is a mock: it
/// returns the responses to the requests that a test expects, and ``verify()`` fails for missing ones. Any other request
/// fails in both cases.
///
/// ```swift
/// let network = MockTransport()
/// network.expect(.get, "/breeds", response: .json(#"["corgi"]"#))
/// let provider = NetworkProvider(transport: network)
/// #expect(try await provider.request(Breeds()) == ["corgi"])
/// try network.verify()
/// ```
///
/// It does not depend on a test library: ``verify()`` throws all issues, even if the tested code has ignored the error
/// of an unexpected request. To report each issue at its own line at once, pass a `report` closure that records it
/// with the library's own location.
public final class MockTransport: HTTPTransport {
    /// The order in which expectations are met.
    public enum Order: Sendable, Hashable {
        /// In the order in which they were added.
        case strict
        /// In any order; of equal expectations, the earlier one first.
        case any
    }

    private struct Route {
        let method: HTTPMethod
        let path: String
        var samples: [StubbedResponse]
    }

    private struct State {
        var routes: [Route] = []
        var expected: [ExpectedRequest] = []
        /// The number of requests that met an expectation.
        var met = 0
        var unexpected: [TrafficIssue] = []
        var requests: [HTTPRequest] = []
        var isVerified = false
    }

    private let order: Order
    private let clock: any Clock<Duration>
    private let report: (@Sendable (TrafficIssue) -> Void)?
    private let state = Locked(State())

    /// Creates a transport without samples and expectations.
    /// - Parameters:
    ///   - order: the order in which expectations are met.
    ///   - clock: measures the delay of a response.
    ///   - report: receives each issue at once, from any task; unmet expectations at the verification, or when the
    ///     transport is released without one.
    public init(
        order: Order = .strict,
        clock: any Clock<Duration> = ContinuousClock(),
        report: (@Sendable (TrafficIssue) -> Void)? = nil
    ) {
        self.order = order
        self.clock = clock
        self.report = report
    }

    deinit {
        guard let report, !state.withLock({ $0.isVerified }) else { return }
        for issue in unmet { report(issue) }
    }

    /// Adds a route: requests with this method and unescaped path that meet no expectation receive these samples one after
    /// the other, and then the last one. A later route for the same requests replaces an earlier one.
    @discardableResult
    public func on(_ method: HTTPMethod, _ path: String, _ samples: StubbedResponse...) -> MockTransport {
        state.withLock { state in
            let path = path.isEmpty ? "/" : path
            state.routes.removeAll { $0.method == method && $0.path == path }
            state.routes.append(Route(method: method, path: path, samples: samples))
        }
        return self
    }

    /// Adds an expectation.
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path, unescaped.
    ///   - times: the number of requests; 1 or more.
    ///   - query: the whole query, in any order of the names; nil for any.
    ///   - headers: fields that the request has, among others.
    ///   - body: the body; JSON is compared as values; nil for any.
    ///   - response: the response.
    ///   - fileID: the location of the expectation.
    ///   - filePath: the location of the expectation.
    ///   - line: the location of the expectation.
    ///   - column: the location of the expectation.
    ///   - predicate: accepts a request that matches everything else; nil for any. It may be called more than once.
    public func expect(
        _ method: HTTPMethod,
        _ path: String,
        times: Int = 1,
        query: QueryParameters? = nil,
        headers: HTTPHeaders = [:],
        body: Data? = nil,
        response: StubbedResponse = .status(200),
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column,
        where predicate: (@Sendable (HTTPRequest) -> Bool)? = nil
    ) {
        let location = TrafficIssue.Location(fileID: fileID, filePath: filePath, line: line, column: column)
        let expected = ExpectedRequest(
            method: method,
            path: path,
            query: query,
            headers: headers,
            body: body,
            predicate: predicate,
            response: response,
            times: max(times, 1),
            location: location
        )
        state.withLock { $0.expected.append(expected) }
    }

    /// All requests so far in their order, expected or not.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The issues so far, without unmet expectations.
    public var issues: [TrafficIssue] { state.withLock { $0.unexpected } }

    /// Ends the test's traffic.
    /// - Throws: all issues: unexpected requests and unmet expectations.
    public func verify() throws(TrafficIssues) {
        let unmet = unmet
        let (unexpected, isFirst) = state.withLock { state in
            defer { state.isVerified = true }
            return (state.unexpected, !state.isVerified)
        }
        if isFirst, let report { for issue in unmet { report(issue) } }
        guard unexpected.isEmpty, unmet.isEmpty else { throw TrafficIssues(issues: unexpected + unmet) }
    }

    /// Returns the response of the expectation that the request meets, of its route or of its target.
    /// - Throws: the failure of the response; `HTTPTransportError/Code/unexpectedRequest` for an unexpected request.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        try request.validate()
        let hasExpectations = state.withLock { !$0.expected.isEmpty }
        let body = hasExpectations ? try await request.body.collected(upTo: 64 << 20) : RecordedBody()
        state.withLock { $0.requests.append(request) }
        var outcome = outcome(of: request, body)
        while outcome == nil { outcome = self.outcome(of: request, body) }
        switch outcome {
        case .success(let response)?: return try await response.response(to: request, events, clock)
        case .failure(let issue)?:
            report?(issue)
            throw HTTPTransportError(.unexpectedRequest, detail: issue.message).reported(by: events, of: request)
        case nil: throw .cancelled
        }
    }

    /// Returns the response to a request; nil if another request has met an expectation meanwhile, so that this one must be
    /// compared again.
    private func outcome(of request: HTTPRequest, _ body: RecordedBody) -> Result<StubbedResponse, TrafficIssue>? {
        let (expected, met) = state.withLock { ($0.expected, $0.met) }
        let open = expected.indices.filter { !expected[$0].isMet }
        // Outside the lock, since a predicate may use the transport.
        let compared = (order == .strict ? Array(open.prefix(1)) : open).map { index in
            (index: index, differences: expected[index].differences(to: request, body))
        }
        let sample = RequestContext.current.flatMap { MockTransport.sample(of: $0.source) }
        return state.withLock { state in
            guard state.met == met else { return nil }
            if let index = compared.first(where: { $0.differences.isEmpty })?.index {
                state.expected[index].met += 1
                state.met += 1
                return .success(state.expected[index].response)
            }
            if let response = MockTransport.next(for: request, &state.routes) ?? sample { return .success(response) }
            let closest = compared.min { $0.differences.weight < $1.differences.weight }
            let issue = TrafficIssue(unexpected: request, closest: closest.map { (expected[$0.index], $0.differences) })
            state.unexpected.append(issue)
            return .failure(issue)
        }
    }

    /// Returns the next sample of a request's route; nil without a route.
    private static func next(for request: HTTPRequest, _ routes: inout [Route]) -> StubbedResponse? {
        var path = request.url.path(percentEncoded: false)
        if path.isEmpty { path = "/" }
        guard let index = routes.firstIndex(where: { $0.method == request.method && $0.path == path }) else {
            return nil
        }
        let samples = routes[index].samples
        if samples.count > 1 { routes[index].samples.removeFirst() }
        return samples.first
    }

    private static func sample(of target: (any RemoteTargetType)?) -> StubbedResponse? {
        let target = (target as? any TargetWrapper)?.wrapped ?? target
        return (target as? any StubbedTarget)?.stub
    }

    private var unmet: [TrafficIssue] {
        state.withLock { state in state.expected.filter { !$0.isMet }.map { TrafficIssue(unmet: $0) } }
    }
}

/// A ``MockTransport`` without expectations.
public typealias StubTransport = MockTransport
