import HTTPTransport
import NetworkProvider

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

/// Something that a ``MockTransport`` did not foresee, or that it waited for in vain.
public struct TrafficIssue: Error, Sendable, Hashable, CustomStringConvertible {
    /// A place in a test's source, in the parts that a test library's own type has.
    public struct Location: Sendable, Hashable, CustomStringConvertible {
        /// Module and file: `DogTests/BreedsTests.swift`.
        public let fileID: String
        /// The file's whole path.
        public let filePath: String
        /// The line, from 1.
        public let line: Int
        /// The column, from 1.
        public let column: Int

        /// File and line.
        public var description: String { "\(fileID):\(line)" }
    }

    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// A request that nobody expected, or not now.
        case unexpected
        /// An expectation that was not met.
        case unmet
    }

    /// What is wrong.
    public let kind: Kind
    /// The request or the expectation, what differs, and what to do: one line.
    public let message: String
    /// Where the expectation stands, or for an unexpected request the closest one; nil where there is none.
    public let location: Location?

    /// The message with its place.
    public var description: String { location.map { "\(message) (\($0))" } ?? message }
}

/// Everything that was wrong with a test's traffic.
public struct TrafficIssues: Error, Sendable, Hashable, CustomStringConvertible {
    /// The issues, in the order in which they came up; unmet expectations last.
    public let issues: [TrafficIssue]

    /// One line for each.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}
