/// What is checked of a constraint as it is stated, and of a conflict as it is found.
extension Solver {
    /// Checks a constraint and brings its terms into order.
    mutating func normalized(_ constraint: LinearConstraint) throws(SolverError) -> LinearConstraint {
        try Solver.checkConstant(constraint.constant, .stated(constraint))
        try Solver.checkWeight(constraint.weight, .stated(constraint))
        var last: Int32 = -1
        // Sorted terms without doubles or zeros are taken as they are.
        var isOrdered = true
        for term in constraint.terms {
            _ = try checked(term.variable)
            let size = abs(term.coefficient)
            guard size.isFinite else { throw .notFinite(term.coefficient, in: .stated(constraint)) }
            if term.variable.index <= last || size > Solver.largestCoefficient || size < Solver.smallestCoefficient {
                isOrdered = false
            }
            last = term.variable.index
        }
        if isOrdered, last >= 0 { return constraint }
        var result = constraint
        if result.terms.count > 1 {
            result.terms.sort { $0.variable.index < $1.variable.index }
            var merged: [Term] = []
            merged.reserveCapacity(result.terms.count)
            var largest = 0.0
            for term in result.terms {
                if let last = merged.last, last.variable == term.variable {
                    largest = max(largest, abs(term.coefficient))
                    let sum = last.coefficient + term.coefficient
                    // What rounding leaves of 0.1 + 0.2 - 0.3 is nothing.
                    merged[merged.count - 1].coefficient = abs(sum) < largest * Tolerance.relativeDrop ? 0 : sum
                } else {
                    merged.append(term)
                    largest = abs(term.coefficient)
                }
            }
            result.terms = merged
        }
        result.terms.removeAll { $0.coefficient == 0 }
        for term in result.terms {
            let size = abs(term.coefficient)
            guard size <= Solver.largestCoefficient, size >= Solver.smallestCoefficient else {
                throw .outOfRange(term.coefficient, in: .stated(constraint))
            }
        }
        guard !result.terms.isEmpty else { throw .noVariables(constraint) }
        return result
    }

    /// The power of two that brings coefficients to around one, by their geometric mean; 1 where they are near it.
    static func scale(_ terms: [Term]) -> Double {
        var least = Double.infinity
        var most = 0.0
        for term in terms {
            least = min(least, abs(term.coefficient))
            most = max(most, abs(term.coefficient))
        }
        guard most > 16 || least < 0.0625 else { return 1 }
        return Double(sign: .plus, exponent: -Int((least * most).squareRoot().exponent), significand: 1)
    }

    /// Checks what small coefficients make of a constant and a weight.
    static func checkScaled(
        _ constraint: LinearConstraint,
        _ scale: Double,
        _ name: @autoclosure () -> ConstraintName
    ) throws(SolverError) {
        guard abs(constraint.constant) * scale <= largestConstant else {
            throw .outOfRange(constraint.constant, in: name())
        }
        guard constraint.priority.isRequired || constraint.weight / scale >= smallestScaledWeight else {
            throw .outOfRange(constraint.weight, in: name())
        }
    }

    /// Less is too near to the smallest cost that is told from zero.
    private static var smallestScaledWeight: Double { 1e-7 }

    static func checkWeight(_ weight: Double, _ name: @autoclosure () -> ConstraintName) throws(SolverError) {
        guard weight.isFinite else { throw .notFinite(weight, in: name()) }
        guard weight >= 0.001, weight <= 1e6 else { throw .outOfRange(weight, in: name()) }
    }

    /// Whether a conflict is one in the constraints as they were stated, not in what rounding made of them: multiplied
    /// and summed they leave no variable, and a constant that their slacks can only make worse (Farkas' lemma).
    func proves(_ certificate: Certificate) -> Bool {
        var sums: [Int32: (left: Double, size: Double)] = [:]
        var right = 0.0
        var slackSigns: Set<FloatingPointSign> = []
        for member in certificate.members {
            let constraint = constraints[Int(member.owner)].constraint
            let scaled = member.multiplier * constraints[Int(member.owner)].scale
            let factor = constraint.relation == .greaterThanOrEqual ? -scaled : scaled
            right += factor * constraint.constant
            if constraint.relation != .equal { slackSigns.insert(member.multiplier.sign) }
            for term in constraint.terms {
                let amount = factor * term.coefficient
                sums[term.variable.index, default: (0, 0)].left += amount
                sums[term.variable.index, default: (0, 0)].size += abs(amount)
            }
        }
        return abs(right) > tableau.feasibility && !slackSigns.contains(right.sign)
            && sums.values.allSatisfy { abs($0.left) <= $0.size * Tolerance.certificate }
    }

    func unsatisfiable(_ index: Int, _ certificate: Certificate) -> SolverError {
        var ids = certificate.members.map { id(Int($0.owner)) }
        let own = id(index)
        if !ids.contains(own) { ids.append(own) }
        return .unsatisfiable(own, conflicting: ids)
    }
}
