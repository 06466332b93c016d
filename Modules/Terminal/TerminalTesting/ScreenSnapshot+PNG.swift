internal import Pictures
internal import TerminalUI

extension ScreenSnapshot {
    /// The snapshot as a PNG of 8 x 16 pixels a cell.
    ///
    /// - Parameters:
    ///   - font: The glyphs.
    ///   - isLight: Whether the terminal's default colours are dark on light.
    /// - Returns: The bytes of the file.
    /// - Throws: `PictureEncodingError` if the screen is too large.
    public func png(font: BitmapFont, isLight: Bool = false) throws -> [UInt8] {
        try PictureEncoder().png(picture(font: font, isLight: isLight))
    }

    private func picture(font: BitmapFont, isLight: Bool) -> Picture {
        let cell = BitmapFont.cell
        let front: Color = isLight ? .hex(0x24292F) : .hex(0xD4D4D4)
        let back: Color = isLight ? .hex(0xFFFFFF) : .hex(0x1E1E1E)
        var picture = Picture(
            width: screen.size.width * cell.width,
            height: screen.size.height * cell.height,
            filledWith: Self.pixel(back, back)
        )
        for y in 0..<screen.size.height {
            for x in 0..<screen.size.width where !screen[x, y].isContinuation {
                let shown = screen[x, y]
                var colors = (Self.pixel(shown.style.foreground, front), Self.pixel(shown.style.background, back))
                if shown.style.attributes.contains(.reverse) { colors = (colors.1, colors.0) }
                if caret == GridPoint(x: x, y: y) { colors = (colors.1, colors.0) }
                var rows = font.rows(of: shown.glyph.text, isWide: shown.glyph.width == 2)
                if shown.style.attributes.contains(.underline) { rows[15] = 0xFFFF }
                if shown.style.attributes.contains(.strikethrough) { rows[8] = 0xFFFF }
                // Bold doubles each pixel to the right.
                if shown.style.attributes.contains(.bold) { rows = rows.map { $0 | $0 >> 1 } }
                for row in 0..<cell.height {
                    for column in 0..<cell.width * max(1, shown.glyph.width) {
                        let isSet = rows[row] >> UInt16(15 - column) & 1 == 1
                        picture[x * cell.width + column, y * cell.height + row] = isSet ? colors.0 : colors.1
                    }
                }
            }
        }
        return picture
    }

    private static func pixel(_ color: Color, _ standard: Color) -> PictureColor {
        let (red, green, blue) = color.components ?? standard.components ?? (0, 0, 0)
        return PictureColor(red, green, blue)
    }
}
