import ConstraintSolver

extension LayoutProgram {
    /// A list of rows of picture, title, subtitle and button in a window.
    ///
    /// After it is built the window is resized; then single rows are taken out and put back, as cells are reloaded; then
    /// the width of one title at a time changes by a constant.
    static func list(_ count: Int, resizes: Int, reloads: Int, constants: Int) -> LayoutProgram {
        var program = LayoutProgram()
        let window = program.variable()
        program.phase("build")
        program.step(.edit(window, 900))
        program.step(.suggest(window, 390))
        var above: (y: Int, h: Int)?
        var rows: [Range<Int>] = []
        var titles: [Int] = []
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
            program.addParts(row, (x, y, w, h), &titles)
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
        program.phase("constant")
        for index in 0..<constants {
            let title = titles[index * 37 % count]
            program.step(.constant(title, program.entries[title].constant + Double(index * 13 % 41 - 20)))
            program.step(.read)
        }
        return program
    }

    /// The content of a row; the place of the wish for the title's width goes to `titles`.
    private mutating func addParts(_ row: Int, _ frame: (x: Int, y: Int, w: Int, h: Int), _ titles: inout [Int]) {
        let (x, y, w, h) = frame
        let parts = (0..<4).map { _ in (x: variable(), y: variable(), w: variable(), h: variable()) }
        let (picture, title, subtitle, button) = (parts[0], parts[1], parts[2], parts[3])
        add([(picture.x, 1), (x, -1)], .equal, 16)
        add([(picture.w, 1)], .equal, 40)
        add([(picture.h, 1)], .equal, 40)
        add([(picture.y, 1), (picture.h, 0.5), (y, -1), (h, -0.5)], .equal, 0)
        add([(picture.y, 1), (y, -1)], .greaterThanOrEqual, 8)
        add([(title.x, 1), (picture.x, -1), (picture.w, -1)], .equal, 12)
        add([(title.y, 1), (y, -1)], .equal, 8)
        add([(subtitle.x, 1), (title.x, -1)], .equal, 0)
        add([(subtitle.y, 1), (title.y, -1), (title.h, -1)], .equal, 4)
        add([(subtitle.y, 1), (subtitle.h, 1), (y, -1), (h, -1)], .lessThanOrEqual, -8)
        add([(button.x, 1), (button.w, 1), (x, -1), (w, -1)], .equal, -16)
        add([(button.y, 1), (button.h, 0.5), (y, -1), (h, -0.5)], .equal, 0)
        add([(title.x, 1), (title.w, 1), (button.x, -1)], .lessThanOrEqual, -8)
        add([(subtitle.x, 1), (subtitle.w, 1), (button.x, -1)], .lessThanOrEqual, -8)
        let widths = (title: 60 + row * 37 % 270, subtitle: 60 + row * 53 % 340, button: 40 + row * 13 % 50)
        titles.append(entries.count)
        addContent(title, Double(widths.title), 20, hugging: 0.251, compression: 750)
        addContent(subtitle, Double(widths.subtitle), 16, hugging: 0.25, compression: 749)
        addContent(button, Double(widths.button), 32, hugging: 0.26, compression: 760)
        add([(h, 1)], .equal, 0, 100, weight: 0.05)
    }

    /// Wishes for a part's size, of one level and weighed, so that both sides strive for the same.
    private mutating func addContent(
        _ part: (x: Int, y: Int, w: Int, h: Int),
        _ width: Double,
        _ height: Double,
        hugging: Double,
        compression: Double
    ) {
        add([(part.w, 1)], .equal, width, 100, weight: hugging)
        add([(part.w, 1)], .greaterThanOrEqual, width, 100, weight: compression)
        add([(part.h, 1)], .equal, height, 500)
    }
}
