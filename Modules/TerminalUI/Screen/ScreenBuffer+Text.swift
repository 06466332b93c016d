extension ScreenBuffer {
    /// The screen as plain text: a line a row, spaces at the ends of lines and blank lines at the end left out.
    public var text: String {
        var lines = (0..<size.height).map(line)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// A row as plain text, without the spaces at its end.
    public func line(_ y: Int) -> String {
        var line = ""
        for cell in row(y) where !cell.isContinuation { line += cell.glyph.text }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Where a text stands on the screen, row by row from the top; nil where it is not to be seen.
    public func find(_ text: String) -> Point? {
        for y in 0..<size.height {
            var columns: [Int] = []
            var line: [Character] = []
            for (x, cell) in row(y).enumerated() where !cell.isContinuation {
                for character in cell.glyph.text {
                    line.append(character)
                    columns.append(x)
                }
            }
            let wanted = Array(text)
            guard !wanted.isEmpty, line.count >= wanted.count else { continue }
            for start in 0...(line.count - wanted.count) where line[start..<start + wanted.count].elementsEqual(wanted)
            {
                return Point(x: columns[start], y: y)
            }
        }
        return nil
    }
}
