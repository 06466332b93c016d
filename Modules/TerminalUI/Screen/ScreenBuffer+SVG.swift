extension ScreenBuffer {
    /// The screen as an SVG drawing: one rectangle a run of background, one text a run of glyphs.
    ///
    /// Every run is stretched to its columns (`textLength`), and a wide glyph to two, so that Hangul stands on the grid
    /// whatever font the viewer has. Block elements are drawn as rectangles and meet without seams.
    public func svg(palette: ScreenPalette = .dark, cursor: Point? = nil) -> String {
        let cell = (width: 9, height: 19)
        let width = size.width * cell.width
        let height = size.height * cell.height
        var out = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
            <rect width="\(width)" height="\(height)" fill="\(palette.background)"/>
            <g font-family="ui-monospace, 'DejaVu Sans Mono', 'Nanum Gothic Coding', 'D2Coding', monospace" \
            font-size="15" xml:space="preserve">

            """
        for y in 0..<size.height {
            out += backgrounds(y, cell, palette)
            out += glyphs(y, cell, palette)
        }
        if let cursor, bounds.contains(cursor) {
            let x = cursor.x * cell.width
            out += "<rect x=\"\(x)\" y=\"\(cursor.y * cell.height)\" width=\"2\" height=\"\(cell.height)\" "
            out += "fill=\"\(palette.foreground)\"/>\n"
        }
        return out + "</g>\n</svg>\n"
    }

    private func backgrounds(_ y: Int, _ cell: (width: Int, height: Int), _ palette: ScreenPalette) -> String {
        var out = ""
        var x = 0
        while x < size.width {
            let color = palette.colors(of: self[x, y].style).background
            var end = x + 1
            while end < size.width && palette.colors(of: self[end, y].style).background == color { end += 1 }
            if color != palette.background {
                out += "<rect x=\"\(x * cell.width)\" y=\"\(y * cell.height)\" "
                out += "width=\"\((end - x) * cell.width)\" height=\"\(cell.height)\" fill=\"\(color)\"/>\n"
            }
            x = end
        }
        return out
    }

    private func glyphs(_ y: Int, _ cell: (width: Int, height: Int), _ palette: ScreenPalette) -> String {
        var out = ""
        var x = 0
        while x < size.width {
            let first = self[x, y]
            let color = palette.colors(of: first.style).foreground
            if let block = BlockShape(first.glyph.text) {
                for part in block.parts {
                    out += "<rect x=\"\(x * cell.width + cell.width * part.minX / 8)\" "
                    out += "y=\"\(y * cell.height + cell.height * part.minY / 8)\" "
                    out += "width=\"\(cell.width * part.maxX / 8 - cell.width * part.minX / 8)\" "
                    out +=
                        "height=\"\(cell.height * part.maxY / 8 - cell.height * part.minY / 8)\" fill=\"\(color)\"/>\n"
                }
                x += 1
                continue
            }
            var text = first.glyph.text
            var end = x + max(1, first.glyph.width)
            if first.glyph.width == 1 {
                while end < size.width, self[end, y].style == first.style, self[end, y].glyph.width == 1,
                    BlockShape(self[end, y].glyph.text) == nil
                {
                    text += self[end, y].glyph.text
                    end += 1
                }
            }
            let isBlank = text.allSatisfy { $0 == " " }
            if !isBlank || !first.style.attributes.isDisjoint(with: [.underline, .strikethrough]) {
                let length = (end - x) * cell.width
                out += "<text x=\"\(x * cell.width)\" y=\"\(y * cell.height + 14)\" textLength=\"\(length)\" "
                out += "lengthAdjust=\"spacingAndGlyphs\" fill=\"\(color)\"\(attributes(first.style))>"
                out += escaped(text) + "</text>\n"
            }
            x = end
        }
        return out
    }

    private func attributes(_ style: Style) -> String {
        var out = ""
        if style.attributes.contains(.bold) { out += " font-weight=\"bold\"" }
        if style.attributes.contains(.italic) { out += " font-style=\"italic\"" }
        if style.attributes.contains(.dim) { out += " opacity=\"0.6\"" }
        var lines: [String] = []
        if style.attributes.contains(.underline) { lines.append("underline") }
        if style.attributes.contains(.strikethrough) { lines.append("line-through") }
        if !lines.isEmpty { out += " text-decoration=\"\(lines.joined(separator: " "))\"" }
        return out
    }

    private func escaped(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case " ": out += "\u{A0}"
            default: out.append(character)
            }
        }
        return out
    }
}
