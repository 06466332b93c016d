/// One place on the screen: a glyph, or the right half of the wide glyph before it.
public struct Cell: Hashable, Sendable {
    /// What stands here; of width zero in the right half of a wide glyph.
    public let glyph: Glyph
    /// How it is shown.
    public var style: Style

    /// A space in the terminal's own colours.
    public static let blank = Cell(.space)

    /// A cell of a glyph; one without width stands as a space.
    public init(_ glyph: Glyph, style: Style = .plain) {
        self.glyph = glyph.width == 0 ? .space : glyph
        self.style = style
    }

    /// A cell of one grapheme cluster, sanitised.
    public init(_ character: Character, style: Style = .plain) {
        self.init(Glyph(character), style: style)
    }

    private init(continuationOf style: Style) {
        glyph = Glyph.nothing
        self.style = style
    }

    /// The right half of a wide glyph.
    static func continuation(_ style: Style) -> Cell {
        Cell(continuationOf: style)
    }

    /// Whether this is the right half of the wide glyph to its left.
    public var isContinuation: Bool { glyph.width == 0 }
}

extension Glyph {
    /// What the right half of a wide glyph holds.
    static let nothing = Glyph("\u{200B}")
}
