/// An item's constraints and anchors, reached as `item.ndl`.
@MainActor
public struct LayoutDSL: AnchorSource {
    /// The item.
    public let item: any LayoutItem
    /// The frame.
    public var area: LayoutArea { .frame }

    /// The part of the item that nothing covers.
    public var safeArea: SafeArea { SafeArea(item: item) }

    /// The part of the item inside its margins.
    public var margins: Margins { Margins(item: item) }

    /// The constraints made on the item, active or not.
    public var constraints: [Constraint] { item.layoutNode.constraints }

    /// States constraints without putting them into force.
    ///
    /// - Parameter closure: states them.
    /// - Returns: the constraints, to be activated.
    public func prepareConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        let maker = ConstraintMaker(item)
        closure(maker)
        return maker.statements.flatMap(\.constraints)
    }

    /// Makes constraints on the item, beside those it has.
    ///
    /// A statement with an impossible number, or with the same on both sides, is left out and told in ``LayoutEngine/diagnostics``.
    ///
    /// - Parameter closure: states them.
    /// - Returns: the constraints, in the order they were stated.
    @discardableResult
    public func makeConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        let constraints = accepted(prepareConstraints(closure))
        for constraint in constraints { constraint.activate() }
        return constraints
    }

    /// Removes the item's constraints and makes others.
    ///
    /// It makes and solves everything anew; where only numbers or targets change, ``updateConstraints(_:)`` costs a
    /// fraction of it.
    ///
    /// - Parameter closure: states the new ones.
    /// - Returns: the constraints made.
    @discardableResult
    public func remakeConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        removeConstraints()
        return makeConstraints(closure)
    }

    /// Removes all constraints made on the item.
    ///
    /// Those made on others that refer to it stay, and so do those of stacks, rows and grids that the item is part of:
    /// their ``ConstraintGroup`` takes them away.
    public func removeConstraints() {
        let former = item.layoutNode.constraints
        item.layoutNode.constraints = former.filter { $0.arranged != nil }
        for constraint in former where constraint.isActive && constraint.arranged == nil { constraint.deactivate() }
    }

    /// The constraints that are possible; the others are told to the engine, at once or when the item joins one.
    func accepted(_ constraints: [Constraint]) -> [Constraint] {
        constraints.filter { constraint in
            do throws(LayoutError) {
                try LayoutError.check(constraint.constant, of: constraint)
                try LayoutError.checkMultiplier(constraint.multiplier, of: constraint)
                try LayoutError.checkVariables(constraint.target, constraint.multiplier, of: constraint)
                return true
            } catch {
                item.layoutNode.refuse(error)
                return false
            }
        }
    }
}
