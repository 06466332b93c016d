/// Several constraints that change together: those of one statement such as `make.edges`, those of a stack or a grid, or
/// any collection.
///
/// A change that would fail on one member throws before any member changes.
@MainActor
public final class ConstraintGroup {
    /// The members, in the order of their statements.
    public private(set) var constraints: [Constraint]
    /// The guides of an arrangement, removed with it.
    private var guides: [LayoutGuide] = []

    /// Creates a group.
    public init(_ constraints: [Constraint] = []) { self.constraints = constraints }

    init(_ constraints: [Constraint], guides: [LayoutGuide]) {
        self.constraints = constraints
        self.guides = guides
    }

    /// Adds members, for example the result of ``LayoutDSL/makeConstraints(_:)``.
    public func append(_ more: [Constraint]) { constraints += more }

    /// Adds the members of another group.
    public func append(_ other: ConstraintGroup) {
        constraints += other.constraints
        guides += other.guides
    }

    // MARK: - Activation

    /// Whether all members are active. Setting it activates or deactivates the members that differ.
    public var isActive: Bool {
        get { constraints.allSatisfy(\.isActive) }
        set { for constraint in constraints { constraint.isActive = newValue } }
    }

    /// Activates the members that are not active.
    public func activate() { isActive = true }

    /// Deactivates the members that are active.
    public func deactivate() { isActive = false }

    /// Removes all members from their items, together with the guides of an arrangement, and empties the group.
    public func remove() {
        for constraint in constraints { constraint.remove() }
        for guide in guides { guide.remove() }
        constraints = []
        guides = []
    }

    // MARK: - Changes in place

    /// Changes the constant of every member.
    ///
    /// - Parameter constant: the new constant, along the axis.
    /// - Throws: ``LayoutError`` if the number is not finite or too large; all members are unchanged then.
    public func setConstant(_ constant: Double) throws(LayoutError) { try setConstants { _ in constant } }

    /// Moves every member inward from its target by the same distance; replaces the constants.
    ///
    /// - Throws: ``LayoutError`` if the number is not finite or too large; all members are unchanged then.
    public func setInset(_ inset: Double) throws(LayoutError) {
        try setConstants { inset * $0.attribute.insetFactor }
    }

    /// Moves every member inward from its target by the inset of its edge; replaces the constants.
    ///
    /// - Throws: ``LayoutError`` if a number is not finite or too large; all members are unchanged then.
    public func setInset(_ insets: some LayoutInsetsConvertible) throws(LayoutError) {
        let insets = insets.layoutInsets
        try setConstants { $0.attribute.constant(of: insets) }
    }

    /// Changes the gaps of a stack or a grid; other members are unchanged.
    ///
    /// - Parameter spacing: the new distance between neighbours.
    /// - Throws: ``LayoutError`` if the number is not finite or too large; all members are unchanged then.
    public func setSpacing(_ spacing: Double) throws(LayoutError) {
        try setConstants { $0.arranged == .gap ? spacing : nil }
    }

    /// Changes the constants of the members for which a function returns one.
    private func setConstants(_ constant: (Constraint) -> Double?) throws(LayoutError) {
        for member in constraints {
            if let constant = constant(member) { try LayoutError.checkConstant(constant, of: member) }
        }
        for member in constraints {
            if let constant = constant(member) { try member.setConstant(constant) }
        }
    }

    /// Changes the factor on every member's target.
    ///
    /// - Throws: ``LayoutError`` if the number is not finite or too large; all members are unchanged then.
    public func setMultiplier(_ multiplier: Double) throws(LayoutError) {
        // Whether a factor is valid does not depend on the member: if any member throws, the first one does.
        for constraint in constraints { try constraint.setMultiplier(multiplier) }
    }

    /// Changes the target of every member to the same attribute of another item or of a guide.
    public func setTarget(_ item: any Constrainable) {
        for constraint in constraints { constraint.setTarget(item) }
    }

    /// Changes the priority of every member, also from and to required.
    public func setPriority(_ priority: LayoutPriority) {
        for constraint in constraints { constraint.setPriority(priority) }
    }
}
