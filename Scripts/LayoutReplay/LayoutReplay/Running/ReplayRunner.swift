internal import ConstraintSolver

/// Runs replays on a solver and collects the failures.
///
/// Violations are computed from the values and from the constraints of the file, independently of the solver.
public struct ReplayRunner<Solving: ReplaySolver & ~Copyable>: ~Copyable {
    struct Known {
        var name: String
        var id: ConstraintID
        var constraint: ReplayConstraint
        /// The terms by the indices of their variables.
        var terms: [(variable: Int, coefficient: Double)]
        var line: Int
        var isActive = true
    }

    struct LastAdd {
        var line: Int
        /// The reason of a refusal, or `nil` if it was accepted.
        var refusal: String?
        /// The change that a refused add made.
        var change: String?
        var isConfirmed = false
    }

    var solver = Solving()
    var names: [String] = []
    var variables: [Variable] = []
    var places: [String: Int] = [:]
    /// The current values, by index.
    var values: [Double] = []
    /// The index in ``values`` for each variable of the solver.
    var placesByIndex: [Int32: Int] = [:]
    var known: [Known?] = []
    var free: [Int] = []
    var slots: [String: Int] = [:]
    var edits: [(priority: Int, value: Double)?] = []
    var lastAdds: [String: LastAdd] = [:]
    /// The lines whose add a later line expects to be refused.
    private var doubtful: Set<Int> = []
    /// The failures so far.
    public private(set) var failures: [ReplayFailure] = []

    /// Creates a runner with a new solver.
    public init() {}

    /// Runs a program.
    ///
    /// - Parameter program: the replay.
    /// - Returns: the failures by line; empty if all held.
    public static func failures(of program: ReplayProgram) -> [ReplayFailure] {
        var runner = ReplayRunner<Solving>()
        runner.run(program)
        return runner.failures
    }

    private mutating func run(_ program: ReplayProgram) {
        var open: [String: Int] = [:]
        for (place, line) in program.lines.enumerated() {
            switch line.step {
            case .add(let id, _): open[id] = place
            case .constant(let id, _) where program.isExtended, .priority(let id, _, _), .resume(let id):
                open[id] = place
            case .unsatisfiable(let id): if let add = open[id] { doubtful.insert(add) }
            default: break
            }
        }
        for (place, line) in program.lines.enumerated() {
            do throws(ReplayFailure) {
                try run(line.step, line.number, mayBeRefused: doubtful.contains(place))
            } catch {
                failures.append(error)
            }
        }
        for id in lastAdds.keys { closeAdd(id) }
        failures.sort { $0.line < $1.line }
    }

    /// Reports an add that was refused although no line expects it, before its id is used again or the file ends.
    mutating func closeAdd(_ id: String) {
        guard let last = lastAdds[id], let refusal = last.refusal, !last.isConfirmed else { return }
        failures.append(ReplayFailure(line: last.line, message: "\(refusal), and no \"unsatisfiable\" line says so"))
    }

    private mutating func run(_ step: ReplayStep, _ line: Int, mayBeRefused: Bool) throws(ReplayFailure) {
        switch step {
        case .variables(let names): try declare(names, line)
        case .add(let id, let constraint): try add(id, constraint, line, mayBeRefused)
        case .remove(let id):
            let slot = try slot(id, line)
            if let entry = known[slot] {
                try call(line, "remove of \(id)") { solver throws(SolverError) in try solver.discard(entry.id) }
            }
            known[slot] = nil
            free.append(slot)
            slots[id] = nil
        case .constant(let id, let value):
            try change(id, "constant of \(id)", line, mayBeRefused) { solver, known throws(SolverError) in
                try solver.setConstant(known.id, value)
                known.constraint.constant = value
            }
        case .priority(let id, let value, let weight):
            try change(id, "priority of \(id)", line, mayBeRefused) { solver, known throws(SolverError) in
                let weight = weight ?? known.constraint.weight
                try solver.setPriority(known.id, Priority(value), weight: weight)
                known.constraint.priority = value
                known.constraint.weight = weight
            }
        case .pause(let id):
            try change(id, "pause of \(id)", line, false) { solver, known throws(SolverError) in
                try solver.remove(known.id)
                known.isActive = false
            }
        case .resume(let id):
            try change(id, "resumption of \(id)", line, mayBeRefused) { solver, known throws(SolverError) in
                try solver.add(known.id)
                known.isActive = true
            }
        case .removeVariable(let name):
            let place = try place(name, line)
            let variable = variables[place]
            try call(line, "removal of \(name)") { solver throws(SolverError) in try solver.removeVariable(variable) }
            places[name] = nil
            values[place] = 0
        case .edit(let name, let priority):
            let place = try place(name, line)
            let variable = variables[place]
            try call(line, "edit of \(name)") { solver throws(SolverError) in
                try solver.addEdit(variable, priority: Priority(priority))
            }
            edits[place] = (priority, 0)
        case .suggest(let name, let value):
            let place = try place(name, line)
            let variable = variables[place]
            try call(line, "suggest for \(name)") { solver throws(SolverError) in
                try solver.suggest(value, for: variable)
            }
            edits[place]?.value = value
        case .endEdit(let name):
            let place = try place(name, line)
            let variable = variables[place]
            try call(line, "endEdit of \(name)") { solver throws(SolverError) in try solver.removeEdit(variable) }
            edits[place] = nil
        case .expect(let demands, let tolerance): try expect(demands, tolerance, line)
        case .violation(let demands, let tolerance): try expectViolation(demands, tolerance, line)
        case .unsatisfiable(let id): try confirm(id, line)
        }
    }

