/// A colour that a terminal can show.
package enum TerminalColor: Hashable, Sendable {
    /// A palette entry: 0...15 are the ANSI colours, 16...255 xterm's cube and greys.
    case indexed(UInt8)
    /// 24 bits: red, green, blue.
    case rgb(UInt8, UInt8, UInt8)

    /// Returns the SGR parameters that select the colour: numbers separated by semicolons, without `ESC [` and `m`.
    package func parameters(isBackground: Bool) -> String {
        var bytes: [UInt8] = []
        appendParameters(isBackground: isBackground, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the parameters as ASCII.
    package func appendParameters(isBackground: Bool, to bytes: inout [UInt8]) {
        switch self {
        case .indexed(let index) where index < 8:
            bytes.appendDecimal(index + (isBackground ? 40 : 30))
        case .indexed(let index) where index < 16:
            bytes.appendDecimal(index - 8 + (isBackground ? 100 : 90))
        case .indexed(let index):
            bytes += isBackground ? "48;5;".utf8 : "38;5;".utf8
            bytes.appendDecimal(index)
        case .rgb(let red, let green, let blue):
            bytes += isBackground ? "48;2;".utf8 : "38;2;".utf8
            bytes.appendDecimal(red)
            bytes.append(UInt8(ascii: ";"))
            bytes.appendDecimal(green)
            bytes.append(UInt8(ascii: ";"))
            bytes.appendDecimal(blue)
        }
    }
}

extension [UInt8] {
    /// Appends a number's decimal digits as ASCII.
    fileprivate mutating func appendDecimal(_ value: UInt8) {
        if value >= 100 { append(UInt8(ascii: "0") + value / 100) }
        if value >= 10 { append(UInt8(ascii: "0") + value / 10 % 10) }
        append(UInt8(ascii: "0") + value % 10)
    }
}

/// The number of colours that a terminal shows.
public enum PictureColorDepth: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// No colours.
    case none
    /// The 16 ANSI colours, assumed to look as in xterm.
    case ansi16
    /// xterm's palette: a cube of 6 x 6 x 6 colours and 24 greys.
    case palette256
    /// 24 bits.
    case trueColor

    /// Whether the left depth has fewer colours.
    public static func < (left: PictureColorDepth, right: PictureColorDepth) -> Bool {
        left.rawValue < right.rawValue
    }

    /// Returns the nearest colour of the depth; `nil` without colours.
    ///
    /// The distance is measured in OKLab. With 256 colours the first 16 are not used, because themes change them.
    package func nearest(to color: PictureColor) -> TerminalColor? {
        switch self {
        case .none: nil
        case .ansi16: .indexed(XtermPalette.nearest16(to: color))
        case .palette256: .indexed(XtermPalette.nearest256(to: color))
        case .trueColor: .rgb(color.red, color.green, color.blue)
        }
    }
}

/// xterm's 256 colours.
package enum XtermPalette {
    /// All colours: the 16 ANSI colours with xterm's defaults, the cube (16...231) and the greys (232...255).
    package static let colors: [PictureColor] = ansi + cube + greys

    /// The levels of a channel in the cube.
    static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

    private static let ansi: [PictureColor] = [
        PictureColor(0, 0, 0), PictureColor(205, 0, 0), PictureColor(0, 205, 0), PictureColor(205, 205, 0),
        PictureColor(0, 0, 238), PictureColor(205, 0, 205), PictureColor(0, 205, 205), PictureColor(229, 229, 229),
        PictureColor(127, 127, 127), PictureColor(255, 0, 0), PictureColor(0, 255, 0), PictureColor(255, 255, 0),
        PictureColor(92, 92, 255), PictureColor(255, 0, 255), PictureColor(0, 255, 255), PictureColor(255, 255, 255),
    ]
    private static let cube: [PictureColor] = (0..<216).map {
        PictureColor(levels[$0 / 36], levels[$0 / 6 % 6], levels[$0 % 6])
    }
    private static let greys: [PictureColor] = (0..<24).map {
        let level = UInt8(8 + 10 * $0)
        return PictureColor(level, level, level)
    }
    private static let perceived: [OKLab] = colors.map(OKLab.init)

    /// Returns the nearest of the 16 ANSI colours, 0...15.
    package static func nearest16(to color: PictureColor) -> UInt8 {
        let wanted = OKLab(color)
        return UInt8(nearest(to: wanted, among: 0..<16))
    }

    /// Returns the nearest colour of the cube and the greys, 16...255.
    ///
    /// The search is limited to the cube's corners around the colour and all greys; other entries are not visibly
    /// nearer.
    package static func nearest256(to color: PictureColor) -> UInt8 {
        let wanted = OKLab(color)
        var candidates = Array(232..<256)
        let (reds, greens, blues) = (around(color.red), around(color.green), around(color.blue))
        for red in reds {
            for green in greens {
                for blue in blues { candidates.append(16 + red * 36 + green * 6 + blue) }
            }
        }
        return UInt8(nearest(to: wanted, among: candidates))
    }

    /// Returns the levels next to a value: one if the value is a level, otherwise the one below and the one above.
    private static func around(_ value: UInt8) -> ClosedRange<Int> {
        let above = levels.firstIndex { $0 >= value } ?? levels.count - 1
        return levels[above] == value ? above...above : above - 1...above
    }

    private static func nearest(to wanted: OKLab, among candidates: some Sequence<Int>) -> Int {
        candidates.min { perceived[$0].distance(to: wanted) < perceived[$1].distance(to: wanted) } ?? 0
    }
}
