import ConstraintSolver

extension LayoutProgram {
    /// A form in a window, of the shape and size that desktop toolkits bring about: labels and fields in two columns, a
    /// row of buttons; everything not negative, each distance both a requirement to be at least so and a wish to be just
    /// so, baselines aligned, contents with a size to hug. The window's width and height are edited, both at a time.
    static func form(rows: Int, resizes: Int) -> LayoutProgram {
        var program = LayoutProgram()
        let width = program.variable()
        let height = program.variable()
        program.phase("build")
        program.step(.edit(width, 900))
        program.step(.edit(height, 900))
        let (left, top) = (program.variable(), program.variable())
        let (right, bottom) = (program.variable(), program.variable())
        program.add([(left, 1)], .equal, 10)
        program.add([(top, 1)], .equal, 10)
        program.add([(right, 1), (width, -1)], .equal, -10)
        program.add([(bottom, 1), (height, -1)], .equal, -10)
        for edge in [width, height, left, top] { program.add([(edge, 1)], .greaterThanOrEqual, 0) }
        var above = [(top, 1.0)]
        var firstField: Int?
        for row in 0..<rows {
            let label = program.widget(width: 60 + row * 7 % 40, height: 16)
            let field = program.widget(width: 120, height: 21)
            program.space(above, field.y, row == 0 ? 0 : 10)
            program.space([(left, 1)], label.x, 0)
            program.space([(label.x, 1), (label.w, 1)], field.x, 10)
            program.space([(field.x, 1), (field.w, 1)], right, 0)
            program.add([(label.y, 1), (label.h, 0.5), (field.y, -1), (field.h, -0.5)], .equal, 0, 900)
            if let firstField { program.add([(field.x, 1), (firstField, -1)], .equal, 0, 900) }
            firstField = firstField ?? field.x
            above = [(field.y, 1), (field.h, 1)]
        }
        let button = program.widget(width: 67, height: 24)
        program.space(above, button.y, 10)
        program.space([(button.y, 1), (button.h, 1)], bottom, 0)
        program.space([(left, 1)], button.x, 0)
        program.add([(button.x, 1), (button.w, 1), (right, -1)], .lessThanOrEqual, 0)
        program.step(.read)
        program.phase("resize")
        for index in 0..<resizes {
            program.step(.suggest(width, 400 + Double(index * 20 % 400)))
            program.step(.suggest(height, 400 + Double(index * 40 / 20 % 400)))
            program.step(.read)
        }
        return program
    }

    /// A part of a form: not negative, at least as large as its content, and preferably just as large.
    private mutating func widget(width: Int, height: Int) -> (x: Int, y: Int, w: Int, h: Int) {
        let part = (x: variable(), y: variable(), w: variable(), h: variable())
        for edge in [part.x, part.y, part.w, part.h] { add([(edge, 1)], .greaterThanOrEqual, 0) }
        add([(part.w, 1)], .greaterThanOrEqual, Double(width), 900)
        add([(part.w, 1)], .equal, Double(width), 100)
        add([(part.h, 1)], .greaterThanOrEqual, Double(height), 900)
        add([(part.h, 1)], .equal, Double(height), 900)
        return part
    }

    /// At least a distance from one edge to another, and preferably just that.
    private mutating func space(_ from: [(Int, Double)], _ to: Int, _ distance: Double) {
        let terms = [(to, 1.0)] + from.map { ($0.0, -$0.1) }
        add(terms, .greaterThanOrEqual, distance)
        add(terms, .equal, distance, 500, weight: 1.25)
    }
}
