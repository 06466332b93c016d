import ConstraintSolver

/// A workload for constraint solvers: constraints, and phases of steps, run here and by the peer's driver alike.
struct LayoutProgram: Sendable {
    struct Entry: Sendable {
        var terms: [(variable: Int, coefficient: Double)]
        var relation: Relation
        var constant: Double
        var priority: Int
        var weight: Double

        init(
            _ terms: [(variable: Int, coefficient: Double)],
            _ relation: Relation,
            _ constant: Double,
            _ priority: Int = 1000,
            weight: Double = 1
        ) {
            self.terms = terms
            self.relation = relation
            self.constant = constant
            self.priority = priority
            self.weight = weight
        }
    }

    enum Step: Sendable {
        case add(Int)
        case remove(Int)
        case constant(Int, Double)
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

    mutating func phase(_ name: String) { phases.append((name, [])) }

    mutating func step(_ step: Step) { phases[phases.count - 1].steps.append(step) }

    /// Stores a constraint that a step may add.
    mutating func define(_ entry: Entry) -> Int {
        entries.append(entry)
        return entries.count - 1
    }

    /// Adds a constraint in the present phase.
    @discardableResult
    mutating func add(_ entry: Entry) -> Int {
        let index = define(entry)
        step(.add(index))
        return index
    }

    /// Adds a constraint in the present phase.
    @discardableResult
    mutating func add(
        _ terms: [(variable: Int, coefficient: Double)],
        _ relation: Relation,
        _ constant: Double,
        _ priority: Int = 1000,
        weight: Double = 1
    ) -> Int {
        add(Entry(terms, relation, constant, priority, weight: weight))
    }

    /// The peer's strength of a priority: three sums, required apart.
    static func strength(_ priority: Int) -> Double {
        priority >= 1000 ? 0 : priority > 750 ? 1e6 : priority > 400 ? 1e3 : 1
    }

    /// The program as the peer's driver reads it.
    var text: String {
        var lines = ["vars \(variables)"]
        for entry in entries {
            let relation = entry.relation == .equal ? 0 : entry.relation == .lessThanOrEqual ? 1 : 2
            let terms = entry.terms.map { "\($0.variable) \($0.coefficient)" }.joined(separator: " ")
            let strength = LayoutProgram.strength(entry.priority) * entry.weight
            lines.append("constraint \(relation) \(strength) \(entry.constant) \(entry.terms.count) \(terms)")
        }
        for phase in phases {
            lines.append("phase \(phase.name)")
            for step in phase.steps {
                switch step {
                case .add(let index): lines.append("add \(index)")
                case .remove(let index): lines.append("remove \(index)")
                case .constant(let index, let value): lines.append("constant \(index) \(value)")
                case .edit(let variable, let priority):
                    lines.append("edit \(variable) \(LayoutProgram.strength(priority))")
                case .suggest(let variable, let value): lines.append("suggest \(variable) \(value)")
                case .read: lines.append("read")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
