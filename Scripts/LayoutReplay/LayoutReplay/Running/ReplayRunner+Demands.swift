internal import ConstraintSolver

extension ReplayRunner where Solving: ~Copyable {
    /// The default tolerance of an expected number.
    private static var tolerance: Double { 1e-6 }

    private static func isMet(_ value: Double, _ demanded: Double, _ tolerance: Double?) -> Bool {
        demanded.isFinite && abs(value - demanded) <= tolerance ?? (Self.tolerance * max(1, abs(demanded)))
    }

    mutating func expect(_ demands: [ReplayDemand<String>], _ tolerance: Double?, _ line: Int) throws(ReplayFailure) {
        var wrong: [String] = []
        for demand in demands {
            let value = solver.value(of: variables[try place(demand.subject, line)])
            if !Self.isMet(value, demand.value, tolerance) {
                wrong.append("\(demand.subject) is \(value), not \(demand.value)")
            }
        }
        if !wrong.isEmpty { throw ReplayFailure(line: line, message: wrong.joined(separator: "; ")) }
    }

    mutating func expectViolation(
        _ demands: [ReplayDemand<Int>],
        _ tolerance: Double?,
        _ line: Int
    ) throws(ReplayFailure) {
        drain()
        var sums: [Int: Double] = [:]
        var parts: [Int: [(name: String, violation: Double)]] = [:]
        func note(_ violation: Double, _ priority: Int, _ name: @autoclosure () -> String) {
            guard violation > 0 else { return }
            sums[priority, default: 0] += violation
            if violation > 1e-9 { parts[priority, default: []].append((name(), violation)) }
        }
        for case let entry? in known where entry.isActive {
            note(violation(entry) * entry.constraint.weight, entry.constraint.priority, entry.name)
        }
        for (place, edit) in edits.enumerated() {
            guard let edit else { continue }
            note(abs(values[place] - edit.value), edit.priority, "the edit of \(names[place])")
        }
        var wrong: [String] = []
        for demand in demands {
            let sum = sums[demand.subject] ?? 0
            guard !Self.isMet(sum, demand.value, tolerance) else { continue }
            let worst = (parts[demand.subject] ?? []).sorted { $0.violation > $1.violation }.prefix(4)
            let list = worst.map { "\($0.name) by \($0.violation)" }.joined(separator: ", ")
            wrong.append(
                "priority \(demand.subject) is violated by \(sum), not \(demand.value)"
                    + (list.isEmpty ? "" : ": \(list)")
            )
        }
        if !wrong.isEmpty { throw ReplayFailure(line: line, message: wrong.joined(separator: "; ")) }
    }

    /// Returns the violation of a constraint of the file by the current values.
    private func violation(_ entry: Known) -> Double {
        var difference = -entry.constraint.constant
        for term in entry.terms { difference += term.coefficient * values[term.variable] }
        switch entry.constraint.relation {
        case .equal: return abs(difference)
        case .lessThanOrEqual: return max(0, difference)
        case .greaterThanOrEqual: return max(0, -difference)
        }
    }
}
