/// Everything that was wrong with a test's traffic.
public struct TrafficIssues: Error, Sendable, Hashable, CustomStringConvertible {
    /// The issues, in the order in which they came up; unmet expectations last.
    public let issues: [TrafficIssue]

    /// One line for each.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}
