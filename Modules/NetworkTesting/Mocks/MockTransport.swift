public import HTTPTransport
public import NetworkProvider
import Threading

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Returns the responses to the requests that a test expects, and fails for any other request and for missing ones.
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

    private struct State {
        var expected: [ExpectedRequest] = []
        var unexpected: [TrafficIssue] = []
        var requests: [HTTPRequest] = []
        var isVerified = false
    }

    private let order: Order
    private let clock: any Clock<Duration>
    private let report: (@Sendable (TrafficIssue) -> Void)?
    private let state = Locked(State())

    /// Creates a transport without expectations.
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
    ///   - predicate: accepts a request that matches everything else; nil for any.
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

    /// Returns the response to an expected request.
    /// - Throws: the failure of the response; `HTTPTransportError/Code/unexpectedRequest` for an unexpected request.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        try request.validate()
        let body = try await request.body.collected(upTo: 64 << 20)
        let outcome = state.withLock { state -> Result<StubbedResponse, TrafficIssue> in
            state.requests.append(request)
            let candidates = candidates(state.expected)
            let compared = candidates.map { ($0, state.expected[$0].differences(to: request, body)) }
            if let (index, _) = compared.first(where: { $0.1.isEmpty }) {
                state.expected[index].met += 1
                return .success(state.expected[index].response)
            }
            let closest = compared.min { left, right in
                left.1.reduce(0) { $0 + $1.weight } < right.1.reduce(0) { $0 + $1.weight }
            }
            let issue = TrafficIssue(unexpected: request, closest: closest.map { (state.expected[$0.0], $0.1) })
            state.unexpected.append(issue)
            return .failure(issue)
        }
        switch outcome {
        case .success(let response): return try await response.response(to: request, events, clock)
        case .failure(let issue):
            report?(issue)
            throw HTTPTransportError(.unexpectedRequest, url: request.url, detail: issue.message)
        }
    }

    /// Returns the expectations that the next request may meet.
    private func candidates(_ expected: [ExpectedRequest]) -> [Int] {
        let open = expected.indices.filter { !expected[$0].isMet }
        return order == .strict ? Array(open.prefix(1)) : open
    }

    private var unmet: [TrafficIssue] {
        state.withLock { state in state.expected.filter { !$0.isMet }.map { TrafficIssue(unmet: $0) } }
    }
}
