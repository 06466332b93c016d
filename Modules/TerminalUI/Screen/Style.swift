/// How a cell's glyph is shown: its colours and attributes.
public struct Style: Hashable, Sendable {
    /// The glyph's colour.
    public var foreground: Color
    /// The colour behind it.
    public var background: Color
    /// Bold, underline and so on.
    public var attributes: Attributes

    /// The terminal's own colours, no attributes.
    public static let plain = Style()

    /// A style; the terminal's own colours where none are told.
    public init(foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// What a terminal shows beside a colour.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// The set of these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Heavier letters.
        public static let bold = Attributes(rawValue: 1)
        /// Fainter letters.
        public static let dim = Attributes(rawValue: 2)
        /// Slanted letters.
        public static let italic = Attributes(rawValue: 4)
        /// A line below.
        public static let underline = Attributes(rawValue: 8)
        /// Foreground and background exchanged.
        public static let reverse = Attributes(rawValue: 16)
        /// A line through.
        public static let strikethrough = Attributes(rawValue: 32)
    }

    /// The style as a terminal of this depth can show it.
    public func lowered(to depth: ColorDepth) -> Style {
        Style(
            foreground: foreground.lowered(to: depth),
            background: background.lowered(to: depth),
            attributes: attributes
        )
    }
}
