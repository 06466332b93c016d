/// The width of text in a terminal, in cells.
///
/// Scalars have the width of the Unicode Character Database (East Asian Width, UAX #11). Grapheme clusters (UAX #29)
/// have the sum of their scalars, at most two: a Hangul syllable of Jamo, a flag and a family joined by ZWJ are two
/// wide. Terminals disagree about rare clusters, so the renderer positions the cursor explicitly after each of them.
public enum DisplayWidth {
    /// Returns the width of a scalar: 0, 1 or 2. A control character has width 1, because a symbol replaces it.
    public static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        if value >= 0xAC00 && value <= 0xD7A3 { return 2 }
        if value >= 0x4E00 && value <= 0x9FFF { return 2 }
        if contains(WidthTable.zero, value) { return 0 }
        return contains(WidthTable.wide, value) ? 2 : 1
    }

    /// Returns the width of a grapheme cluster after sanitising: 0 (dropped), 1 or 2.
    public static func of(_ character: Character) -> Int { Glyph(character).width }

    /// Returns the width of a text on one line.
    public static func of(_ text: some StringProtocol) -> Int {
        var width = 0
        for character in text { width += of(character) }
        return width
    }

    /// Returns the width of a sanitised cluster: the sum of its scalars, at most two, or two for an emoji presentation.
    static func ofCluster(_ scalars: String.UnicodeScalarView) -> Int {
        var width = 0
        var previous: Unicode.Scalar?
        for scalar in scalars {
            if scalar.value == 0xFE0F, let base = previous, base.properties.isEmoji {
                width = 2
            } else {
                width += of(scalar)
            }
            previous = scalar
        }
        return min(width, 2)
    }

    /// Whether a value is in one of the ranges, each given by its first and its last value.
    private static func contains(_ ranges: [UInt32], _ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count / 2
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle * 2 + 1] < value { low = middle + 1 } else { high = middle }
        }
        return low * 2 < ranges.count && ranges[low * 2] <= value
    }
}
