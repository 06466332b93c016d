/// A cell without references, so that rows are compared and copied as memory.
struct PackedCell: Hashable, Sendable {
    /// The UTF-8 bytes of the cluster, the first one in the lowest byte. A cluster of more than eight bytes is its number
    /// with the highest byte 0xFF, which UTF-8 does not contain. Zero in the right half of a wide glyph.
    var text: UInt64
    var foreground: PackedColor
    var background: PackedColor
    var link: UInt32
    var picture: PictureID
    var attributes: UInt8
    /// The width in the lower two bits, and whether all terminals agree about it.
    private var shape: UInt8

    /// A space in the terminal's default colours.
    static let blank = PackedCell(text: 0x20, width: 1, isCertain: true, style: .plain)

    init(text: UInt64, width: Int, isCertain: Bool, style: TextStyle) {
        self.text = text
        foreground = PackedColor(style.foreground)
        background = PackedColor(style.background)
        link = style.link.value
        picture = style.picture
        attributes = style.attributes.rawValue
        shape = UInt8(truncatingIfNeeded: width) | (isCertain ? 4 : 0)
    }

    /// The number of cells: 0 in the right half of a wide glyph, 1 or 2.
    var width: Int { Int(shape & 3) }
    /// Whether all terminals agree on how far the glyph moves the cursor.
    var isCertain: Bool { shape & 4 != 0 }
    var isContinuation: Bool { shape & 3 == 0 }
    /// Whether the glyph is one printable ASCII character.
    var isASCII: Bool { text < 0x80 && text != 0 }
    /// Whether the text is longer than eight bytes, so that the buffer contains it.
    var isLong: Bool { text >> 56 == 0xFF }
    /// The number of UTF-8 bytes of the text; at least 8 for a long one.
    var textLength: Int { max(1, (71 - text.leadingZeroBitCount) / 8) }

    /// The same style with a space.
    var emptied: PackedCell { with(text: 0x20, width: 1, isCertain: true) }
    /// The same style as the right half of a wide glyph.
    var continuation: PackedCell { with(text: 0, width: 0, isCertain: true) }

    /// Whether both cells have the same glyph and style. Written out, so that it is inlined in the loops over a screen.
    @inline(__always) static func == (left: PackedCell, right: PackedCell) -> Bool {
        left.text == right.text && left.foreground == right.foreground && left.background == right.background
            && left.link == right.link && left.picture == right.picture && left.attributes == right.attributes
            && left.shape == right.shape
    }

    /// Returns the style with another glyph.
    func with(text: UInt64, width: Int, isCertain: Bool) -> PackedCell {
        var cell = self
        cell.text = text
        cell.shape = UInt8(truncatingIfNeeded: width) | (isCertain ? 4 : 0)
        return cell
    }

    /// Returns the cell with the colours below it in place of the terminal's default colours.
    ///
    /// A blank cell below is a part of a surface, whose colours all apply. A glyph below is covered: its foreground goes
    /// with it, and that of the surface applies.
    func over(_ under: PackedCell, surface: TextStyle) -> PackedCell {
        var cell = self
        let isBlank = under.text == 0x20
        if foreground == .standard {
            cell.foreground = isBlank ? under.foreground : PackedColor(surface.foreground)
        }
        if background == .standard { cell.background = under.background }
        // Without colours a surface is drawn reversed.
        let below = isBlank ? under.attributes : surface.attributes.rawValue
        cell.attributes |= below & TextStyle.Attributes.reverse.rawValue
        return cell
    }

    /// Whether both cells have the same colours and attributes.
    func looksLike(_ other: PackedCell) -> Bool {
        foreground == other.foreground && background == other.background && attributes == other.attributes
    }

    var style: TextStyle {
        get {
            var style = TextStyle(
                foreground: foreground.color,
                background: background.color,
                attributes: TextStyle.Attributes(rawValue: attributes)
            )
            style.link = LinkID(value: link)
            style.picture = picture
            return style
        }
        set {
            foreground = PackedColor(newValue.foreground)
            background = PackedColor(newValue.background)
            link = newValue.link.value
            picture = newValue.picture
            attributes = newValue.attributes.rawValue
        }
    }

    /// Returns the text of a cluster as a number; `nil` if it is longer than eight bytes.
    static func pack(_ text: String) -> UInt64? {
        var packed: UInt64 = 0
        var shift: UInt64 = 0
        for byte in text.utf8 {
            if shift == 64 { return nil }
            packed |= UInt64(byte) << shift
            shift += 8
        }
        return packed
    }

    /// The text of a short cluster.
    var shortText: String {
        withUnsafeBytes(of: text.littleEndian) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// A colour in 32 bits.
struct PackedColor: Hashable, Sendable {
    private let bits: UInt32

    /// The terminal's default colour.
    static let standard = PackedColor(.standard)

    init(_ color: Color) {
        switch color {
        case .standard: bits = 0
        case .palette(let index): bits = 1 << 24 | UInt32(index)
        case .rgb(let red, let green, let blue):
            bits = 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        }
    }

    var color: Color {
        switch bits >> 24 {
        case 0: .standard
        case 1: .palette(UInt8(truncatingIfNeeded: bits))
        default: .hex(bits & 0xFF_FFFF)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a grapheme cluster together with neither of its neighbours if they are plain as well: ASCII,
    /// Latin letters, Hangul syllables, kana and Han. All terminals agree about its width.
    var isPlain: Bool {
        switch value {
        case 0x20..<0x7F, 0xC0..<0x300, 0xAC00...0xD7A3, 0x4E00...0x9FFF, 0x3041...0x3096, 0x30A1...0x30FA,
            0x2500...0x259F:
            return true
        default: return false
        }
    }
}
