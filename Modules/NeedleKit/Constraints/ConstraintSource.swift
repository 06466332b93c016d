/// Where a constraint was stated and what it says, as text that outlives its items.
public struct ConstraintSource: Hashable, Sendable, CustomStringConvertible {
    /// The label given with `labeled(_:)`, if any.
    public let label: String?
    /// What the constraint says, such as `title.top == header.bottom + 1`.
    public let statement: String
    /// How much it matters.
    public let priority: LayoutPriority
    /// The file that states it, as module and name.
    public let file: String
    /// The line that states it.
    public let line: UInt

    /// Label, statement, priority where it is not required, file and line.
    public var description: String {
        let name = label.map { "“\($0)” " } ?? ""
        let rank = priority == .required ? "" : " @\(priority)"
        return "\(name)\(statement)\(rank) (\(file):\(line))"
    }
}
