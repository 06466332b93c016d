/// The rectangles that a block element (U+2580 to U+259F) fills, in eighths of a cell.
struct BlockShape {
    /// What is filled: each coordinate from 0 to 8.
    let parts: [Rect]

    /// The shape of a block element, but for the shaded ones; nil for every other glyph.
    init?(_ text: String) {
        guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else { return nil }
        let value = Int(scalar.value)
        switch value {
        case 0x2580: parts = [Rect(x: 0, y: 0, width: 8, height: 4)]
        case 0x2581...0x2588: parts = [Rect(x: 0, y: 8 - (value - 0x2580), width: 8, height: value - 0x2580)]
        case 0x2589...0x258F: parts = [Rect(x: 0, y: 0, width: 0x2590 - value, height: 8)]
        case 0x2590: parts = [Rect(x: 4, y: 0, width: 4, height: 8)]
        case 0x2594: parts = [Rect(x: 0, y: 0, width: 8, height: 1)]
        case 0x2595: parts = [Rect(x: 7, y: 0, width: 1, height: 8)]
        case 0x2596...0x259F:
            // Upper left 1, upper right 2, lower left 4, lower right 8.
            let quadrants = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14][value - 0x2596]
            parts = (0..<4).filter { quadrants >> $0 & 1 == 1 }.map {
                Rect(x: $0 % 2 * 4, y: $0 / 2 * 4, width: 4, height: 4)
            }
        default: return nil
        }
    }
}
