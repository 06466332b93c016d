/// The colours and attributes of a cell.
public struct TextStyle: Hashable, Sendable {
    /// The glyph's colour.
    public var foreground: Color
    /// The background colour.
    public var background: Color
    /// The attributes, such as bold and underline.
    public var attributes: Attributes
    /// The link of the cell; ``ScreenBuffer/link(to:)`` returns one.
    public var link = LinkID.none
    /// The picture that the terminal may show in place of the cell.
    var picture = PictureID.none

    /// The terminal's default colours without attributes.
    public static let plain = TextStyle()

    /// Creates a style, by default with the terminal's default colours.
    public init(foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// Creates a style whose standard colours are those of another style.
    init(_ style: TextStyle, over base: TextStyle) {
        foreground = style.foreground == .standard ? base.foreground : style.foreground
        background = style.background == .standard ? base.background : style.background
        attributes = style.attributes
    }

    /// Text attributes of a terminal.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The attributes with their names, in the order of the bits.
        package static let names: [(attribute: Attributes, name: String)] = [
            (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"), (.reverse, "reverse"),
            (.strikethrough, "strikethrough"),
        ]

        /// Bold.
        public static let bold = Attributes(rawValue: 1)
        /// Dim.
        public static let dim = Attributes(rawValue: 2)
        /// Italic.
        public static let italic = Attributes(rawValue: 4)
        /// Underlined.
        public static let underline = Attributes(rawValue: 8)
        /// Foreground and background exchanged.
        public static let reverse = Attributes(rawValue: 16)
        /// Struck through.
        public static let strikethrough = Attributes(rawValue: 32)
    }

    /// Returns the style with its colours reduced to a colour depth.
    public func lowered(to depth: ColorDepth) -> TextStyle {
        var style = self
        style.foreground = foreground.lowered(to: depth)
        style.background = background.lowered(to: depth)
        return style
    }
}
