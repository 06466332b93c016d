/// A constraint that was rejected. Everything else in the layout is unaffected.
public enum LayoutError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A constant or multiplier is not a number or infinite.
    case notFinite(ConstraintSource)
    /// A constant is beyond 1e9, or a multiplier other than zero is outside 1e-6 to 1e6.
    case outOfRange(ConstraintSource)
    /// The anchors are on different axes, or one is an extent and the other a position.
    case wrongAxis(ConstraintSource)
    /// The items are in different trees, or one is in no tree.
    case noCommonAncestor(ConstraintSource)
    /// An item was released while the constraint referred to it.
    case itemReleased(ConstraintSource)
    /// Both sides are the same part of the same item, which constraints of Apple platforms cannot express. A
    /// ``LayoutEngine`` accepts such a constraint, which states a fact: it holds, or it is unsatisfiable.
    case noVariables(ConstraintSource)
    /// ``Constraint/activate()`` was called on an active constraint.
    case alreadyActive(ConstraintSource)
    /// ``Constraint/deactivate()`` was called on an inactive constraint.
    case notActive(ConstraintSource)
    /// The solver reached its limit on pivots.
    case unsolvable(ConstraintSource)

    /// The rejected constraint.
    public var constraint: ConstraintSource {
        switch self {
        case .notFinite(let source), .outOfRange(let source), .wrongAxis(let source), .noCommonAncestor(let source),
            .itemReleased(let source), .noVariables(let source), .alreadyActive(let source), .notActive(let source),
            .unsolvable(let source):
            source
        }
    }

    /// The constraint, the reason and what to do.
    public var description: String {
        switch self {
        case .notFinite(let source): "\(source) has a number that is not finite; use a finite number"
        case .outOfRange(let source):
            "\(source) has a number out of range; use constants within 1e9 and multipliers within 1e-6 to 1e6"
        case .wrongAxis(let source):
            "\(source) refers to an anchor on another axis; refer to an anchor on the same axis"
        case .noCommonAncestor(let source):
            "\(source) relates items that are not in one tree; add both below the same root"
        case .itemReleased(let source):
            "\(source) referred to an item that was released, so the constraint was removed; "
                + "remove constraints before releasing their items"
        case .noVariables(let source):
            "\(source) has the same attribute on both sides; refer to another item or attribute"
        case .alreadyActive(let source): "\(source) is already active; activate it once"
        case .notActive(let source): "\(source) is not active; deactivate only active constraints"
        case .unsolvable(let source):
            "\(source) could not be solved within the limit on pivots; simplify the layout"
        }
    }

    /// Throws if a constant is not finite or beyond 1e9.
    @MainActor
    static func checkConstant(_ constant: Double, of constraint: Constraint) throws(LayoutError) {
        guard constant.isFinite else { throw .notFinite(constraint.source) }
        guard abs(constant) <= 1e9 else { throw .outOfRange(constraint.source) }
    }

    /// Throws if a multiplier is not finite, or other than zero and outside 1e-6 to 1e6.
    @MainActor
    static func checkMultiplier(_ multiplier: Double, of constraint: Constraint) throws(LayoutError) {
        guard multiplier.isFinite else { throw .notFinite(constraint.source) }
        guard multiplier == 0 || abs(multiplier) <= 1e6 && abs(multiplier) >= 1e-6 else {
            throw .outOfRange(constraint.source)
        }
    }

    /// Throws if a number of a constraint is invalid or its target is on another axis.
    @MainActor
    static func check(_ constraint: Constraint) throws(LayoutError) {
        try checkConstant(constraint.constant, of: constraint)
        try checkMultiplier(constraint.multiplier, of: constraint)
        guard constraint.hasMatchingAxes else { throw .wrongAxis(constraint.source) }
    }
}

/// Errors that no later layout can resolve: each once, at most the latest hundred, until a layout has passed without them.
struct LayoutErrorLog {
    static let limit = 100

    private(set) var errors: [LayoutError] = []
    /// The number of leading errors that were present when the last layout ended.
    private var reported = 0

    mutating func append(_ error: LayoutError) {
        if let index = errors.firstIndex(of: error) {
            guard index < reported else { return }
            remove(at: index)
        }
        if errors.count == LayoutErrorLog.limit { remove(at: 0) }
        errors.append(error)
    }

    /// Removes the errors that were present when the last layout ended.
    mutating func layoutBegins() {
        guard reported > 0 else { return }
        errors.removeFirst(reported)
        reported = 0
    }

    mutating func layoutEnds() { reported = errors.count }

    /// Returns all errors and empties the log.
    mutating func takeAll() -> [LayoutError] {
        defer { self = LayoutErrorLog() }
        return errors
    }

    private mutating func remove(at index: Int) {
        errors.remove(at: index)
        if index < reported { reported -= 1 }
    }
}
