extension Solver {
    /// Makes several changes as one: all of them, or none.
    ///
    /// When the block throws, everything is as it was before the call, to the bit: values, constraints, edits, and what
    /// every later operation does. Ids and variables that were made inside mean nothing then. Transactions may be nested;
    /// an inner one that throws and is caught leaves the outer one to go on.
    ///
    ///     try solver.transaction { solver in
    ///         try solver.add(first)
    ///         try solver.add(second)     // refused: the first is gone, too
    ///     }
    ///
    /// The call keeps a copy of the system meanwhile, which costs time and memory in proportion to its size.
    ///
    /// - Parameter body: makes the changes, on the solver that it receives.
    /// - Returns: what the block returns.
    /// - Throws: what the block throws.
    @discardableResult
    public mutating func transaction<Result: ~Copyable, Failure: Error>(
        _ body: (inout Solver) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var before = Solver(copying: self)
        do throws(Failure) {
            return try body(&self)
        } catch {
            let wasDrained = drains != before.drains
            swap(&self, &before)
            // Whoever drained changes inside has seen values that never came to be.
            if wasDrained { reportAll() }
            throw error
        }
    }

    /// Makes a solver that goes on from the same bits.
    init(copying other: borrowing Solver) {
        self.init()
        tableau = Tableau(copying: other.tableau)
        variables = other.variables
        constraints = other.constraints
        freeVariables = other.freeVariables
        freeConstraints = other.freeConstraints
        count = other.count
        rebuilds = other.rebuilds
        termCount = other.termCount
        rebuildTolerance = other.rebuildTolerance
        drains = other.drains
        residuals = Buffer(copying: other.residuals)
    }

    /// Lets the next draining of changes hand over every variable.
    private mutating func reportAll() {
        tableau.evaluate()
        for variable in variables where variable.isAlive && !tableau.symbols[variable.symbol].isReported {
            tableau.symbols[variable.symbol].isReported = true
            tableau.changed.append(variable.symbol)
        }
    }
}
