import LayoutReplay
import TestSupport

@testable import ConstraintSolver

/// Makes random programs.
enum FuzzProgram {
    /// The kind of systems to make.
    struct Shape {
        var variables = 6
        var steps = 40
        /// The largest number of active constraints.
        var capacity = 12
        /// The share of required constraints.
        var required = 0.3
        /// Priorities to draw from.
        var priorities = [1, 2, 250, 250, 500, 750, 751, 999]
        /// Constants to draw from; -20 to 40 when empty.
        var constants: [Double] = []
        /// Factors on all coefficients of a constraint, its constant as well, to draw from; none when empty.
        var scales: [Double] = []
        /// The share of constraints that make two variables equal; the others are then on one variable each.
        var aliases = 0.0
        /// Constraints tie only variables this near to each other.
        var locality = Int.max
        /// The share of steps that pause constraints, change paused ones, change weights, or recreate variables.
        var unrest = 0.0
    }

    /// Makes a program from a generator: small whole coefficients, so that exact fractions stay small, ties and
    /// degenerate vertices frequent.
    static func make(_ shape: Shape, using generator: inout some RandomNumberGenerator) -> ReplayProgram {
        var steps: [ReplayStep] = [.variables((0..<shape.variables).map { "x\($0)" })]
        var live: [String] = []
        var edits: Set<Int> = []
        var unrest = FuzzUnrest()
        var next = 0
        while steps.count <= shape.steps {
            if shape.unrest > 0, Double.random(in: 0..<1, using: &generator) < shape.unrest {
                steps += unrest.steps(after: steps, shape, &live, &edits, using: &generator)
                continue
            }
            let draw = Double.random(in: 0..<1, using: &generator)
            if live.count < 2 || draw < 0.45 && live.count < shape.capacity {
                steps.append(.add("c\(next)", FuzzProgram.constraint(shape, using: &generator)))
                live.append("c\(next)")
                next += 1
            } else if draw < 0.62 {
                steps.append(.remove(live.remove(at: Int.random(in: 0..<live.count, using: &generator))))
            } else if draw < 0.80 {
                let id = live[Int.random(in: 0..<live.count, using: &generator)]
                steps.append(.constant(id, FuzzProgram.constant(shape, using: &generator)))
            } else if draw < 0.86 {
                let id = live[Int.random(in: 0..<live.count, using: &generator)]
                let isRequired = Double.random(in: 0..<1, using: &generator) < shape.required
                let priority = shape.priorities[Int.random(in: 0..<shape.priorities.count, using: &generator)]
                steps.append(.priority(id, isRequired ? 1000 : priority))
            } else {
                let variable = Int.random(in: 0..<shape.variables, using: &generator)
                if edits.contains(variable) {
                    if draw < 0.88 {
                        edits.remove(variable)
                        steps.append(.endEdit("x\(variable)"))
                    } else {
                        steps.append(.suggest("x\(variable)", FuzzProgram.constant(shape, using: &generator)))
                    }
                } else {
                    edits.insert(variable)
                    steps.append(.edit("x\(variable)", priority: shape.priorities[0] + 400))
                }
            }
        }
        return ReplayProgram(steps: steps)
    }

    static func constant(_ shape: Shape, using generator: inout some RandomNumberGenerator) -> Double {
        guard !shape.constants.isEmpty else { return Double(Int.random(in: -20...40, using: &generator)) }
        return shape.constants[Int.random(in: 0..<shape.constants.count, using: &generator)]
    }

    /// Equal variables, and few different preferences for them.
    private static func alias(_ shape: Shape, using generator: inout some RandomNumberGenerator) -> ReplayConstraint {
        let first = Int.random(in: 0..<shape.variables, using: &generator)
        let second = Int.random(in: 0..<shape.variables, using: &generator)
        let isAlias = first != second && Double.random(in: 0..<1, using: &generator) < shape.aliases
        return ReplayConstraint(
            isAlias ? [.init("x\(first)", 1), .init("x\(second)", -1)] : [.init("x\(first)", 1)],
            isAlias ? .equal : Relation.allCases[Int.random(in: 0..<3, using: &generator)],
            isAlias ? 0 : constant(shape, using: &generator),
            priority: isAlias ? 1000 : shape.priorities[Int.random(in: 0..<shape.priorities.count, using: &generator)],
            weight: [1.0, 2, 0.5][Int.random(in: 0..<3, using: &generator)]
        )
    }

    private static func constraint(
        _ shape: Shape,
        using generator: inout some RandomNumberGenerator
    ) -> ReplayConstraint {
        if shape.aliases > 0 { return alias(shape, using: &generator) }
        let count = [1, 1, 2, 2, 2, 3, 4][Int.random(in: 0..<7, using: &generator)]
        let window = min(shape.variables, shape.locality)
        let base = Int.random(in: 0...(shape.variables - window), using: &generator)
        var terms: [Int: Double] = [:]
        for _ in 0..<count {
            let coefficient = [1.0, 1, 1, -1, -1, 2, -2, 0.5, -0.5, 3][Int.random(in: 0..<10, using: &generator)]
            terms[base + Int.random(in: 0..<window, using: &generator)] = coefficient
        }
        let isRequired = Double.random(in: 0..<1, using: &generator) < shape.required
        let scale = shape.scales.randomElement(using: &generator) ?? 1
        return ReplayConstraint(
            terms.sorted { $0.key < $1.key }.map { .init("x\($0.key)", $0.value * scale) },
            Relation.allCases[Int.random(in: 0..<3, using: &generator)],
            FuzzProgram.constant(shape, using: &generator) * scale,
            priority: isRequired
                ? 1000 : shape.priorities[Int.random(in: 0..<shape.priorities.count, using: &generator)],
            weight: [1.0, 1, 1, 2, 0.5][Int.random(in: 0..<5, using: &generator)]
        )
    }
}
