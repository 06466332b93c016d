import ConstraintSolver
import LayoutReplay

/// Shrinks a failing program: drops steps in ever smaller runs (Zeller and Hildebrandt, "Simplifying and isolating
/// failure-inducing input", 2002), then terms and variables, then simplifies numbers, as long as it fails.
struct FuzzShrinker {
    /// Whether a program still fails. It must ignore steps that refer to something missing.
    let fails: (ReplayProgram) -> Bool

    func shrink(_ program: ReplayProgram) -> ReplayProgram {
        var steps = program.steps
        while true {
            let before = steps
            dropSteps(&steps)
            simplify(&steps)
            dropVariables(&steps)
            if steps == before { return ReplayProgram(name: program.name, steps: steps) }
        }
    }

    private func isKept(_ steps: [ReplayStep]) -> Bool { fails(ReplayProgram(steps: steps)) }

    private func dropSteps(_ steps: inout [ReplayStep]) {
        var length = max(1, steps.count / 2)
        while true {
            var hasShrunk = false
            // From the end: later steps depend on earlier ones.
            var end = steps.count
            while end > 0 {
                let start = max(0, end - length)
                var candidate = steps
                candidate.removeSubrange(start..<end)
                if isKept(candidate) {
                    steps = candidate
                    hasShrunk = true
                }
                end = start
            }
            if length > 1 { length /= 2 } else if !hasShrunk { return }
        }
    }

    private func simplify(_ steps: inout [ReplayStep]) {
        for place in steps.indices {
            var hasShrunk = true
            while hasShrunk {
                hasShrunk = false
                for simpler in FuzzShrinker.simpler(steps[place]) {
                    var candidate = steps
                    candidate[place] = simpler
                    if isKept(candidate) {
                        steps = candidate
                        hasShrunk = true
                        break
                    }
                }
            }
        }
    }

    private func dropVariables(_ steps: inout [ReplayStep]) {
        for place in steps.indices {
            guard case .variables(let names) = steps[place] else { continue }
            for name in names {
                guard case .variables(let present) = steps[place] else { continue }
                var candidate = steps
                candidate[place] = .variables(present.filter { $0 != name })
                if isKept(candidate) { steps = candidate }
            }
        }
    }

    /// Similar steps that are strictly simpler, so that shrinking ends.
    static func simpler(_ step: ReplayStep) -> [ReplayStep] {
        switch step {
        case .add(let id, let constraint):
            var found: [ReplayConstraint] = []
            for place in constraint.terms.indices {
                var candidate = constraint
                candidate.terms.remove(at: place)
                if !candidate.terms.isEmpty { found.append(candidate) }
                for value in simplerNumbers(constraint.terms[place].coefficient) where value != 0 {
                    candidate = constraint
                    candidate.terms[place].coefficient = value
                    found.append(candidate)
                }
            }
            for value in simplerNumbers(constraint.constant) {
                var candidate = constraint
                candidate.constant = value
                found.append(candidate)
            }
            if constraint.weight != 1 {
                var candidate = constraint
                candidate.weight = 1
                found.append(candidate)
            }
            return found.map { .add(id, $0) }
        case .suggest(let name, let value): return simplerNumbers(value).map { .suggest(name, $0) }
        case .constant(let id, let value): return simplerNumbers(value).map { .constant(id, $0) }
        default: return []
        }
    }

    /// Numbers that are simpler than a number: zero, one, whole ones, smaller ones.
    private static func simplerNumbers(_ value: Double) -> [Double] {
        func effort(_ value: Double) -> Double {
            let whole = value.rounded(.towardZero)
            return abs(value) + (whole == value ? 0 : 1e6) + (value < 0 ? 0.25 : 0)
        }
        let whole = value.rounded(.towardZero)
        let candidates = [0, 1, -1, whole, (whole / 2).rounded(.towardZero), abs(value), whole - (whole < 0 ? -1 : 1)]
        var seen: Set<Double> = []
        return candidates.filter { effort($0) < effort(value) && seen.insert($0).inserted }
    }
}
