/// How many cells text takes in a terminal.
///
/// Scalars by the table of the Unicode Character Database (East Asian Width, UAX #11); grapheme clusters (UAX #29) by
/// their scalars, capped at two cells: a Hangul syllable of Jamo, a flag and a family joined by ZWJ each take two.
/// Terminals disagree about rare clusters, and therefore the screen places the cursor anew after each of them.
public enum DisplayWidth {
    /// The cells of one scalar: 0, 1 or 2. A control character counts as one, for it is drawn as a picture of itself.
    public static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        if value >= 0xAC00 && value <= 0xD7A3 { return 2 }
        if value >= 0x4E00 && value <= 0x9FFF { return 2 }
        if contains(WidthTable.zero, value) { return 0 }
        return contains(WidthTable.wide, value) ? 2 : 1
    }

    /// The cells of one grapheme cluster, after sanitising: 0 (dropped), 1 or 2.
    public static func of(_ character: Character) -> Int {
        Glyph(character).width
    }

    /// The cells of a text on one line.
    public static func of(_ text: some StringProtocol) -> Int {
        var width = 0
        for character in text { width += of(character) }
        return width
    }

    /// The cells of a sanitised cluster: its scalars' widths, two at most, and two for an emoji presentation.
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

    private static func contains(_ ranges: [ClosedRange<UInt32>], _ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(value)
    }
}
