/// The number of cells that text takes in a terminal.
///
/// Scalars have the width of the Unicode Character Database (East Asian Width, UAX #11). Grapheme clusters (UAX #29)
/// have the sum of their scalars, at most two: a Hangul syllable of Jamo, a flag and a family joined by ZWJ are two
/// wide. It is public so that the widths of common letters can be inlined; the target is not a product.
public enum CellWidth {
    /// Returns the width of a scalar: 0, 1 or 2; that of a control character is 1.
    @inlinable
    public static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        if value >= 0xAC00 && value <= 0xD7A3 { return 2 }
        if value >= 0x4E00 && value <= 0x9FFF { return 2 }
        return inTable(value)
    }

    /// Returns the width of a grapheme cluster: the sum of its scalars, at most two, or two for an emoji presentation.
    package static func ofCluster(_ scalars: String.UnicodeScalarView) -> Int {
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

    /// Returns the width of a text on one line.
    package static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + ofCluster($1.unicodeScalars) } }

    @usableFromInline
    static func inTable(_ value: UInt32) -> Int {
        if contains(WidthTable.zero, value) { return 0 }
        return contains(WidthTable.wide, value) ? 2 : 1
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
