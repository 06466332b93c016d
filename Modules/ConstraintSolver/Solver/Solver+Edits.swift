extension Solver {
    /// Lets values be suggested for a variable: a wish that the variable equal the suggestion, 0 at first.
    ///
    /// - Parameters:
    ///   - variable: the variable.
    ///   - priority: how much the suggestion matters, below required; 1000 is taken as a requirement that
    ///     ``suggest(_:for:)`` may refuse.
    /// - Throws: ``SolverError/duplicateEdit(_:)``, ``SolverError/unknownVariable(_:)``,
    ///   ``SolverError/unsatisfiable(_:conflicting:)``, ``SolverError/pivotLimit``.
    public mutating func addEdit(_ variable: Variable, priority: Priority) throws(SolverError) {
        let index = try checked(variable)
        guard variables[index].edit < 0 else { throw .duplicateEdit(variable) }
        let id = try add(LinearConstraint([Term(variable)], .equal, 0, priority: priority))
        constraints[Int(id.index)].isEdit = true
        variables[index].edit = id.index
    }

    /// Suggests a value for a variable.
    ///
    /// - Parameters:
    ///   - value: the value wished for.
    ///   - variable: a variable with an edit.
    /// - Throws: ``SolverError/noEdit(_:)``, ``SolverError/unknownVariable(_:)``, ``SolverError/notFinite(_:in:)``,
    ///   ``SolverError/outOfRange(_:in:)``, ``SolverError/unsatisfiable(_:conflicting:)``, ``SolverError/pivotLimit``.
    public mutating func suggest(_ value: Double, for variable: Variable) throws(SolverError) {
        let index = try checked(variable)
        guard variables[index].edit >= 0 else { throw .noEdit(variable) }
        try Solver.checkConstant(value, .edit(variable))
        try changeConstant(Int(variables[index].edit), value)
    }

    /// Ends a variable's edit: the suggestion is no longer wished for.
    ///
    /// - Parameter variable: a variable with an edit.
    /// - Throws: ``SolverError/noEdit(_:)``, ``SolverError/unknownVariable(_:)``, ``SolverError/pivotLimit``.
    public mutating func removeEdit(_ variable: Variable) throws(SolverError) {
        let index = try checked(variable)
        guard variables[index].edit >= 0 else { throw .noEdit(variable) }
        let edit = Int(variables[index].edit)
        try leave(edit)
        forget(edit)
        variables[index].edit = -1
    }

    /// Whether a variable has an edit.
    public func hasEdit(_ variable: Variable) -> Bool {
        guard let index = try? checked(variable) else { return false }
        return variables[index].edit >= 0
    }
}
