/// Why bytes are no property list, or a tree cannot become one.
public struct PropertyListProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let detail: String
    /// Where, in bytes from the beginning; `nil` where that says nothing.
    public let offset: Int?

    /// The deepest nesting that is read or written.
    static let depthLimit = 128

    init(_ detail: String, at offset: Int? = nil) {
        self.detail = detail
        self.offset = offset
    }

    /// What is wrong, and where.
    public var description: String {
        offset.map { "\(detail) at byte \($0)" } ?? detail
    }
}
