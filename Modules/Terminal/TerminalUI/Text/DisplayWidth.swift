internal import TextEscaping

/// The width of text in a terminal, in cells.
///
/// Scalars have the width of the Unicode Character Database (East Asian Width, UAX #11). Grapheme clusters (UAX #29)
/// have the sum of their scalars, at most two: a Hangul syllable of Jamo, a flag and a family joined by ZWJ are two
/// wide. Terminals disagree about rare clusters, so the renderer positions the cursor explicitly after each of them.
public enum DisplayWidth {
    /// Returns the width of a scalar: 0, 1 or 2. A control character has width 1, because a symbol replaces it.
    public static func of(_ scalar: Unicode.Scalar) -> Int { CellWidth.of(scalar) }

    /// Returns the width of a grapheme cluster after sanitising: 0 (dropped), 1 or 2.
    public static func of(_ character: Character) -> Int { Glyph(character).width }

    /// Returns the width of a text on one line.
    public static func of(_ text: some StringProtocol) -> Int {
        var width = 0
        for character in text { width += of(character) }
        return width
    }
}
