import ConstraintSolver

extension LayoutProgram {
    /// Views side by side in a window: all of one width, which would be 50 and is at least 10.
    static func chain(_ count: Int, resizes: Int) -> LayoutProgram {
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
            program.add([(view.width, 1)], .equal, 50, 100)
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
                let (cx, cw) = (program.variable(), program.variable())
                let (lx, lw, ly, lh) = (program.variable(), program.variable(), program.variable(), program.variable())
                if let before {
                    program.add([(cx, 1), (before.x, -1), (before.w, -1)], .equal, 8)
                    program.add([(cw, 1), (before.w, -1)], .equal, 0, 500)
                } else {
                    program.add([(cx, 1), (x, -1)], .equal, 0)
                }
                before = (cx, cw)
                program.add([(lx, 1), (lw, 0.5), (cx, -1), (cw, -0.5)], .equal, 0)
                program.add([(ly, 1), (lh, 0.5), (y, -1), (h, -0.5)], .equal, 0)
                program.add([(lx, 1), (cx, -1)], .greaterThanOrEqual, 4)
                program.add([(ly, 1), (y, -1)], .greaterThanOrEqual, 4)
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

    /// A list of rows of picture, title and button; resized, then single rows taken out and put back.
    static func list(_ count: Int, resizes: Int, reloads: Int) -> LayoutProgram {
        var program = LayoutProgram()
        let window = program.variable()
        program.phase("build")
        program.step(.edit(window, 900))
        program.step(.suggest(window, 390))
        var above: (y: Int, h: Int)?
        var rows: [Range<Int>] = []
        for row in 0..<count {
            let (x, y, w, h) = (program.variable(), program.variable(), program.variable(), program.variable())
            program.add([(x, 1)], .equal, 0)
            program.add([(x, 1), (w, 1), (window, -1)], .equal, 0)
            if let above {
                program.add([(y, 1), (above.y, -1), (above.h, -1)], .equal, 1)
            } else {
                program.add([(y, 1)], .equal, 44)
            }
            above = (y, h)
            let first = program.entries.count
            let parts = (0..<3).map { _ in
                (program.variable(), program.variable(), program.variable(), program.variable())
            }
            let (picture, title, button) = (parts[0], parts[1], parts[2])
            program.add([(picture.0, 1), (x, -1)], .equal, 16)
            program.add([(picture.2, 1)], .equal, 40)
            program.add([(picture.3, 1)], .equal, 40)
            program.add([(picture.1, 1), (picture.3, 0.5), (y, -1), (h, -0.5)], .equal, 0)
            program.add([(picture.1, 1), (y, -1)], .greaterThanOrEqual, 8)
            program.add([(title.0, 1), (picture.0, -1), (picture.2, -1)], .equal, 12)
            program.add([(title.1, 1), (y, -1)], .equal, 8)
            program.add([(title.1, 1), (title.3, 1), (y, -1), (h, -1)], .lessThanOrEqual, -8)
            program.add([(button.0, 1), (button.2, 1), (x, -1), (w, -1)], .equal, -16)
            program.add([(button.1, 1), (button.3, 0.5), (y, -1), (h, -0.5)], .equal, 0)
            program.add([(title.0, 1), (title.2, 1), (button.0, -1)], .lessThanOrEqual, -8)
            let titleWidth = Double(60 + row * 37 % 270)
            let buttonWidth = Double(40 + row * 13 % 50)
            for (part, width, height, hug, resist) in [
                (title, titleWidth, 20.0, 250, 600), (button, buttonWidth, 32, 260, 760),
            ] {
                program.add([(part.2, 1)], .equal, width, hug)
                program.add([(part.2, 1)], .greaterThanOrEqual, width, resist)
                program.add([(part.3, 1)], .equal, height, 500)
            }
            program.add([(h, 1)], .equal, 0, 50)
            rows.append(first..<program.entries.count)
        }
        program.step(.read)
        program.phase("resize")
        for index in 0..<resizes {
            program.step(.suggest(window, [390.0, 430, 320, 375, 768, 744, 600, 393][index % 8] + Double(index)))
            program.step(.read)
        }
        program.phase("reload")
        for index in 0..<reloads {
            let row = rows[(count / 2 + index * 7) % count]
            for entry in row { program.step(.remove(entry)) }
            for entry in row { program.step(.add(entry)) }
            program.step(.read)
        }
        return program
    }
}
