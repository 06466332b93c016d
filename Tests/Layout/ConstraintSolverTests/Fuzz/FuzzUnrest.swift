import LayoutReplay

/// The rarer steps: constraints that are paused, changed and resumed, new weights, required edits, recreated variables.
struct FuzzUnrest {
    /// Paused constraints.
    private var paused: [String] = []

    /// Makes one such change.
    ///
    /// - Parameters:
    ///   - past: the steps so far.
    ///   - shape: the kind of system.
    ///   - live: the constraints that other steps refer to; a refused step may have left some of them inactive.
    ///   - edits: the variables with an edit.
    ///   - generator: the source of randomness.
    /// - Returns: the steps; none if there is nothing to change.
    mutating func steps(
        after past: [ReplayStep],
        _ shape: FuzzProgram.Shape,
        _ live: inout [String],
        _ edits: inout Set<Int>,
        using generator: inout some RandomNumberGenerator
    ) -> [ReplayStep] {
        let draw = Int.random(in: 0..<12, using: &generator)
        switch draw {
        case 0...2:
            guard !live.isEmpty else { return [] }
            let id = live.remove(at: Int.random(in: 0..<live.count, using: &generator))
            paused.append(id)
            return [.pause(id)]
        case 3...5:
            guard !paused.isEmpty else { return [] }
            let id = paused.remove(at: Int.random(in: 0..<paused.count, using: &generator))
            live.append(id)
            return [.resume(id)]
        case 6:
            guard let id = paused.randomElement(using: &generator) else { return [] }
            return [.constant(id, FuzzProgram.constant(shape, using: &generator))]
        case 7, 8:
            guard let id = (live + paused).randomElement(using: &generator) else { return [] }
            let isRequired = Double.random(in: 0..<1, using: &generator) < shape.required
            let priority = shape.priorities[Int.random(in: 0..<shape.priorities.count, using: &generator)]
            let weight = [1.0, 2, 0.5, 4][Int.random(in: 0..<4, using: &generator)]
            return [.priority(id, isRequired ? 1000 : priority, weight: weight)]
        case 9:
            let variable = Int.random(in: 0..<shape.variables, using: &generator)
            guard edits.insert(variable).inserted else { return [.removeVariable("x\(variable)")] }
            return [.edit("x\(variable)", priority: 1000)]
        default: return replacement(past, shape, &live, &edits, using: &generator)
        }
    }

    /// Removes the constraints on a variable and the variable, and makes another with its name; some of the constraints are
    /// resumed.
    private mutating func replacement(
        _ past: [ReplayStep],
        _ shape: FuzzProgram.Shape,
        _ live: inout [String],
        _ edits: inout Set<Int>,
        using generator: inout some RandomNumberGenerator
    ) -> [ReplayStep] {
        let variable = Int.random(in: 0..<shape.variables, using: &generator)
        let name = "x\(variable)"
        var holders: Set<String> = []
        for case .add(let id, let constraint) in past where constraint.terms.contains(where: { $0.variable == name }) {
            holders.insert(id)
        }
        var steps: [ReplayStep] = []
        if edits.remove(variable) != nil { steps.append(.endEdit(name)) }
        var last: String?
        for id in live where holders.contains(id) {
            let isKept = Bool.random(using: &generator)
            steps.append(isKept ? .pause(id) : .remove(id))
            if isKept { last = id }
        }
        live.removeAll { holders.contains($0) }
        paused.removeAll { holders.contains($0) }
        steps.append(.removeVariable(name))
        if Bool.random(using: &generator) { last.map { steps.append(.resume($0)) } }
        steps.append(.variables([name]))
        if Bool.random(using: &generator) { last.map { steps.append(.resume($0)) } }
        return steps
    }
}
