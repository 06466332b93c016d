import TerminalTesting
import TerminalUI

extension AppOnScreen {
    /// The settled screen as text, with the picture's rows cut to one mark each and equal rows written once: what a
    /// snapshot compares.
    var snapshot: String {
        var lines: [String] = []
        for y in 0..<app.screen.size.height {
            var line = app.screen.line(y)
            while line.contains("▀▀") { line = line.replacing("▀▀", with: "▀") }
            if line != lines.last { lines.append(line) }
        }
        return lines.joined(separator: "\n")
    }

    /// Where the picture is: the cells drawn as half-blocks.
    var pictureArea: GridRect? {
        var area: GridRect?
        for y in 0..<app.screen.size.height {
            for (x, cell) in app.screen.row(y).enumerated() where cell.glyph.text == "▀" {
                let old = area ?? GridRect(x: x, y: y, width: 1, height: 1)
                let left = min(old.minX, x)
                let top = min(old.minY, y)
                area = GridRect(x: left, y: top, width: max(old.maxX, x + 1) - left, height: max(old.maxY, y + 1) - top)
            }
        }
        return area
    }
}
