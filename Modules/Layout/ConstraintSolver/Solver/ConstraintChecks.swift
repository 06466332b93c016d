/// The checks of a constraint when it is stated or changed.
extension LinearConstraint {
    /// Less is too close to the smallest cost that is distinguished from zero.
    private static var smallestScaledWeight: Double { 1e-7 }

    /// Returns the constraint with sorted, distinct terms whose coefficients are not zero, after checking all its numbers.
    ///
    /// - Throws: ``SolverError/notFinite(_:in:)``, ``SolverError/outOfRange(_:in:)``, ``SolverError/unknownVariable(_:)``.
    func normalized(_ variables: VariableTable) throws(SolverError) -> LinearConstraint {
        try LinearConstraint.checkConstant(constant, .stated(self))
        try LinearConstraint.checkWeight(weight, .stated(self))
        var last: Int32 = -1
        // Terms that are already normal are used as they are.
        var isNormal = true
        for term in terms {
            _ = try variables.index(of: term.variable)
            let size = abs(term.coefficient)
            guard size.isFinite else { throw .notFinite(term.coefficient, in: .stated(self)) }
            if term.variable.index <= last || size > Solver.largestCoefficient || size < Solver.smallestCoefficient {
                isNormal = false
            }
            last = term.variable.index
        }
        if isNormal, last >= 0 { return self }
        var result = self
        result.mergeTerms()
        for term in result.terms {
            let size = abs(term.coefficient)
            guard size <= Solver.largestCoefficient, size >= Solver.smallestCoefficient else {
                throw .outOfRange(term.coefficient, in: .stated(self))
            }
        }
        return result
    }

    /// Sorts the terms, sums those of the same variable and removes those that cancel out.
    private mutating func mergeTerms() {
        if terms.count > 1 {
            terms.sort { $0.variable.index < $1.variable.index }
            // The first `count` terms are merged.
            var count = 0
            var largest = 0.0
            for place in terms.indices {
                let term = terms[place]
                if count > 0, terms[count - 1].variable == term.variable {
                    largest = max(largest, abs(term.coefficient))
                    let sum = terms[count - 1].coefficient + term.coefficient
                    // What rounding leaves of 0.1 + 0.2 - 0.3 is zero.
                    terms[count - 1].coefficient = abs(sum) < largest * Tolerance.relativeDrop ? 0 : sum
                } else {
                    terms[count] = term
                    count += 1
                    largest = abs(term.coefficient)
                }
            }
            terms.removeLast(terms.count - count)
        }
        terms.removeAll { $0.coefficient == 0 }
    }

    /// The power of two that scales the coefficients to around one, by their geometric mean; 1 where they are near it.
    var scale: Double {
        var least = Double.infinity
        var most = 0.0
        for term in terms {
            least = min(least, abs(term.coefficient))
            most = max(most, abs(term.coefficient))
        }
        guard most > 16 || least < 0.0625 else { return 1 }
        // Without `squareRoot()`, which would require linking the C library's mathematics.
        return Double(sign: .plus, exponent: -((least * most).exponent >> 1), significand: 1)
    }

    /// Checks the constant and the weight after they are scaled.
    func checkScaled(_ scale: Double, _ name: @autoclosure () -> ConstraintName) throws(SolverError) {
        guard abs(constant) * scale <= Solver.largestConstant else { throw .outOfRange(constant, in: name()) }
        guard priority.isRequired || weight / scale >= LinearConstraint.smallestScaledWeight else {
            throw .outOfRange(weight, in: name())
        }
    }

    static func checkConstant(_ value: Double, _ name: @autoclosure () -> ConstraintName) throws(SolverError) {
        guard value.isFinite else { throw .notFinite(value, in: name()) }
        guard abs(value) <= Solver.largestConstant else { throw .outOfRange(value, in: name()) }
    }

    static func checkWeight(_ weight: Double, _ name: @autoclosure () -> ConstraintName) throws(SolverError) {
        guard weight.isFinite else { throw .notFinite(weight, in: name()) }
        guard weight >= 0.001, weight <= 1e6 else { throw .outOfRange(weight, in: name()) }
    }
}

/// A proof that required constraints exclude each other: multiplied and summed they leave no variable, and a constant that
/// their slacks can only make worse (Farkas' lemma).
struct Certificate {
    struct Member {
        /// The index of the constraint.
        var owner: Int32
        /// The multiplier of its marker.
        var multiplier: Double
    }

    var members: [Member]

    /// Whether the conflict is one in the constraints as they were stated, not in what rounding made of them.
    func isProof(_ constraints: ConstraintTable, feasibility: Double) -> Bool {
        var sums: [Int32: (left: Double, size: Double)] = [:]
        var right = 0.0
        var slackSigns: Set<FloatingPointSign> = []
        for member in members {
            let record = constraints[Int(member.owner)]
            let scaled = member.multiplier * record.scale
            let factor = record.constraint.relation == .greaterThanOrEqual ? -scaled : scaled
            right += factor * record.constraint.constant
            if record.constraint.relation != .equal { slackSigns.insert(member.multiplier.sign) }
            for term in record.constraint.terms {
                let amount = factor * term.coefficient
                sums[term.variable.index, default: (0, 0)].left += amount
                sums[term.variable.index, default: (0, 0)].size += abs(amount)
            }
        }
        return abs(right) > feasibility && !slackSigns.contains(right.sign)
            && sums.values.allSatisfy { abs($0.left) <= $0.size * Tolerance.certificate }
    }
}
