import HTTPTransport
import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        var actual = RecordedRequest(
            request.method,
            "http://h" + RecordedRequest.escapedPath(path.isEmpty ? "/" : path)
        )
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
            found.append(
                RequestDifference(
                    part: "the request",
                    expected: "what the predicate accepts",
                    actual: "not accepted",
                    weight: 1
                )
            )
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

/// An unexpected request, or an expectation that was not met.
public struct TrafficIssue: Error, Sendable, Hashable, CustomStringConvertible {
    /// A location in a test's source, with the parts of a test library's own type.
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

    /// The kind of an issue.
    public enum Kind: Sendable, Hashable {
        /// A request that was not expected, or not at this point.
        case unexpected
        /// An expectation that was not met.
        case unmet
    }

    /// The kind of the issue.
    public let kind: Kind
    /// The request or the expectation, the differences, and what to do: one line.
    public let message: String
    /// The location of the expectation, or for an unexpected request of the closest one; nil if there is none.
    public let location: Location?

    /// The message with its location.
    public var description: String { location.map { "\(message) (\($0))" } ?? message }
}

/// All issues of a test.
public struct TrafficIssues: Error, Sendable, Hashable, CustomStringConvertible {
    /// The issues in their order; unmet expectations last.
    public let issues: [TrafficIssue]

    /// One line for each.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}
