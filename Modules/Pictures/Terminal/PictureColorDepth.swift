/// How many colours a terminal shows.
public enum PictureColorDepth: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// No colour at all.
    case none
    /// The 16 colours of old; what they look like is the user's theme, xterm's defaults are assumed.
    case ansi16
    /// xterm's palette: a cube of 6 x 6 x 6 colours and 24 greys.
    case palette256
    /// 24 bits.
    case trueColor

    /// Fewer colours come first.
    public static func < (left: PictureColorDepth, right: PictureColorDepth) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The nearest colour that a terminal of this depth can be told, or `nil` where it has none.
    ///
    /// Nearness is distance in OKLab. With 256 colours the first 16, which themes change, are not used.
    public func nearest(to color: PictureColor) -> TerminalColor? {
        switch self {
        case .none: nil
        case .ansi16: .indexed(XtermPalette.nearest16(to: color))
        case .palette256: .indexed(XtermPalette.nearest256(to: color))
        case .trueColor: .rgb(color.red, color.green, color.blue)
        }
    }
}
