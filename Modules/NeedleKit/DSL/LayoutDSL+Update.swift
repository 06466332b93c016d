extension LayoutDSL {
    /// Changes constraints of the item in place; makes those that match none.
    ///
    /// A constraint matches a statement of the same attribute and relation, in this order:
    ///
    /// 1. A statement with a label changes the constraint with that label.
    /// 2. One without changes the constraint with the same target.
    /// 3. Where neither is found, it changes the only constraint in force that has the same attribute and relation,
    ///    carries no other label and matches no other statement: it gets the new target.
    ///
    /// What matches none is made beside the others. Constant, multiplier, target, priority, label and line are those of
    /// the statement from then on; what was out of force comes into force. A statement with an impossible number
    /// changes nothing and is told in ``LayoutEngine/diagnostics``. Constraints of stacks, rows and grids never match.
    ///
    /// - Parameter closure: states them.
    /// - Returns: the constraints changed or made, in the order they were stated.
    @discardableResult
    public func updateConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        let stated = accepted(prepareConstraints(closure))
        var free = item.layoutNode.constraints.filter { $0.arranged == nil }
        var matches = stated.map { statement in takeMatch(of: statement, from: &free) }
        // Only when every exact match is known can the one that is left be told.
        for (index, statement) in stated.enumerated() where matches[index] == nil {
            matches[index] = takeOnlyCandidate(for: statement, from: &free)
        }
        return zip(stated, matches).map { statement, match in
            guard let match else {
                statement.activate()
                return statement
            }
            match.takeOver(statement)
            return match
        }
    }

    /// The constraint with the statement's label, or without one with its target; one in force before others.
    private func takeMatch(of statement: Constraint, from free: inout [Constraint]) -> Constraint? {
        var found: Int?
        for (index, present) in free.enumerated()
        where present.attribute == statement.attribute && present.relation == statement.relation {
            let isMatch =
                if let label = statement.label { present.label == label } else {
                    present.target.isSame(as: statement.target)
                }
            guard isMatch else { continue }
            if present.isActive { return free.remove(at: index) }
            found = found ?? index
        }
        return found.map { free.remove(at: $0) }
    }

    private func takeOnlyCandidate(for statement: Constraint, from free: inout [Constraint]) -> Constraint? {
        let candidates = free.indices.filter { index in
            let present = free[index]
            return present.isActive && present.attribute == statement.attribute
                && present.relation == statement.relation && present.label == nil
        }
        return candidates.count == 1 ? free.remove(at: candidates[0]) : nil
    }
}
