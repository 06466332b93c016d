@testable import ConstraintSolver

/// The state of a solver, to compare to the bit.
struct Fingerprint: Equatable {
    var numbers: [UInt64] = []

    /// - Parameters:
    ///   - solver: the solver.
    ///   - withFree: whether free indices are included.
    init(_ solver: borrowing Solver, withFree: Bool = true) {
        func add(_ value: Int) { numbers.append(UInt64(bitPattern: Int64(value))) }
        add(solver.count)
        add(solver.pivots)
        add(solver.rebuilds)
        if withFree {
            add(solver.variables.free.count)
            add(solver.constraints.free.count)
        }
        for index in 0..<solver.tableau.store.symbols.count {
            let symbol = solver.tableau.store.symbols[index]
            if symbol.isFree, !withFree { continue }
            add(index)
            add(Int(symbol.row))
            add(symbol.isFree ? 1 : 0)
            numbers.append(symbol.value.bitPattern)
            numbers.append(symbol.costWeight.bitPattern)
        }
        for index in 0..<solver.tableau.store.rows.count {
            let row = solver.tableau.store.rows[index]
            if row.basic < 0, !withFree { continue }
            add(Int(row.basic))
            numbers.append(row.constant.bitPattern)
            for place in 0..<Int(row.count) {
                add(Int(row.entries[place].symbol))
                numbers.append(row.entries[place].value.bitPattern)
            }
        }
        for index in 0..<solver.tableau.store.symbols.count {
            if solver.tableau.store.symbols[index].isFree, !withFree { continue }
            let start = index * solver.tableau.objective.stride
            for place in 0..<solver.tableau.objective.levels.count {
                numbers.append(solver.tableau.objective.costs[start + place].bitPattern)
            }
        }
        for constraint in solver.constraints.records where withFree || constraint.isDefined {
            add(constraint.isActive ? 1 : 0)
            add(Int(constraint.generation))
            numbers.append(constraint.constraint.constant.bitPattern)
        }
    }
}
