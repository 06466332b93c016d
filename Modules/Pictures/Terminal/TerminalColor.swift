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
        var bytes: [UInt8] = []
        appendParameters(isBackground: isBackground, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the parameters as ASCII, for loops over many cells.
    func appendParameters(isBackground: Bool, to bytes: inout [UInt8]) {
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
    /// Writes a number's decimal digits as ASCII.
    fileprivate mutating func appendDecimal(_ value: UInt8) {
        if value >= 100 { append(UInt8(ascii: "0") + value / 100) }
        if value >= 10 { append(UInt8(ascii: "0") + value / 10 % 10) }
        append(UInt8(ascii: "0") + value % 10)
    }
}
