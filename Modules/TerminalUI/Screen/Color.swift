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
    public static func < (left: ColorDepth, right: ColorDepth) -> Bool {
        left.rank < right.rank
    }

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
    /// Returns the nearest colour of a colour depth.
    ///
    /// For 256 colours it is the nearer of xterm's 6x6x6 cube and its grey ramp, by squared distance. For 16 colours it
    /// is the nearest of xterm's defaults by the "redmean" weighting. Without colours it is `standard`.
    public func lowered(to depth: ColorDepth) -> Color {
        switch (depth, self) {
        case (_, .standard), (.none, _): .standard
        case (.trueColor, _), (.indexed256, .palette): self
        case (.indexed256, .rgb(let red, let green, let blue)): .palette(Color.indexed256(red, green, blue))
        case (.indexed16, .palette(let index)):
            if index < 16 {
                self
            } else {
                Color.components(index).lowered16
            }
        case (.indexed16, .rgb(let red, let green, let blue)): RGB(red: red, green: green, blue: blue).lowered16
        }
    }

    /// The red, green and blue components, with xterm's defaults for the palette; `nil` for `standard`.
    public var components: (red: UInt8, green: UInt8, blue: UInt8)? {
        switch self {
        case .standard: return nil
        case .rgb(let red, let green, let blue): return (red, green, blue)
        case .palette(let index):
            let color = Color.components(index)
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

    struct RGB {
        var red: UInt8
        var green: UInt8
        var blue: UInt8

        var lowered16: Color {
            var best = UInt8(0)
            var least = Int.max
            for index in UInt8(0)..<16 {
                let other = Color.components(index)
                let mean = (Int(red) + Int(other.red)) / 2
                let r = Int(red) - Int(other.red)
                let g = Int(green) - Int(other.green)
                let b = Int(blue) - Int(other.blue)
                let distance = (512 + mean) * r * r / 256 + 4 * g * g + (767 - mean) * b * b / 256
                if distance < least {
                    least = distance
                    best = index
                }
            }
            return .palette(best)
        }
    }

    static func components(_ index: UInt8) -> RGB {
        if index < 16 {
            let value = basic[Int(index)]
            return RGB(red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
        }
        if index >= 232 {
            let grey = 8 + (index - 232) * 10
            return RGB(red: grey, green: grey, blue: grey)
        }
        let cube = Int(index) - 16
        return RGB(red: levels[cube / 36], green: levels[cube / 6 % 6], blue: levels[cube % 6])
    }

    private static func indexed256(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
        func step(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        func distance(_ color: RGB) -> Int {
            let r = Int(red) - Int(color.red)
            let g = Int(green) - Int(color.green)
            let b = Int(blue) - Int(color.blue)
            return r * r + g * g + b * b
        }
        let cube = UInt8(16 + 36 * step(red) + 6 * step(green) + step(blue))
        let average = (Int(red) + Int(green) + Int(blue)) / 3
        let ramp = UInt8(232 + max(0, min(23, (average - 3) / 10)))
        return distance(components(ramp)) < distance(components(cube)) ? ramp : cube
    }

    private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

    private static let basic: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
}