    // MARK: - Names

    private mutating func declare(_ names: [String], _ line: Int) throws(ReplayFailure) {
        for name in names {
            guard places[name] == nil else {
                throw ReplayFailure(line: line, message: "the variable \(name) already exists")
            }
            let variable = solver.makeVariable()
            placesByIndex[variable.index] = variables.count
            places[name] = variables.count
            self.names.append(name)
            variables.append(variable)
            values.append(0)
            edits.append(nil)
        }
    }

    func place(_ name: String, _ line: Int) throws(ReplayFailure) -> Int {
        guard let place = places[name] else {
            throw ReplayFailure(line: line, message: "no \"vars\" line before names the variable \(name)")
        }
        return place
    }

    private func slot(_ id: String, _ line: Int) throws(ReplayFailure) -> Int {
        guard let slot = slots[id] else {
            let why =
                switch lastAdds[id] {
                case nil: "it was never added"
                case .some(let last) where last.refusal != nil: "its add in line \(last.line) was refused"
                case .some(let last): "it was removed after its add in line \(last.line)"
                }
            throw ReplayFailure(line: line, message: "no constraint \(id) is active: \(why)")
        }
        return slot
    }

    /// Calls the solver for a step that must succeed.
    private mutating func call(
        _ line: Int,
        _ what: String,
        _ body: (inout Solving) throws(SolverError) -> Void
    ) throws(ReplayFailure) {
        do throws(SolverError) {
            try body(&solver)
        } catch {
            throw ReplayFailure(line: line, message: "the \(what) was refused: \(text(error))")
        }
    }

    /// Changes an active constraint. A refusal that a later line expects, as the extended dialect allows, is recorded like that
    /// of an add.
    private mutating func change(
        _ id: String,
        _ what: String,
        _ line: Int,
        _ mayBeRefused: Bool,
        _ body: (inout Solving, inout Known) throws(SolverError) -> Void
    ) throws(ReplayFailure) {
        let slot = try slot(id, line)
        guard var entry = known[slot] else { return }
        if mayBeRefused { drain() }
        do throws(SolverError) {
            try body(&solver, &entry)
            known[slot] = entry
            if mayBeRefused { lastAdds[id] = LastAdd(line: line) }
        } catch {
            let refusal = "the \(what) was refused: \(text(error))"
            guard mayBeRefused else { throw ReplayFailure(line: line, message: refusal) }
            lastAdds[id] = LastAdd(line: line, refusal: refusal, change: firstChange())
        }
    }

    /// Returns the first variable whose value differs in its bits from the recorded one.
    mutating func firstChange() -> String? {
        for place in variables.indices {
            let value = solver.value(of: variables[place])
            if value.bitPattern != values[place].bitPattern {
                return "\(names[place]) went from \(values[place]) to \(value)"
            }
        }
        return nil
    }

    mutating func drain() {
        // Copies, so that the solver can be borrowed at the same time.
        var drained = values
        values = []
        let places = placesByIndex
        solver.drainChanges { variable, value in
            if let place = places[variable.index] { drained[place] = value }
        }
        values = drained
    }
}
