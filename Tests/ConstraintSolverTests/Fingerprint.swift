@testable import ConstraintSolver

/// All that a solver holds, to compare to the bit.
struct Fingerprint: Equatable {
    var numbers: [UInt64] = []

    /// - Parameters:
    ///   - solver: what is looked at.
    ///   - withFree: whether places that are free for later use count, too.
    init(_ solver: borrowing Solver, withFree: Bool = true) {
        func add(_ value: Int) { numbers.append(UInt64(bitPattern: Int64(value))) }
        add(solver.count)
        add(solver.pivots)
        add(solver.rebuilds)
        if withFree {
            add(solver.freeVariables.count)
            add(solver.freeConstraints.count)
        }
        for index in 0..<solver.tableau.symbols.count {
            let symbol = solver.tableau.symbols[index]
            if symbol.isFree, !withFree { continue }
            add(index)
            add(Int(symbol.row))
            add(symbol.isFree ? 1 : 0)
            numbers.append(symbol.value.bitPattern)
            numbers.append(symbol.costWeight.bitPattern)
        }
        for index in 0..<solver.tableau.rows.count {
            let row = solver.tableau.rows[index]
            if row.basic < 0, !withFree { continue }
            add(Int(row.basic))
            numbers.append(row.constant.bitPattern)
            for place in 0..<Int(row.count) {
                add(Int(row.entries[place].symbol))
                numbers.append(row.entries[place].value.bitPattern)
            }
        }
        for index in 0..<solver.tableau.symbols.count where withFree || !solver.tableau.symbols[index].isFree {
            for place in 0..<solver.tableau.ranks.count {
                numbers.append(solver.tableau.costs[index * solver.tableau.stride + place].bitPattern)
            }
        }
        for constraint in solver.constraints where withFree || constraint.isDefined {
            add(constraint.isInForce ? 1 : 0)
            add(Int(constraint.generation))
            numbers.append(constraint.constraint.constant.bitPattern)
        }
    }
}
