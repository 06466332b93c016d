public import HTTPTransport
import Locking
public import NetworkProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Answers the requests that a test expects, and fails the test on any other and on those that do not come.
///
/// ```swift
/// let network = MockTransport()
/// network.expect(.get, "/breeds", answer: .json(#"["corgi"]"#))
/// let provider = NetworkProvider(transport: network)
/// #expect(try await provider.request(Breeds()) == ["corgi"])
/// try network.verify()
/// ```
///
/// It needs no test library and works with each: ``verify()`` throws what was wrong, also where the code under test has
/// swallowed the error of an unexpected request. To have an issue shown at its own line as soon as it comes up, hand
/// `report` a closure that records it with the library's own location.
public final class MockTransport: HTTPTransport {
    /// In which order expectations are met.
    public enum Order: Sendable, Hashable {
        /// As they were written down.
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

    /// Creates a transport that expects nothing yet.
    /// - Parameters:
    ///   - order: in which order expectations are met.
    ///   - clock: what an answer's delay is measured by.
    ///   - report: takes each issue as it comes up, from any task; unmet expectations at the verification, or when the
    ///     transport is let go of without one.
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

    /// Expects a request.
    /// - Parameters:
    ///   - method: its method.
    ///   - path: its path, unescaped.
    ///   - times: how often it comes; 1 or more.
    ///   - query: its whole query, the order of the names aside; nil for any.
    ///   - headers: fields that it has, among others.
    ///   - body: its body, JSON compared as values; nil for any.
    ///   - answer: what it is answered with.
    ///   - fileID: where the expectation stands.
    ///   - filePath: where the expectation stands.
    ///   - line: where the expectation stands.
    ///   - column: where the expectation stands.
    ///   - predicate: says, of a request for which all else is right, whether it is the one; nil for any.
    public func expect(
        _ method: HTTPMethod,
        _ path: String,
        times: Int = 1,
        query: QueryParameters? = nil,
        headers: HTTPHeaders = [:],
        body: Data? = nil,
        answer: StubbedResponse = .status(200),
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
            answer: answer,
            times: max(times, 1),
            location: location
        )
        state.withLock { $0.expected.append(expected) }
    }

    /// Every request so far, in order, expected or not.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// What has been wrong so far, unmet expectations left out.
    public var issues: [TrafficIssue] { state.withLock { $0.unexpected } }

    /// Ends the test's traffic.
    /// - Throws: everything that was wrong: requests that were not expected, expectations that were not met.
    public func verify() throws(TrafficIssues) {
        let unmet = unmet
        let (unexpected, isFirst) = state.withLock { state in
            defer { state.isVerified = true }
            return (state.unexpected, !state.isVerified)
        }
        if isFirst, let report { for issue in unmet { report(issue) } }
        guard unexpected.isEmpty, unmet.isEmpty else { throw TrafficIssues(issues: unexpected + unmet) }
    }

    /// Answers an expected request.
    /// - Throws: the answer's failure; `HTTPTransportError/Code/unexpectedRequest` for a request that was not expected.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        try request.validate()
        let body = try await request.body.gathered(upTo: 64 << 20)
        let outcome = state.withLock { state -> Result<StubbedResponse, TrafficIssue> in
            state.requests.append(request)
            let candidates = candidates(state.expected)
            let compared = candidates.map { ($0, state.expected[$0].differences(to: request, body)) }
            if let (index, _) = compared.first(where: { $0.1.isEmpty }) {
                state.expected[index].met += 1
                return .success(state.expected[index].answer)
            }
            let closest = compared.min { left, right in
                left.1.reduce(0) { $0 + $1.weight } < right.1.reduce(0) { $0 + $1.weight }
            }
            let issue = MockTransport.unexpected(request, closest.map { (state.expected[$0.0], $0.1) })
            state.unexpected.append(issue)
            return .failure(issue)
        }
        switch outcome {
        case .success(let answer): return try await answer.given(to: request, events, clock)
        case .failure(let issue):
            report?(issue)
            throw HTTPTransportError(.unexpectedRequest, url: request.url, detail: issue.message)
        }
    }

    /// The expectations that the next request may meet.
    private func candidates(_ expected: [ExpectedRequest]) -> [Int] {
        let open = expected.indices.filter { !expected[$0].isMet }
        return order == .strict ? Array(open.prefix(1)) : open
    }

    private var unmet: [TrafficIssue] {
        state.withLock { state in
            state.expected.filter { !$0.isMet }.map { expected in
                let count = expected.times == 1 ? "" : ": \(expected.met) of \(expected.times) times"
                return TrafficIssue(
                    kind: .unmet,
                    message: "\(expected.name) was expected and did not come\(count)",
                    location: expected.location
                )
            }
        }
    }

    private static func unexpected(
        _ request: HTTPRequest,
        _ closest: (expected: ExpectedRequest, differences: [RequestDifference])?
    ) -> TrafficIssue {
        let redaction = RequestContext.current?.redaction ?? Redaction()
        let name = "\(request.method) \(redaction.redacted(request.url))"
        guard let closest else {
            return TrafficIssue(
                kind: .unexpected,
                message: "\(name) came when nothing more was expected",
                location: nil
            )
        }
        let differences = closest.differences.prefix(5).map { redaction.redacted(difference: $0) }.joined(
            separator: "; "
        )
        return TrafficIssue(
            kind: .unexpected,
            message: "\(name) was not expected; closest is \(closest.expected.name): \(differences)"
                .withVisibleControls,
            location: closest.expected.location
        )
    }
}

extension Redaction {
    /// A difference without the values of what is secret by its name.
    fileprivate func redacted(difference: RequestDifference) -> String {
        let name = difference.part.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
        let last = name.split(separator: ".").last ?? ""
        guard headers.contains(name) || isSecretFormField(name) || isSecretFormField(last) else {
            return difference.description
        }
        return "\(difference.part) differs"
    }
}
