import LayoutReplay

/// Steps beside the everyday ones: constraints that pause, change meanwhile and go on, weights that change, edits that are
/// requirements, variables that go and come again.
struct FuzzUnrest {
    /// Constraints that are paused and may go on.
    private var paused: [String] = []

    /// Makes one such change.
    ///
    /// - Parameters:
    ///   - past: the steps so far.
    ///   - shape: the kind of system.
    ///   - live: the constraints that everyday steps speak of; whether they are in force is not known here, as any step may
    ///     have been refused.
    ///   - edits: the variables with an edit.
    ///   - generator: where the choices come from.
    /// - Returns: the steps, none where there is nothing to change.
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

    /// Takes a variable out of everything, removes it, and makes another of its name; some of what held it is tried again.
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
