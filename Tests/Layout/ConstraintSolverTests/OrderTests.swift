import TestSupport
import Testing

@testable import ConstraintSolver

/// The work and the memory of a list, in whatever order its constraints are stated.
@Suite("Order of statement")
struct OrderTests {
    enum Order: CaseIterable {
        case listFirst, cellsFirst, cellsReversed, listReversed, shuffled
        /// The heights of the labels, then the list, then the contents of the rows, as a layout engine states them.
        case heightsFirst
    }

    /// A list of rows, each with labels pinned to its top and bottom.
    struct List: ~Copyable {
        var solver = Solver()
        private var variables: [Variable] = []
        private var rows: [(y: Variable, h: Variable)] = []

        init(_ count: Int, labels: Int, _ order: Order) throws {
            var list: [LinearConstraint] = []
            var cells: [[LinearConstraint]] = []
            var heights: [LinearConstraint] = []
            let low = Priority(250)
            for row in 0..<count {
                let (y, h) = (solver.makeVariable(), solver.makeVariable())
                if let above = rows.last {
                    list.append(LinearConstraint([Term(y), Term(above.y, -1), Term(above.h, -1)], .equal, 0))
                } else {
                    list.append(LinearConstraint([Term(y)], .equal, 0))
                }
                rows.append((y, h))
                cells.append([])
                for _ in 0..<labels {
                    let (top, height) = (solver.makeVariable(), solver.makeVariable())
                    let bottom = [Term(top), Term(height), Term(y, -1), Term(h, -1)]
                    let stated = LinearConstraint([Term(height)], .equal, Double(1 + row % 3), priority: low)
                    heights.append(stated)
                    cells[row] += [
                        LinearConstraint([Term(top), Term(y, -1)], .equal, 0),
                        LinearConstraint(bottom, .equal, 0),
                    ]
                    if order != .heightsFirst { cells[row].append(stated) }
                }
            }
            let contents = cells.flatMap { $0 }
            var statements: [LinearConstraint]
            switch order {
            case .listFirst: statements = list + contents
            case .cellsFirst: statements = contents + list
            case .cellsReversed: statements = cells.reversed().flatMap { $0 } + list
            case .listReversed: statements = contents + list.reversed()
            case .heightsFirst: statements = heights + list + contents
            case .shuffled:
                var generator = SeededGenerator(seed: 3)
                statements = (list + contents).shuffled(using: &generator)
            }
            for statement in statements { try solver.add(statement) }
        }

        /// The sum of all tops and bottoms.
        mutating func sum() -> Double {
            var sum = 0.0
            for row in rows { sum += 2 * solver.value(of: row.y) + solver.value(of: row.h) }
            return sum
        }

        /// The number of entries in all rows.
        var entries: Int {
            (0..<solver.tableau.store.rows.count).reduce(0) { $0 + Int(solver.tableau.store.rows[$1].count) }
        }
    }

    @Test("Definitions stay as short as the constraints, in every order", arguments: Order.allCases, [1, 2])
    func sparse(_ order: Order, _ labels: Int) throws {
        var expected = try List(400, labels: labels, .listFirst)
        var small = try List(400, labels: labels, order)
        #expect(small.sum() == expected.sum())
        // The constraints of a row have 11 terms with one label, and as many markers as constraints.
        #expect(small.entries <= 400 * 24 * labels)
        let large = try List(1600, labels: labels, order)
        #expect(Double(large.entries) <= 4.4 * Double(small.entries), "the memory must be linear")
        #expect(
            Double(large.solver.tableau.work) <= 8 * Double(small.solver.tableau.work),
            "the work must be near linear"
        )
    }
}
