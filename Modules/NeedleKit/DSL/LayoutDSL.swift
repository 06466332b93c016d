/// An item's constraints and anchors, reached as `item.ndl`.
@MainActor
public struct LayoutDSL: AnchorSource {
    /// The item.
    public let item: any LayoutItem
    /// Always false: these are the anchors of the frame.
    public var isSafeArea: Bool { false }

    /// The part of the item that nothing covers.
    public var safeArea: SafeArea { SafeArea(item: item) }

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
    /// A statement with an impossible number is left out and told in ``LayoutEngine/diagnostics``.
    ///
    /// - Parameter closure: states them.
    /// - Returns: the constraints, in the order they were stated.
    @discardableResult
    public func makeConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        let constraints = accepted(prepareConstraints(closure))
        for constraint in constraints { constraint.activate() }
        return constraints
    }

    /// Changes constraints that say the same but for number, multiplier and priority, or that have the same label and
    /// attribute, in place; makes those that match none.
    ///
    /// - Parameter closure: states them.
    /// - Returns: the constraints changed or made, in the order they were stated.
    @discardableResult
    public func updateConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        var taken: Set<ObjectIdentifier> = []
        return accepted(prepareConstraints(closure)).map { stated in
            let match = item.layoutNode.constraints.first { present in
                guard !taken.contains(ObjectIdentifier(present)), present.attribute == stated.attribute,
                    present.relation == stated.relation
                else { return false }
                if let label = stated.label { return present.label == label }
                return present.target.isSame(as: stated.target)
            }
            guard let match else {
                stated.activate()
                taken.insert(ObjectIdentifier(stated))
                return stated
            }
            taken.insert(ObjectIdentifier(match))
            match.takeOver(stated)
            return match
        }
    }

    /// Removes the item's constraints and makes others.
    ///
    /// - Parameter closure: states the new ones.
    /// - Returns: the constraints made.
    @discardableResult
    public func remakeConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        removeConstraints()
        return makeConstraints(closure)
    }

    /// Removes all constraints made on the item; those made on others that refer to it stay.
    public func removeConstraints() {
        let former = item.layoutNode.constraints
        for constraint in former { constraint.deactivate() }
        item.layoutNode.constraints.removeAll()
    }

    /// The constraints whose numbers are possible; the others are told to the engine, at once or when the item joins one.
    private func accepted(_ constraints: [Constraint]) -> [Constraint] {
        constraints.filter { constraint in
            do throws(LayoutError) {
                try LayoutError.check(constraint.constant, of: constraint)
                try LayoutError.checkMultiplier(constraint.multiplier, of: constraint)
                return true
            } catch {
                item.layoutNode.refuse(error)
                return false
            }
        }
    }
}
