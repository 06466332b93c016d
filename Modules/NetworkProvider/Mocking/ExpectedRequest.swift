#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One expectation of a ``MockTransport``.
struct ExpectedRequest: Sendable {
    let method: HTTPMethod
    /// Decoded.
    let path: String
    let query: QueryParameters?
    let headers: HTTPHeaders
    let body: Data?
    let predicate: (@Sendable (HTTPRequest) -> Bool)?
    let answer: StubbedResponse
    let times: Int
    let location: TrafficIssue.Location
    var met = 0

    var isMet: Bool { met >= times }
    var name: String { "\(method) \(path)" }

    /// Where a request differs from what is expected.
    func differences(to request: HTTPRequest, _ body: RecordedBody) -> [RequestDifference] {
        // Unescaped on both sides: expectations are written as people read paths.
        var expected = RecordedRequest(method, "http://h" + RecordedRequest.escapedPath(path))
        let path = request.url.path(percentEncoded: false)
        var asked = RecordedRequest(request.method, "http://h" + RecordedRequest.escapedPath(path.isEmpty ? "/" : path))
        if let query {
            expected.url += "?" + query.queryText
            asked.url += request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        }
        expected.headers = headers
        asked.headers = request.headers
        if let wanted = self.body {
            expected.body = RecordedBody(wanted)
            asked.body = body
        }
        let names = Set(headers.map { $0.name.lowercased() })
        var found = expected.differences(to: asked, RequestMatching(origin: false, headers: names))
        if found.isEmpty, let predicate, !predicate(request) {
            found.append(
                RequestDifference(
                    part: "the request",
                    expected: "what the test's own check accepts",
                    asked: "refused by it",
                    weight: 1
                )
            )
        }
        return found
    }
}

extension RecordedRequest {
    /// A decoded path with all but its slashes escaped.
    fileprivate static func escapedPath(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
            .joined(separator: "/")
    }
}
