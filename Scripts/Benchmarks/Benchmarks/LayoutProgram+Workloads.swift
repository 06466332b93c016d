import ConstraintSolver

extension LayoutProgram {
    /// Views side by side in a window: all of one width, which would be 50 (or, where unequal, 50 to 56, so that no two
    /// wishes in a row are the same) and is at least 10.
    static func chain(_ count: Int, isUnequal: Bool = false, resizes: Int) -> LayoutProgram {
        var program = LayoutProgram()
        let window = program.variable()
        let views = (0..<count).map { _ in (left: program.variable(), width: program.variable()) }
        program.phase("build")
        program.step(.edit(window, 900))
        program.step(.suggest(window, Double(58 * count + 100)))
        program.add([(views[0].left, 1)], .equal, 8)
        for index in views.indices {
            let view = views[index]
            if index > 0 {
                let before = views[index - 1]
                program.add([(view.left, 1), (before.left, -1), (before.width, -1)], .equal, 8)
                program.add([(view.width, 1), (before.width, -1)], .equal, 0)
            }
            program.add([(view.width, 1)], .equal, 50 + Double(isUnequal ? index % 7 : 0), 100)
            program.add([(view.width, 1)], .greaterThanOrEqual, 10, 900)
        }
        let last = views[count - 1]
        program.add([(last.left, 1), (last.width, 1), (window, -1)], .lessThanOrEqual, -8)
        program.step(.read)
        program.phase("resize")
        for index in 0..<resizes {
            program.step(.suggest(window, Double(count * (30 + 2 * index) + 100)))
            program.step(.read)
        }
        return program
    }

    /// Rows of cells in a window; cells of a row share a width where they can, each holds a centered label.
    static func grid(rows: Int, columns: Int, resizes: Int) -> LayoutProgram {
        var program = LayoutProgram()
        let width = program.variable()
        let height = program.variable()
        program.phase("build")
        program.step(.edit(width, 900))
        program.step(.edit(height, 900))
        program.step(.suggest(width, 1200))
        program.step(.suggest(height, 900))
        var above: (y: Int, h: Int)?
        for row in 0..<rows {
            let (x, y, w, h) = (program.variable(), program.variable(), program.variable(), program.variable())
            program.add([(x, 1)], .equal, 16)
            program.add([(x, 1), (w, 1), (width, -1)], .equal, -16)
            if let above {
                program.add([(y, 1), (above.y, -1), (above.h, -1)], .equal, 8)
                program.add([(h, 1), (above.h, -1)], .equal, 0, 100)
            } else {
                program.add([(y, 1)], .equal, 20)
            }
            program.add([(h, 1)], .greaterThanOrEqual, 20)
            above = (y, h)
            var before: (x: Int, w: Int)?
            for column in 0..<columns {
                let (cx, cy) = (program.variable(), program.variable())
                let (cw, ch) = (program.variable(), program.variable())
                let (lx, lw, ly, lh) = (program.variable(), program.variable(), program.variable(), program.variable())
                program.add([(cy, 1), (y, -1)], .equal, 0)
                program.add([(ch, 1), (h, -1)], .equal, 0)
                if let before {
                    program.add([(cx, 1), (before.x, -1), (before.w, -1)], .equal, 8)
                    program.add([(cw, 1), (before.w, -1)], .equal, 0, 500)
                } else {
                    program.add([(cx, 1), (x, -1)], .equal, 0)
                }
                before = (cx, cw)
                program.add([(lx, 1), (lw, 0.5), (cx, -1), (cw, -0.5)], .equal, 0)
                program.add([(ly, 1), (lh, 0.5), (cy, -1), (ch, -0.5)], .equal, 0)
                program.add([(lx, 1), (cx, -1)], .greaterThanOrEqual, 4)
                program.add([(ly, 1), (cy, -1)], .greaterThanOrEqual, 4)
                let content = (Double(20 + (row * 31 + column * 17) % 60), Double(14 + (row * 7 + column * 5) % 12))
                program.add([(lw, 1)], .equal, content.0, 100)
                program.add([(lw, 1)], .greaterThanOrEqual, content.0, 500)
                program.add([(lh, 1)], .equal, content.1, 100)
                program.add([(lh, 1)], .greaterThanOrEqual, content.1, 500)
                program.add([(lw, 1)], .greaterThanOrEqual, 0)
                program.add([(cw, 1)], .greaterThanOrEqual, 0)
            }
            if let before { program.add([(before.x, 1), (before.w, 1), (x, -1), (w, -1)], .equal, 0) }
        }
        if let above { program.add([(above.y, 1), (above.h, 1), (height, -1)], .lessThanOrEqual, -20, 900) }
        program.step(.read)
        program.phase("resize")
        for index in 0..<resizes {
            program.step(.suggest(width, [1180.0, 1160, 1100, 1000, 900, 1010, 1190, 700][index % 8] - Double(index)))
            program.step(.read)
        }
        return program
    }
}
