import ConstraintSolver

/// The simple solver that the fast one is compared with: a dense tableau of exact fractions, two phases, Bland's rule, one
/// linear program for each priority, built anew on every call.
struct ReferenceSolver {
    struct Constraint: Hashable {
        var terms: [Int: Double]
        var relation: Relation
        var constant: Double
        var priority: Int
        var weight: Double = 1
    }

    /// The least weighted violation of each priority, higher ones first; `nil` if required ones conflict.
    ///
    /// - Throws: `Rational.Overflow` if a fraction needs more than 128 bits.
    static func violations(_ constraints: [Constraint], variables: Int) throws -> [Int: Double]? {
        try optimum(constraints, variables: variables)?.violations
    }

    /// The least and the greatest value of each variable over all solutions that are optimal at every priority, infinite
    /// if unbounded; `nil` if required ones conflict.
    static func ranges(_ constraints: [Constraint], variables: Int) throws -> [(lower: Double, upper: Double)]? {
        guard let program = try optimum(constraints, variables: variables)?.program else { return nil }
        return try (0..<variables).map { variable in
            // Copies: each climbs from the same optimum.
            var (down, up) = (program, program)
            let least = try down.minimize([(variable * 2, 1), (variable * 2 + 1, -1)])
            let most = try up.minimize([(variable * 2, -1), (variable * 2 + 1, 1)])
            return (least.map(\.double) ?? -.infinity, most.map { -$0.double } ?? .infinity)
        }
    }

    private static func optimum(
        _ constraints: [Constraint],
        variables: Int
    ) throws -> (violations: [Int: Double], program: Program)? {
        var program = Program(variables: variables)
        for constraint in constraints where constraint.priority == 1000 {
            try program.add(constraint, relaxed: false)
        }
        var errors: [Int: [(column: Int, weight: Double)]] = [:]
        for constraint in constraints where constraint.priority != 1000 {
            let columns = try program.add(constraint, relaxed: true)
            for column in columns {
                errors[constraint.priority, default: []].append((column, constraint.weight))
            }
        }
        guard try program.becomeFeasible() else { return nil }
        var result: [Int: Double] = [:]
        for priority in errors.keys.sorted(by: >) {
            result[priority] = try program.minimize(errors[priority] ?? [])?.double ?? -.infinity
        }
        return (result, program)
    }

    /// Whether the required constraints can be satisfied together.
    static func isFeasible(_ constraints: [Constraint], variables: Int) throws -> Bool {
        try violations(constraints.filter { $0.priority == 1000 }, variables: variables) != nil
    }
}

extension ReferenceSolver {
    /// A linear program in standard form: rows of equations over columns that are zero or more.
    struct Program {
        private var rows: [[Rational]] = []
        private var right: [Rational] = []
        private var basis: [Int] = []
        private var columns: Int
        /// Columns that must stay zero: their reduced cost at a finished priority was positive.
        private var closed: Set<Int> = []

        /// Each free variable is the difference of two columns.
        init(variables: Int) { columns = variables * 2 }

        @discardableResult
        mutating func add(_ constraint: Constraint, relaxed: Bool) throws -> [Int] {
            var row = [Rational](repeating: .zero, count: columns)
            for (variable, coefficient) in constraint.terms {
                guard let value = Rational(coefficient) else { throw Rational.Overflow() }
                row[variable * 2] = try row[variable * 2].plus(value)
                row[variable * 2 + 1] = try row[variable * 2 + 1].minus(value)
            }
            guard let constant = Rational(constraint.constant) else { throw Rational.Overflow() }
            var errors: [Int] = []
            func append(_ value: Rational) -> Int {
                row.append(value)
                columns += 1
                return columns - 1
            }
            let minusOne = try Rational.zero.minus(.one)
            switch constraint.relation {
            case .lessThanOrEqual:
                _ = append(.one)
                if relaxed { errors = [append(minusOne)] }
            case .greaterThanOrEqual:
                _ = append(minusOne)
                if relaxed { errors = [append(.one)] }
            case .equal:
                if relaxed { errors = [append(.one), append(minusOne)] }
            }
            for index in rows.indices {
                rows[index] += [Rational](repeating: .zero, count: columns - rows[index].count)
            }
            rows.append(row)
            right.append(constant)
            return errors
        }

        /// Phase one: artificial columns for every row, their sum brought to zero, then closed.
        mutating func becomeFeasible() throws -> Bool {
            let first = columns
            for index in rows.indices {
                if right[index].isNegative {
                    right[index] = try Rational.zero.minus(right[index])
                    rows[index] = try rows[index].map { try Rational.zero.minus($0) }
                }
                for other in rows.indices { rows[other].append(other == index ? .one : .zero) }
                basis.append(columns)
                columns += 1
            }
            let artificial = (first..<columns).map { (column: $0, weight: 1.0) }
            guard try minimize(artificial)?.isZero == true else { return false }
            closed.formUnion(first..<columns)
            return true
        }

        /// Minimizes a weighted sum of columns by Bland's rule, then fixes it at its minimum for later calls by
        /// closing the columns whose reduced cost is positive. Returns the minimum; `nil` if it is unbounded.
        mutating func minimize(_ objective: [(column: Int, weight: Double)]) throws -> Rational? {
            var cost = [Rational](repeating: .zero, count: columns)
            for (column, weight) in objective {
                guard let weight = Rational(weight) else { throw Rational.Overflow() }
                cost[column] = weight
            }
            while true {
                let reduced = try reducedCosts(cost)
                guard
                    let entering = (0..<columns).first(where: { !closed.contains($0) && reduced[$0].isNegative })
                else {
                    for column in 0..<columns
                    where !reduced[column].isZero && !reduced[column].isNegative {
                        closed.insert(column)
                    }
                    var value = Rational.zero
                    for (index, column) in basis.enumerated() {
                        value = try value.plus(cost[column].times(right[index]))
                    }
                    return value
                }
                guard try enter(entering) else { return nil }
            }
        }

        private func reducedCosts(_ cost: [Rational]) throws -> [Rational] {
            var reduced = cost
            for (index, column) in basis.enumerated() where !cost[column].isZero {
                for other in 0..<columns where !rows[index][other].isZero {
                    reduced[other] = try reduced[other].minus(cost[column].times(rows[index][other]))
                }
            }
            return reduced
        }

        private mutating func enter(_ entering: Int) throws -> Bool {
            var leaving: Int?
            var shortest = Rational.zero
            for index in rows.indices {
                let value = rows[index][entering]
                // A closed column in the basis is zero and must stay so, whichever way it would move.
                let isBlocked = closed.contains(basis[index]) && !value.isZero
                guard isBlocked || (!value.isZero && !value.isNegative) else { continue }
                let step = isBlocked ? .zero : try right[index].over(value)
                guard let present = leaving else {
                    leaving = index
                    shortest = step
                    continue
                }
                let difference = try step.minus(shortest)
                if difference.isNegative || difference.isZero && basis[index] < basis[present] {
                    leaving = index
                    shortest = step
                }
            }
            guard let row = leaving else { return false }
            let pivot = rows[row][entering]
            rows[row] = try rows[row].map { $0.isZero ? $0 : try $0.over(pivot) }
            right[row] = try right[row].over(pivot)
            for index in rows.indices where index != row && !rows[index][entering].isZero {
                let factor = rows[index][entering]
                for column in 0..<columns where !rows[row][column].isZero {
                    rows[index][column] = try rows[index][column].minus(factor.times(rows[row][column]))
                }
                right[index] = try right[index].minus(factor.times(right[row]))
            }
            basis[row] = entering
            return true
        }
    }
}
