public import EssentialFoundation

/// A font of pixels for pictures of a screen, in the .hex format of GNU Unifont.
///
/// Each line of such a file is a code point in hexadecimal, a colon, and the rows of its glyph: 32 digits for 8 x 16
/// pixels, 64 digits for 16 x 16. Debian's package `unifont` has one with all of Hangul and most symbols.
public struct BitmapFont: Sendable {
    /// The size of a cell in pixels.
    public static let cell = (width: 8, height: 16)

    private let glyphs: [UInt32: [UInt16]]

    /// Creates a font from the text of a .hex file. Lines that are malformed are ignored.
    public init(hex: String) {
        var glyphs: [UInt32: [UInt16]] = [:]
        for line in hex.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":")
            guard parts.count == 2, let scalar = UInt32(parts[0], radix: 16) else { continue }
            let digits = Array(parts[1].utf8)
            guard digits.count == 32 || digits.count == 64 else { continue }
            let step = digits.count / 16
            let rows = stride(from: 0, to: digits.count, by: step).compactMap { start in
                UInt16(String(decoding: digits[start..<start + step], as: UTF8.self), radix: 16)
            }
            // A narrow glyph has its pixels in the upper byte.
            if rows.count == 16 { glyphs[scalar] = step == 2 ? rows.map { $0 << 8 } : rows }
        }
        self.glyphs = glyphs
    }

    /// Creates a font from a .hex file.
    ///
    /// - Throws: The errors of the file system.
    public init(contentsOf file: URL) throws { self.init(hex: try String(contentsOf: file, encoding: .utf8)) }

    /// Returns the 16 rows of a cluster's glyph, the leftmost pixel in the highest bit: its scalars above each other. A
    /// scalar without a glyph is a box.
    func rows(of text: String, isWide: Bool) -> [UInt16] {
        var rows = [UInt16](repeating: 0, count: BitmapFont.cell.height)
        for scalar in text.unicodeScalars where scalar != " " && scalar != "\u{200D}" && scalar != "\u{FE0F}" {
            let glyph = glyphs[scalar.value] ?? BitmapFont.box(isWide: isWide)
            for index in rows.indices { rows[index] |= glyph[index] }
        }
        return rows
    }

    private static func box(isWide: Bool) -> [UInt16] {
        let (line, sides): (UInt16, UInt16) = isWide ? (0x3FFC, 0x2004) : (0x3C00, 0x2400)
        return (0..<16).map { $0 < 3 || $0 > 12 ? 0 : $0 == 3 || $0 == 12 ? line : sides }
    }
}
