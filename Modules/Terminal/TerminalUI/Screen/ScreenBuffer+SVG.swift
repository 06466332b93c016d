internal import TextEscaping

extension ScreenBuffer {
    /// Returns the screen as an SVG document: a rectangle for each run of background and a text for each run of glyphs.
    ///
    /// Every run is stretched to its columns (`textLength`), and a wide glyph to two, so that Hangul is aligned to the
    /// grid in every font. Block elements are drawn as rectangles, without seams between them.
    public func svg(palette: ScreenPalette = .dark, cursor: GridPoint? = nil) -> String {
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

    private func attributes(_ style: TextStyle) -> String {
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
        // Not by characters: a "<" with a combining mark is another character than "<".
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case " ": out += "\u{A0}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}

/// The default colours of a terminal in an SVG document.
public struct ScreenPalette: Sendable {
    /// The default foreground as `#rrggbb`.
    public let foreground: String
    /// The default background as `#rrggbb`.
    public let background: String

    /// Light text on a dark background.
    public static let dark = ScreenPalette(foreground: .hex(0xD4D4D4), background: .hex(0x1E1E1E))
    /// Dark text on a light background.
    public static let light = ScreenPalette(foreground: .hex(0x24292F), background: .hex(0xFFFFFF))

    /// Creates a palette from two colours; `Color.standard` means grey and black.
    public init(foreground: Color, background: Color) {
        self.foreground = ScreenPalette.name(foreground) ?? "#c0c0c0"
        self.background = ScreenPalette.name(background) ?? "#000000"
    }

    /// Returns the colours of a style, exchanged for `reverse`.
    func colors(of style: TextStyle) -> (foreground: String, background: String) {
        let front = ScreenPalette.name(style.foreground) ?? foreground
        let back = ScreenPalette.name(style.background) ?? background
        return style.attributes.contains(.reverse) ? (back, front) : (front, back)
    }

    private static func name(_ color: Color) -> String? {
        color.components.map { "#" + Hexadecimal.string(of: [$0.red, $0.green, $0.blue]) }
    }
}

/// The filled rectangles of a block element (U+2580 to U+259F), in eighths of a cell.
struct BlockShape {
    /// The filled rectangles, with coordinates from 0 to 8.
    let parts: [GridRect]

    /// Creates the shape of a block element; `nil` for shaded blocks and all other glyphs.
    init?(_ text: String) {
        guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else { return nil }
        let value = Int(scalar.value)
        switch value {
        case 0x2580: parts = [GridRect(x: 0, y: 0, width: 8, height: 4)]
        case 0x2581...0x2588: parts = [GridRect(x: 0, y: 8 - (value - 0x2580), width: 8, height: value - 0x2580)]
        case 0x2589...0x258F: parts = [GridRect(x: 0, y: 0, width: 0x2590 - value, height: 8)]
        case 0x2590: parts = [GridRect(x: 4, y: 0, width: 4, height: 8)]
        case 0x2594: parts = [GridRect(x: 0, y: 0, width: 8, height: 1)]
        case 0x2595: parts = [GridRect(x: 7, y: 0, width: 1, height: 8)]
        case 0x2596...0x259F:
            // Bits: upper left 1, upper right 2, lower left 4, lower right 8.
            let quadrants = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14][value - 0x2596]
            parts = (0..<4).filter { quadrants >> $0 & 1 == 1 }.map {
                GridRect(x: $0 % 2 * 4, y: $0 / 2 * 4, width: 4, height: 4)
            }
        default: return nil
        }
    }
}
