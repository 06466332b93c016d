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
