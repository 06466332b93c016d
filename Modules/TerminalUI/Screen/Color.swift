/// A colour as the program means it; the screen lowers it to what the terminal can show.
public enum Color: Hashable, Sendable {
    /// The terminal's own foreground or background.
    case standard
    /// One of the terminal's 256 colours; 0 to 15 are those that its user chose.
    case palette(UInt8)
    /// Red, green and blue, 0 to 255 each.
    case rgb(UInt8, UInt8, UInt8)

    /// The palette's black.
    public static let black = Color.palette(0)
    /// The palette's red.
    public static let red = Color.palette(1)
    /// The palette's green.
    public static let green = Color.palette(2)
    /// The palette's yellow.
    public static let yellow = Color.palette(3)
    /// The palette's blue.
    public static let blue = Color.palette(4)
    /// The palette's magenta.
    public static let magenta = Color.palette(5)
    /// The palette's cyan.
    public static let cyan = Color.palette(6)
    /// The palette's light grey.
    public static let white = Color.palette(7)
    /// The palette's dark grey.
    public static let gray = Color.palette(8)

    /// A colour from 0xRRGGBB.
    public static func hex(_ value: UInt32) -> Color {
        .rgb(UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    }
}
