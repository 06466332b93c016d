/// Values, changes and violations.
extension Solver {
    /// Returns the value of a variable; 0 if no constraint determines it or it was removed.
    public mutating func value(of variable: Variable) -> Double {
        guard let index = try? variables.index(of: variable) else { return 0 }
        tableau.evaluate()
        return tableau.store.value(variables[index].symbol)
    }

    /// Reports each variable whose value changed since the last call, once, with its current value. A variable created
    /// since then may be among them though its value is still 0.
    ///
    /// Only what depends on the changes since the last call is evaluated.
    ///
    /// - Parameter body: receives the variable and its value, in a deterministic order.
    @inlinable
    public mutating func drainChanges(_ body: (Variable, Double) -> Void) {
        for change in takeChanges() { body(change.variable, change.value) }
    }

    /// Lists each variable whose value changed since the last call. Returns the changes, valid until the solver is
    /// used again.
    @usableFromInline mutating func takeChanges() -> UnsafeBufferPointer<VariableChange> {
        tableau.evaluate()
        drains &+= 1
        let count = tableau.evaluation.changed.count
        changes.removeAll()
        changes.reserve(count)
        let symbols = tableau.store.symbols.base
        let places = tableau.evaluation.changed.base
        for place in 0..<count {
            let symbol = symbols + Int(places[place])
            symbol.pointee.isReported = false
            guard !symbol.pointee.isFree, symbol.pointee.kind == .variable else { continue }
            let variable = variables.variable(Int(symbol.pointee.owner))
            changes.appendWithinCapacity(VariableChange(variable: variable, value: symbol.pointee.value))
        }
        tableau.evaluation.changed.removeAll()
        return UnsafeBufferPointer(start: changes.base, count: changes.count)
    }

    // MARK: - Violations

    /// Returns how far a constraint is violated: zero or more, in the unit of its constant.
    ///
    /// - Parameter id: the constraint, active or not.
    /// - Returns: the violation.
    /// - Throws: ``SolverError/unknownConstraint(_:)``, ``SolverError/unknownVariable(_:)`` when one of its variables was
    ///   removed.
    public mutating func violation(of id: ConstraintID) throws(SolverError) -> Double {
        let index = try constraints.index(of: id)
        for term in constraints[index].constraint.terms { _ = try variables.index(of: term.variable) }
        tableau.evaluate()
        return violation(index)
    }

    /// Returns the summed, weighted violation of each priority of the active constraints and edits; that of required
    /// constraints under 1000.
    public mutating func violations() -> [Priority: Double] {
        tableau.evaluate()
        var sums: [Priority: Double] = [:]
        for index in constraints.indices where constraints[index].isActive {
            let constraint = constraints[index].constraint
            sums[constraint.priority, default: 0] += violation(index) * constraint.weight
        }
        return sums
    }

    /// Returns the violated preferences, ordered by descending priority, then by id.
    ///
    /// - Parameter tolerance: the largest violation that is ignored, in the unit of the constant.
    /// - Returns: each with its residual.
    public mutating func violatedPreferences(tolerance: Double = 1e-6) -> [Violation] {
        tableau.evaluate()
        var found: [Violation] = []
        for index in constraints.indices where constraints[index].isActive {
            let constraint = constraints[index].constraint
            guard !constraint.priority.isRequired, violation(index) > tolerance else { continue }
            found.append(
                Violation(
                    id: constraints.id(index),
                    edited: constraints[index].isEdit ? constraint.terms.first?.variable : nil,
                    priority: constraint.priority,
                    residual: leftSide(index) - constraint.constant
                )
            )
        }
        found.sort { ($1.priority, $0.id.index) < ($0.priority, $1.id.index) }
        return found
    }

    private func violation(_ index: Int) -> Double {
        constraints[index].constraint.violation(leftSide(index))
    }

    private func leftSide(_ index: Int) -> Double {
        ResidualReader.read(constraints, variables, tableau.store) { $0.leftSide(index) }
    }
}

/// A preference that is not met, because others of the same or a higher priority exclude it.
public struct Violation: Hashable, Sendable {
    /// The constraint.
    public let id: ConstraintID
    /// For an edit, the variable whose suggested value is not met; `nil` for other constraints.
    public let edited: Variable?
    /// The constraint's priority.
    public let priority: Priority
    /// The left side minus the right side, in the unit of the constant.
    public let residual: Double

    /// How far the constraint is violated: zero or more.
    public var amount: Double { abs(residual) }
}
