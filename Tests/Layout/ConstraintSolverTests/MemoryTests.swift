import TestSupport
import Testing

@testable import ConstraintSolver

/// The memory of a solver whose constraints and variables are added, replaced and removed again and again.
@Suite("Memory")
struct MemoryTests {
    enum Shape: CaseIterable {
        case chain, grid
    }

    /// Items in a chain from top to bottom, or in a grid of ten columns.
    struct Items: ~Copyable {
        var solver = Solver()
        private let shape: Shape
        private let count: Int
        private let window: Variable
        private var generator = SeededGenerator(seed: 11)
        private var variables: [(x: Variable, y: Variable, width: Variable, height: Variable)] = []
        private var ids: [[ConstraintID]] = []
        /// The most memory that rows took after a replacement, in bytes; by default after each sixteenth.
        private(set) var peak = 0

        init(_ count: Int, _ shape: Shape) throws {
            self.count = count
            self.shape = shape
            window = solver.makeVariable()
            try solver.addEdit(window, priority: Priority(900))
            try solver.suggest(800, for: window)
        }

        /// Adds all items, replaces the constraints of each and removes all, in random order. Returns the memory of
        /// the tableau's rows afterwards, in bytes.
        mutating func cycle() throws -> Int {
            variables = (0..<count).map { _ in
                (solver.makeVariable(), solver.makeVariable(), solver.makeVariable(), solver.makeVariable())
            }
            ids = []
            for item in 0..<count { ids.append(try add(item)) }
            solver.drainChanges { _, _ in }
            for (place, item) in (0..<count).shuffled(using: &generator).enumerated() {
                for id in ids[item] { try solver.discard(id) }
                ids[item] = try add(item)
                // Counting the bytes visits all rows.
                if isLongRun || place % 16 == 0 { peak = max(peak, solver.tableau.store.usedBytes) }
            }
            solver.drainChanges { _, _ in }
            #expect(solver.largestResidual() < 1e-6)
            let order = (0..<count).shuffled(using: &generator)
            for item in order { for id in ids[item] { try solver.discard(id) } }
            for item in order {
                let (x, y, width, height) = variables[item]
                for variable in [x, y, width, height] { try solver.removeVariable(variable) }
            }
            solver.drainChanges { _, _ in }
            return solver.tableau.store.allocatedBytes
        }

        private mutating func add(_ item: Int) throws -> [ConstraintID] {
            let own = variables[item]
            var statements: [LinearConstraint] = []
            func follow(_ own: Variable, _ before: Variable, _ extent: Variable) {
                statements.append(LinearConstraint([Term(own), Term(before, -1), Term(extent, -1)], .equal, 2))
            }
            switch shape {
            case .chain:
                if item > 0 { follow(own.y, variables[item - 1].y, variables[item - 1].height) }
                statements += [
                    LinearConstraint([Term(own.x)], .equal, 3),
                    LinearConstraint([Term(own.width), Term(own.x), Term(window, -1)], .equal, -3),
                ]
            case .grid:
                if item % 10 > 0 {
                    let before = variables[item - 1]
                    follow(own.x, before.x, before.width)
                    statements.append(
                        LinearConstraint([Term(own.width), Term(before.width, -1)], .equal, 0, priority: Priority(700))
                    )
                } else {
                    statements += [
                        LinearConstraint([Term(own.x)], .equal, 0),
                        LinearConstraint([Term(own.width, 10), Term(window, -1)], .equal, 0, priority: Priority(800)),
                    ]
                }
                if item >= 10 { follow(own.y, variables[item - 10].y, variables[item - 10].height) }
            }
            let height = Double(10 + item % 7)
            statements += [
                LinearConstraint([Term(own.height)], .equal, height, priority: Priority(250)),
                LinearConstraint([Term(own.height)], .greaterThanOrEqual, height, priority: Priority(750)),
                LinearConstraint([Term(own.width)], .greaterThanOrEqual, 0, priority: Priority(999)),
            ]
            return try statements.map { try solver.add($0) }
        }
    }

    @Test(
        "Items added, replaced and removed in random order do not leak memory",
        arguments: Shape.allCases,
        isLongRun ? [300, 10_000] : [150]
    )
    func cycles(_ shape: Shape, count: Int) throws {
        var items = try Items(count, shape)
        let first = try items.cycle()
        var last = first
        for _ in 1..<8 { last = try items.cycle() }
        #expect(Double(last) <= 1.2 * Double(first), "\(first) bytes after the first cycle, \(last) after the last")
        // An item has four variables and up to eight constraints: about twenty symbols, as many short rows and lists.
        #expect(first <= 8000 * count)
    }

    @Test("Rows take memory in proportion to the constraints while these are replaced in random order")
    func peak() throws {
        var items = try Items(isLongRun ? 800 : 300, .chain)
        if !isLongRun { items.solver.leastMemory = 1 << 20 }
        _ = try items.cycle()
        // Without a limit, the definitions of the chain would grow to 15 KB for each of 800 items, and to 6 KB for each of 300.
        #expect(items.peak <= items.solver.leastMemory)
    }
}
