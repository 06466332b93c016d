import HTTPTransport
import NetworkProvider
import TextEscaping

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
    /// The location of the expectation, or for an unexpected request of the closest one; nil without expectations.
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

extension TrafficIssue {
    /// Creates the issue of an expectation that was not met.
    init(unmet expected: ExpectedRequest) {
        let count = expected.times == 1 ? "" : ": \(expected.met) of \(expected.times) times"
        self.init(
            kind: .unmet,
            message: "\(expected.name) was expected but was not sent\(count)",
            location: expected.location
        )
    }

    /// Creates the issue of a request that was not expected.
    /// - Parameters:
    ///   - request: the request.
    ///   - closest: the open expectation that differs least, with the differences; nil if none is open.
    init(unexpected request: HTTPRequest, closest: (expected: ExpectedRequest, differences: [RequestDifference])?) {
        let redaction = RequestContext.current?.redaction ?? Redaction()
        let name = "\(request.method) \(redaction.redacted(request.url))"
        guard let closest else {
            self.init(
                kind: .unexpected,
                message: "\(name) was sent when no further request was expected, and it has no sample",
                location: nil
            )
            return
        }
        let differences = closest.differences.prefix(5).map { redaction.redacted(difference: $0) }
        let message =
            "\(name) was not expected; closest is \(closest.expected.name): \(differences.joined(separator: "; "))"
        self.init(kind: .unexpected, message: message.escapingControls(), location: closest.expected.location)
    }
}

extension Redaction {
    /// Returns a difference without the values of secrets.
    fileprivate func redacted(difference: RequestDifference) -> String {
        let name = difference.part.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
        let isSecret =
            headers.contains(name) || isSecretFormField(name)
            || name.split(separator: ".").contains { isSecretFormField($0) }
        return isSecret ? "\(difference.part) differs" : difference.description
    }
}
