/// A colour as a terminal is told it.
public enum TerminalColor: Hashable, Sendable {
    /// An entry of the palette: 0...15 are the ANSI colours, 16...255 xterm's cube and greys.
    case indexed(UInt8)
    /// 24 bits: red, green, blue.
    case rgb(UInt8, UInt8, UInt8)

    /// The SGR parameters that choose this colour, without `ESC [` and `m`.
    ///
    /// - Parameter isBackground: Whether for the background rather than for the character.
    /// - Returns: Numbers joined by semicolons.
    public func parameters(isBackground: Bool) -> String {
        switch self {
        case .indexed(let index) where index < 8: "\(Int(index) + (isBackground ? 40 : 30))"
        case .indexed(let index) where index < 16: "\(Int(index) - 8 + (isBackground ? 100 : 90))"
        case .indexed(let index): "\(isBackground ? 48 : 38);5;\(index)"
        case .rgb(let red, let green, let blue): "\(isBackground ? 48 : 38);2;\(red);\(green);\(blue)"
        }
    }
}
