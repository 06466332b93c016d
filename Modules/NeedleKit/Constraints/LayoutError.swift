/// What a layout refuses. The constraint that is named was not entered or changed; everything else goes on.
public enum LayoutError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A constant or multiplier is not a number or infinite.
    case notFinite(ConstraintSource)
    /// A constant is beyond 1e9, or a multiplier other than zero outside 1e-6 to 1e6.
    case outOfRange(ConstraintSource)
    /// The anchors lie on different axes, or one is an extent and the other a position.
    case wrongAxis(ConstraintSource)
    /// The items are in different trees, or one is in none.
    case noCommonAncestor(ConstraintSource)
    /// An item was released while the constraint referred to it.
    case itemReleased(ConstraintSource)
    /// Both sides are the same, so that nothing is left to determine.
    case noVariables(ConstraintSource)
    /// The constraint was put into force a second time.
    case alreadyActive(ConstraintSource)
    /// The constraint was to be taken out of force without being in it.
    case notActive(ConstraintSource)
    /// The solver gave up within its bound on pivots.
    case unsolvable(ConstraintSource)

    /// The constraint that is meant.
    public var constraint: ConstraintSource {
        switch self {
        case .notFinite(let source), .outOfRange(let source), .wrongAxis(let source), .noCommonAncestor(let source),
            .itemReleased(let source), .noVariables(let source), .alreadyActive(let source), .notActive(let source),
            .unsolvable(let source):
            source
        }
    }

    /// What was refused, and what to do.
    public var description: String {
        switch self {
        case .notFinite(let source): "\(source) has a number that is not finite; give a finite one"
        case .outOfRange(let source):
            "\(source) has a number too large or too small; keep constants within 1e9 and multipliers within 1e-6 to 1e6"
        case .wrongAxis(let source): "\(source) cannot refer to an anchor of another axis; use one of the same kind"
        case .noCommonAncestor(let source):
            "\(source) ties items that are not in one tree; add both below the same root"
        case .itemReleased(let source):
            "\(source) refers to an item that was released and was taken away; remove it first"
        case .noVariables(let source): "\(source) has the same on both sides; refer to another item or attribute"
        case .alreadyActive(let source): "\(source) is in force already; activate it once"
        case .notActive(let source): "\(source) is not in force; deactivate it only while it is active"
        case .unsolvable(let source): "\(source) could not be solved within the bound on pivots; simplify the layout"
        }
    }

    @MainActor
    static func check(_ constant: Double, of constraint: Constraint) throws(LayoutError) {
        guard constant.isFinite else { throw .notFinite(constraint.source) }
        guard abs(constant) <= 1e9 else { throw .outOfRange(constraint.source) }
    }

    /// Refuses what has the same part of the same item on both sides, so that it cancels out.
    @MainActor
    static func checkVariables(
        _ target: ConstraintTarget,
        _ multiplier: Double,
        of constraint: Constraint
    ) throws(LayoutError) {
        guard multiplier == 1, target.kind == .item, target.attribute == constraint.attribute,
            let item = target.item, item === constraint.item
        else { return }
        throw .noVariables(constraint.source)
    }

    @MainActor
    static func checkMultiplier(_ multiplier: Double, of constraint: Constraint) throws(LayoutError) {
        guard multiplier.isFinite else { throw .notFinite(constraint.source) }
        guard multiplier == 0 || abs(multiplier) <= 1e6 && abs(multiplier) >= 1e-6 else {
            throw .outOfRange(constraint.source)
        }
    }
}
