import EssentialFoundation
import HTTPTransport
import NetworkProvider
import TextEscaping

/// An expectation of a ``MockTransport``.
struct ExpectedRequest: Sendable {
    let method: HTTPMethod
    /// The path, unescaped.
    let path: String
    let query: QueryParameters?
    let headers: HTTPHeaders
    let body: Data?
    let predicate: (@Sendable (HTTPRequest) -> Bool)?
    let response: StubbedResponse
    let times: Int
    let location: TrafficIssue.Location
    var met = 0

    var isMet: Bool { met >= times }
    var name: String { "\(method) \(path)" }

    /// Returns the differences of a request from the expected one.
    func differences(to request: HTTPRequest, _ body: RecordedBody) -> [RequestDifference] {
        // Unescaped on both sides, as expectations are written.
        var expected = RecordedRequest(method, "http://h" + RecordedRequest.escapedPath(path))
        let path = request.url.path(percentEncoded: false)
        let actualPath = RecordedRequest.escapedPath(path.isEmpty ? "/" : path)
        var actual = RecordedRequest(request.method, "http://h" + actualPath)
        if let query {
            expected.url += "?" + query.queryText
            actual.url += request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        }
        expected.headers = headers
        actual.headers = request.headers
        if let wanted = self.body {
            expected.body = RecordedBody(wanted)
            actual.body = body
        }
        let names = Set(headers.map { $0.name.lowercased() })
        var found = expected.differences(to: actual, RequestMatching(origin: false, headers: names))
        if found.isEmpty, let predicate, !predicate(request) {
            let (expected, actual) = ("what the predicate accepts", "not accepted")
            found.append(RequestDifference(part: "the request", expected: expected, actual: actual, weight: 1))
        }
        return found
    }
}

extension RecordedRequest {
    /// A path with everything but its slashes escaped.
    fileprivate static func escapedPath(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
            .joined(separator: "/")
    }
}
