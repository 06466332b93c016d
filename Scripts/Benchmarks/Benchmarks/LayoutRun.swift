import ConstraintSolver

/// A program on its way through the solver's public interface, phase by phase.
struct LayoutRun: ~Copyable {
    private let program: LayoutProgram
    private var solver = Solver()
    private var unknowns: [Variable] = []
    private var constraints: [LinearConstraint] = []
    private var ids: [ConstraintID?]
    /// The values that a client stores: the value of each variable, updated by each reading.
    private var values: [Double]

    init(_ program: LayoutProgram) {
        self.program = program
        ids = [ConstraintID?](repeating: nil, count: program.entries.count)
        values = [Double](repeating: 0, count: program.variables)
        for _ in 0..<program.variables { unknowns.append(solver.makeVariable()) }
        for entry in program.entries {
            var terms: [Term] = []
            for (variable, coefficient) in entry.terms { terms.append(Term(unknowns[variable], coefficient)) }
            constraints.append(
                LinearConstraint(
                    terms,
                    entry.relation,
                    entry.constant,
                    priority: Priority(entry.priority),
                    weight: entry.weight
                )
            )
        }
    }

    /// Runs a phase; those before it must have run.
    ///
    /// - Throws: ``SolverError``, which no workload should bring about.
    mutating func run(_ phase: Int) throws(SolverError) {
        for step in program.phases[phase].steps {
            switch step {
            case .add(let index):
                if let id = ids[index] {
                    try solver.add(id)
                } else {
                    ids[index] = try solver.add(constraints[index])
                }
            case .remove(let index): if let id = ids[index] { try solver.remove(id) }
            case .constant(let index, let value): if let id = ids[index] { try solver.setConstant(id, value) }
            case .edit(let variable, let priority):
                try solver.addEdit(unknowns[variable], priority: Priority(priority))
            case .suggest(let variable, let value): try solver.suggest(value, for: unknowns[variable])
            case .read: solver.drainChanges { variable, value in values[Int(variable.index)] = value }
            }
        }
    }

    /// The sum of all values last read, to compare runs with.
    var sum: Double { values.reduce(0, +) }

    /// How many variables could have other values as good as those that they have.
    mutating func openVariables() -> Int { solver.ambiguities().count }

    /// The largest difference between a constraint and what the solver holds of it.
    mutating func largestResidual() -> Double { solver.largestResidual() }

    /// The bits of the values last read.
    var bits: [UInt64] { values.map(\.bitPattern) }
}

extension LayoutProgram {
    /// Runs the program.
    ///
    /// - Returns: the microseconds of each phase, and the sum of all values.
    /// - Throws: ``SolverError``, which no workload should bring about.
    func run() throws -> (times: [Double], sum: Double) {
        var run = LayoutRun(self)
        var times: [Double] = []
        for phase in phases.indices {
            let start = ContinuousClock.now
            try run.run(phase)
            times.append((ContinuousClock.now - start).seconds * 1e6)
        }
        return (times, run.sum)
    }

    /// How many variables the program leaves open at its end.
    ///
    /// - Throws: ``SolverError``, which no workload should bring about.
    func openVariables() throws -> Int {
        var run = LayoutRun(self)
        for phase in phases.indices { try run.run(phase) }
        return run.openVariables()
    }

    /// Runs the program up to a phase, and that one so that ``InstructionCounter`` can separate it from the others.
    ///
    /// - Throws: ``SolverError``, which no workload should bring about.
    func run(counting phase: Int) throws {
        var run = LayoutRun(self)
        for before in 0..<phase { try run.run(before) }
        try countedLayoutPhase(&run, phase)
        blackHole(run.sum)
    }
}

/// The function inside which instructions are counted.
@inline(never)
private func countedLayoutPhase(_ run: inout LayoutRun, _ phase: Int) throws {
    try run.run(phase)
}
