extension Solver {
    /// The value of a variable; 0 for one that no constraint determines or that was removed.
    public mutating func value(of variable: Variable) -> Double {
        guard let index = try? checked(variable) else { return 0 }
        tableau.evaluate()
        return tableau.value(variables[index].symbol)
    }

    /// Hands over each variable whose value changed since the last call, once, with its present value. A variable made
    /// since then may be among them though its value is still 0.
    ///
    /// Only what depends on the changes since then is evaluated.
    ///
    /// - Parameter body: receives the variable and its value, in a fixed order.
    @inlinable
    public mutating func drainChanges(_ body: (Variable, Double) -> Void) {
        for change in takeChanges() { body(change.variable, change.value) }
    }

    /// Lists each variable whose value changed since the last call.
    ///
    /// - Returns: valid until the solver is used again.
    @usableFromInline
    mutating func takeChanges() -> UnsafeBufferPointer<VariableChange> {
        tableau.evaluate()
        drains &+= 1
        let count = tableau.changed.count
        changes.removeAll()
        changes.reserve(count)
        let symbols = tableau.symbols.base
        let places = tableau.changed.base
        for place in 0..<count {
            let symbol = symbols + Int(places[place])
            symbol.pointee.isReported = false
            guard !symbol.pointee.isFree, symbol.pointee.kind == .variable else { continue }
            let index = symbol.pointee.owner
            let variable = Variable(index: index, generation: variables[Int(index)].generation)
            changes.appendWithinCapacity(VariableChange(variable: variable, value: symbol.pointee.value))
        }
        tableau.changed.removeAll()
        return UnsafeBufferPointer(start: changes.base, count: changes.count)
    }

    /// By how much a constraint is not met: zero or more, in the unit of its constant.
    ///
    /// - Parameter id: the constraint, in force or not.
    /// - Returns: the violation.
    /// - Throws: ``SolverError/unknownConstraint(_:)``, ``SolverError/unknownVariable(_:)`` when one of its variables was
    ///   removed.
    public mutating func violation(of id: ConstraintID) throws(SolverError) -> Double {
        let index = try checked(id)
        for term in constraints[index].constraint.terms { _ = try checked(term.variable) }
        tableau.evaluate()
        return violation(index)
    }

    /// The summed, weighted violation of each priority in force, edits among them; required ones under 1000.
    public mutating func violations() -> [Priority: Double] {
        tableau.evaluate()
        var sums: [Priority: Double] = [:]
        for index in constraints.indices where constraints[index].isInForce {
            let constraint = constraints[index].constraint
            sums[constraint.priority, default: 0] += violation(index) * constraint.weight
        }
        return sums
    }

    /// The violated constraints below required, the worst priority first, then by id.
    ///
    /// - Parameter tolerance: how much violation counts as none, in the unit of the constant.
    /// - Returns: each with its residual.
    public mutating func violatedPreferences(tolerance: Double = 1e-6) -> [Violation] {
        tableau.evaluate()
        var found: [Violation] = []
        for index in constraints.indices where constraints[index].isInForce {
            let constraint = constraints[index].constraint
            guard !constraint.priority.isRequired, violation(index) > tolerance else { continue }
            found.append(
                Violation(
                    id: id(index),
                    edited: constraints[index].isEdit ? constraint.terms.first?.variable : nil,
                    priority: constraint.priority,
                    residual: leftSide(index) - constraint.constant
                )
            )
        }
        found.sort { ($1.priority, $0.id.index) < ($0.priority, $1.id.index) }
        return found
    }

    func violation(_ index: Int) -> Double {
        let constraint = constraints[index].constraint
        let difference = leftSide(index) - constraint.constant
        switch constraint.relation {
        case .equal: return abs(difference)
        case .lessThanOrEqual: return max(0, difference)
        case .greaterThanOrEqual: return max(0, -difference)
        }
    }

    func leftSide(_ index: Int) -> Double {
        reading { $0.leftSide(index) }
    }
}
