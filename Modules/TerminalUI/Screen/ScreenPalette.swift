/// The colours of a saved screen: what the terminal's own colours are drawn as.
public struct ScreenPalette: Sendable {
    /// The terminal's own foreground as `#rrggbb`.
    public let foreground: String
    /// The terminal's own background as `#rrggbb`.
    public let background: String

    /// Light letters on a dark ground.
    public static let dark = ScreenPalette(foreground: .hex(0xD4D4D4), background: .hex(0x1E1E1E))
    /// Dark letters on a light ground.
    public static let light = ScreenPalette(foreground: .hex(0x24292F), background: .hex(0xFFFFFF))

    /// A palette from two colours; `Color.standard` stands for grey on black.
    public init(foreground: Color, background: Color) {
        self.foreground = ScreenPalette.name(foreground) ?? "#c0c0c0"
        self.background = ScreenPalette.name(background) ?? "#000000"
    }

    /// The two colours a style is drawn in, reverse resolved.
    func colors(of style: Style) -> (foreground: String, background: String) {
        let front = ScreenPalette.name(style.foreground) ?? foreground
        let back = ScreenPalette.name(style.background) ?? background
        return style.attributes.contains(.reverse) ? (back, front) : (front, back)
    }

    private static func name(_ color: Color) -> String? {
        color.components.map { "#" + [$0.red, $0.green, $0.blue].map(hex).joined() }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }
}
