internal import Pictures

/// A colour in its full precision. The renderer reduces it to the colours of the terminal.
public enum Color: Hashable, Sendable {
    /// The terminal's default foreground or background.
    case standard
    /// An entry of the 256-colour palette; the user's settings define entries 0 to 15.
    case palette(UInt8)
    /// Red, green and blue, each from 0 to 255.
    case rgb(UInt8, UInt8, UInt8)

    /// Black, palette entry 0.
    public static let black = Color.palette(0)
    /// Red, palette entry 1.
    public static let red = Color.palette(1)
    /// Green, palette entry 2.
    public static let green = Color.palette(2)
    /// Yellow, palette entry 3.
    public static let yellow = Color.palette(3)
    /// Blue, palette entry 4.
    public static let blue = Color.palette(4)
    /// Magenta, palette entry 5.
    public static let magenta = Color.palette(5)
    /// Cyan, palette entry 6.
    public static let cyan = Color.palette(6)
    /// Light grey, palette entry 7.
    public static let white = Color.palette(7)
    /// Dark grey, palette entry 8.
    public static let gray = Color.palette(8)

    /// Returns the colour 0xRRGGBB.
    public static func hex(_ value: UInt32) -> Color {
        .rgb(UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    }
}

/// The number of colours that a terminal can show.
public enum ColorDepth: String, Hashable, Sendable, Comparable, CaseIterable {
    /// No colours, only attributes such as bold and reverse.
    case none
    /// The 16 colours of the user's palette.
    case indexed16
    /// xterm's 256 colours.
    case indexed256
    /// 24 bits per colour.
    case trueColor

    /// Whether the left depth has fewer colours than the right one.
    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .none: 0
        case .indexed16: 1
        case .indexed256: 2
        case .trueColor: 3
        }
    }
}

extension Color {
    /// Returns the nearest colour of a colour depth, by the distance in OKLab, as for pictures.
    ///
    /// For 256 colours it is one of xterm's 6x6x6 cube and its greys; the first 16 are not used, because themes change
    /// them. For 16 colours it is the nearest of xterm's defaults. Without colours it is `standard`.
    public func lowered(to depth: ColorDepth) -> Color {
        switch (depth, self) {
        case (_, .standard), (.none, _): return .standard
        case (.trueColor, _), (.indexed256, .palette): return self
        case (.indexed16, .palette(let index)) where index < 16: return self
        default:
            guard let (red, green, blue) = components else { return .standard }
            let color = PictureColor(red, green, blue)
            return .palette(
                depth == .indexed16 ? XtermPalette.nearest16(to: color) : XtermPalette.nearest256(to: color)
            )
        }
    }

    /// The red, green and blue components, with xterm's defaults for the palette; `nil` for `standard`.
    public var components: (red: UInt8, green: UInt8, blue: UInt8)? {
        switch self {
        case .standard: return nil
        case .rgb(let red, let green, let blue): return (red, green, blue)
        case .palette(let index):
            let color = XtermPalette.colors[Int(index)]
            return (color.red, color.green, color.blue)
        }
    }

    /// Creates a colour from an X11 specification such as `rgb:ff/80/00` or `rgb:ffff/8080/0000`; `nil` if malformed.
    init?(specification: some StringProtocol) {
        let text = specification.hasPrefix("rgba:") ? specification.dropFirst(5) : specification.dropFirst(4)
        guard specification.hasPrefix("rgb:") || specification.hasPrefix("rgba:") else { return nil }
        let channels = text.split(separator: "/", omittingEmptySubsequences: false).prefix(3).compactMap {
            part -> UInt8? in
            guard (1...4).contains(part.count), let value = UInt32(part, radix: 16) else { return nil }
            return UInt8(value * 255 / (1 << (4 * UInt32(part.count)) - 1))
        }
        guard channels.count == 3 else { return nil }
        self = .rgb(channels[0], channels[1], channels[2])
    }
}
