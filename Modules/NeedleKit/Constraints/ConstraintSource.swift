/// Where a constraint comes from and what it says, as text that outlives its items.
public struct ConstraintSource: Hashable, Sendable, CustomStringConvertible {
    /// Who asks for a constraint.
    public enum Origin: Hashable, Sendable {
        /// A statement in code.
        case statement
        /// An item's content.
        case content
        /// The layout itself, such as for the size of its root.
        case layout
    }

    /// Who asks for it.
    public let origin: Origin
    /// The name of the item that it is on.
    public let item: String
    /// The label given with `labeled(_:)`, if any.
    public let label: String?
    /// What the constraint says, such as `title.top == header.bottom + 1`.
    public let statement: String
    /// How much it matters.
    public let priority: LayoutPriority
    /// The file that states it, as module and name; for content the one that says how much it matters, `nil` where none
    /// said so with ``LayoutDSL/setHugging(_:_:file:line:)`` or
    /// ``LayoutDSL/setCompressionResistance(_:_:file:line:)``.
    public let file: String?
    /// The line that states it, likewise.
    public let line: UInt?

    /// Label, statement, priority where it is not required, file and line.
    public var description: String {
        let name = label.map { "“\($0)” " } ?? ""
        let rank = priority == .required ? "" : " @\(priority)"
        guard let file, let line else { return "\(name)\(statement)\(rank)" }
        return "\(name)\(statement)\(rank) (\(file):\(line))"
    }
}
