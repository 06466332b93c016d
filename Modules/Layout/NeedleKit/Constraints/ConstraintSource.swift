/// A description of a constraint: its equation and the line that states it, as text that outlives its items.
public struct ConstraintSource: Hashable, Sendable, CustomStringConvertible {
    /// The origin of a constraint.
    public enum Origin: Hashable, Sendable {
        /// A statement in code.
        case statement
        /// An item's content.
        case content
        /// The layout itself, for example for the size of its root.
        case layout
    }

    /// The origin of the constraint.
    public let origin: Origin
    /// The name of the constrained item.
    public let item: String
    /// The label set with ``ConstraintEditor/labeled(_:)``, if any.
    public let label: String?
    /// The constraint as an equation, for example `title.top == header.bottom + 1`.
    public let statement: String
    /// The constraint's priority.
    public let priority: LayoutPriority
    /// The file of the statement, as module and name. For content the file of the call of
    /// ``LayoutDSL/setHugging(_:_:file:line:)`` or ``LayoutDSL/setCompressionResistance(_:_:file:line:)`` that set the
    /// priority, `nil` without one.
    public let file: String?
    /// The line in ``file``.
    public let line: UInt?

    /// Label, statement, priority unless required, file and line.
    public var description: String {
        let name = label.map { "“\($0)” " } ?? ""
        let rank = priority == .required ? "" : " @\(priority)"
        guard let file, let line else { return "\(name)\(statement)\(rank)" }
        return "\(name)\(statement)\(rank) (\(file):\(line))"
    }
}

extension Constraint {
    /// The names of a constraint's items, stored for descriptions after the items are released.
    struct Names {
        var item: String?
        var target: String?
    }

    /// A description of the constraint that outlives its items.
    public var source: ConstraintSource { source(Names()) }

    /// The names of the items that still exist.
    var names: Names {
        Names(item: item?.layoutNode.displayName, target: target.item?.layoutNode.displayName)
    }

    /// A description of the constraint, with stored names for released items.
    func source(_ stored: Names) -> ConstraintSource {
        let name = item?.layoutNode.displayName ?? stored.item ?? LayoutNode.releasedName
        return ConstraintSource(
            origin: .statement,
            item: name,
            label: label,
            statement: equation(name, storedTarget: stored.target),
            priority: priority,
            file: file,
            line: line
        )
    }

    private func equation(_ item: String, storedTarget: String?) -> String {
        let left = "\(item).\(attribute) \(relation.symbol)"
        let area = target.area.suffix
        let factor = multiplier == 1 ? "" : " * \(multiplier)"
        let rest =
            constant == 0 ? "" : constant < 0 ? " - \(Constraint.text(-constant))" : " + \(Constraint.text(constant))"
        switch target.kind {
        case .number: return "\(left) \(Constraint.text(constant))"
        case .item:
            let name = target.item?.layoutNode.displayName ?? storedTarget ?? LayoutNode.releasedName
            return "\(left) \(name)\(area).\(target.attribute)\(factor)\(rest)"
        case .parent: return "\(left) parent\(area).\(target.attribute)\(factor)\(rest)"
        }
    }

    /// A number without a fraction of zero.
    static func text(_ value: Double) -> String {
        abs(value) < 1e15 && Double(Int(value)) == value ? "\(Int(value))" : "\(value)"
    }
}
