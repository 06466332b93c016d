import ConstraintSolver

extension LayoutProgram {
    /// The order in which the constraints of ``rows(_:labels:order:)`` are stated.
    enum Order: String, CaseIterable, Sendable {
        /// Each row below the one before, then the contents of the rows.
        case listFirst = "list first"
        /// The contents of each row, then the list.
        case cellsFirst = "cells first"
        /// The contents from the last row to the first, then the list.
        case cellsReversed = "cells in reverse"
        /// The contents, then the list from its last row to its first.
        case listReversed = "list in reverse"
        /// All constraints, shuffled.
        case shuffled = "shuffled"

        /// Arranges statements in this order.
        ///
        /// - Parameters:
        ///   - list: the statements that place each row below the one before.
        ///   - cells: for each row the statements about its contents.
        /// - Returns: all statements.
        func arranged<Statement>(list: [Statement], cells: [[Statement]]) -> [Statement] {
            let contents = cells.flatMap { $0 }
            switch self {
            case .listFirst: return list + contents
            case .cellsFirst: return contents + list
            case .cellsReversed: return cells.reversed().flatMap { $0 } + list
            case .listReversed: return contents + list.reversed()
            case .shuffled:
                var statements = list + contents
                var random = Random(state: 5)
                for place in stride(from: statements.count - 1, to: 0, by: -1) {
                    statements.swapAt(place, random.next(place + 1))
                }
                return statements
            }
        }
    }

    /// A list of rows whose heights follow from labels that are pinned to their top and bottom.
    ///
    /// The constraints are stored in the order in which they are stated, as a client would create them: none of the orders
    /// pays for reading the benchmark's own memory at random.
    ///
    /// - Parameters:
    ///   - count: the number of rows.
    ///   - labels: the number of labels side by side in each row.
    ///   - order: the order in which the constraints are stated.
    /// - Returns: the program.
    static func rows(_ count: Int, labels: Int, order: Order) -> LayoutProgram {
        var program = LayoutProgram()
        let width = program.variable()
        var list: [Entry] = []
        var cells: [[Entry]] = []
        var above: (y: Int, h: Int)?
        for row in 0..<count {
            let (x, y, w, h) = (program.variable(), program.variable(), program.variable(), program.variable())
            list.append(Entry([(x, 1)], .equal, 0))
            list.append(Entry([(w, 1), (width, -1)], .equal, 0))
            if let above {
                list.append(Entry([(y, 1), (above.y, -1), (above.h, -1)], .equal, 0))
            } else {
                list.append(Entry([(y, 1)], .equal, 0))
            }
            above = (y, h)
            cells.append([])
            var before: (x: Int, w: Int)?
            for label in 0..<labels {
                let (lx, ly) = (program.variable(), program.variable())
                let (lw, lh) = (program.variable(), program.variable())
                let height = Double(16 + (row * 7 + label * 5) % 12)
                var cell: [Entry] = []
                cell.append(Entry([(ly, 1), (y, -1)], .equal, 0))
                cell.append(Entry([(ly, 1), (lh, 1), (y, -1), (h, -1)], .equal, 0))
                if let before {
                    cell.append(Entry([(lx, 1), (before.x, -1), (before.w, -1)], .equal, 0))
                } else {
                    cell.append(Entry([(lx, 1), (x, -1)], .equal, 0))
                }
                before = (lx, lw)
                cell.append(Entry([(lw, 1)], .equal, Double(40 + (row * 13 + label) % 60), 100))
                cell.append(Entry([(lh, 1)], .equal, height, 100))
                cell.append(Entry([(lh, 1)], .greaterThanOrEqual, height, 500))
                cells[row] += cell
            }
        }
        program.phase("build")
        program.step(.edit(width, 900))
        program.step(.suggest(width, 390))
        for entry in order.arranged(list: list, cells: cells) { program.add(entry) }
        program.step(.read)
        return program
    }
}
