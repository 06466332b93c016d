import ConstraintSolver

/// A workload for constraint solvers: constraints, and phases of steps, run here and by the peer's driver alike.
struct LayoutProgram: Sendable {
    struct Entry: Sendable {
        var terms: [(variable: Int, coefficient: Double)]
        var relation: Relation
        var constant: Double
        var priority: Int
    }

    enum Step: Sendable {
        case add(Int)
        case remove(Int)
        case edit(Int, Int)
        case suggest(Int, Double)
        case read
    }

    var variables = 0
    var entries: [Entry] = []
    var phases: [(name: String, steps: [Step])] = []

    mutating func variable() -> Int {
        variables += 1
        return variables - 1
    }

    mutating func phase(_ name: String) {
        phases.append((name, []))
    }

    mutating func step(_ step: Step) {
        phases[phases.count - 1].steps.append(step)
    }

    /// Adds a constraint in the present phase.
    @discardableResult
    mutating func add(
        _ terms: [(variable: Int, coefficient: Double)],
        _ relation: Relation,
        _ constant: Double,
        _ priority: Int = 1000
    ) -> Int {
        entries.append(Entry(terms: terms, relation: relation, constant: constant, priority: priority))
        step(.add(entries.count - 1))
        return entries.count - 1
    }

    /// The program as the peer's driver reads it; priorities become the peer's three summed strengths.
    var text: String {
        func strength(_ priority: Int) -> Double {
            priority >= 1000 ? 0 : priority > 750 ? 1e6 : priority > 400 ? 1e3 : 1
        }
        var lines = ["vars \(variables)"]
        for entry in entries {
            let relation = entry.relation == .equal ? 0 : entry.relation == .lessThanOrEqual ? 1 : 2
            let terms = entry.terms.map { "\($0.variable) \($0.coefficient)" }.joined(separator: " ")
            lines.append(
                "constraint \(relation) \(strength(entry.priority)) \(entry.constant) \(entry.terms.count) \(terms)"
            )
        }
        for phase in phases {
            lines.append("phase \(phase.name)")
            for step in phase.steps {
                switch step {
                case .add(let index): lines.append("add \(index)")
                case .remove(let index): lines.append("remove \(index)")
                case .edit(let variable, let priority): lines.append("edit \(variable) \(strength(priority))")
                case .suggest(let variable, let value): lines.append("suggest \(variable) \(value)")
                case .read: lines.append("read")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Runs the program through the solver's public interface.
    ///
    /// - Returns: the microseconds of each phase.
    /// - Throws: ``SolverError``, which no workload should bring about.
    func run() throws -> [Double] {
        var solver = Solver()
        let unknowns = (0..<variables).map { _ in solver.makeVariable() }
        let constraints = entries.map { entry in
            LinearConstraint(
                entry.terms.map { Term(unknowns[$0.variable], $0.coefficient) },
                entry.relation,
                entry.constant,
                priority: Priority(entry.priority)
            )
        }
        var ids = [ConstraintID?](repeating: nil, count: entries.count)
        var values = [Double](repeating: 0, count: variables)
        var times: [Double] = []
        for phase in phases {
            let start = ContinuousClock.now
            for step in phase.steps {
                switch step {
                case .add(let index):
                    if let id = ids[index] {
                        try solver.add(id)
                    } else {
                        ids[index] = try solver.add(constraints[index])
                    }
                case .remove(let index): if let id = ids[index] { try solver.remove(id) }
                case .edit(let variable, let priority):
                    try solver.addEdit(unknowns[variable], priority: Priority(priority))
                case .suggest(let variable, let value): try solver.suggest(value, for: unknowns[variable])
                case .read: solver.drainChanges { variable, value in values[Int(variable.index)] = value }
                }
            }
            times.append((ContinuousClock.now - start).seconds * 1e6)
        }
        blackHole(values)
        return times
    }
}
