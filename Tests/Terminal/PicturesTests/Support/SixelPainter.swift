import Pictures

/// Paints sixels as a terminal does.
struct SixelPainter {
    struct Unreadable: Error {}

    private(set) var size = PixelSize(width: 0, height: 0)
    /// Rows from the top; `nil` where nothing was painted.
    private(set) var pixels: [PictureColor?] = []

    init(_ text: String) throws {
        guard text.hasPrefix("\u{1B}P"), text.hasSuffix("\u{1B}\\\n"), let start = text.firstIndex(of: "q") else {
            throw Unreadable()
        }
        var rest = Array(text.utf8)[...]
        rest = rest.dropFirst(text.utf8.distance(from: text.startIndex, to: start) + 1).dropLast(3)
        var colors: [Int: PictureColor] = [:]
        var (color, column, top) = (0, 0, 0)
        func numbers() -> [Int] {
            let digits = rest.prefix { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x3B }
            rest = rest.dropFirst(digits.count)
            return String(decoding: digits, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
        }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                let raster = numbers()
                guard raster.count == 4 else { throw Unreadable() }
                size = PixelSize(width: raster[2], height: raster[3])
                pixels = Array(repeating: nil, count: size.width * size.height)
            case UInt8(ascii: "#"):
                let values = numbers()
                guard let index = values.first else { throw Unreadable() }
                if values.count == 5 {
                    let shares = values[2...].map { UInt8($0 * 255 / 100) }
                    colors[index] = PictureColor(shares[0], shares[1], shares[2])
                }
                color = index
            case UInt8(ascii: "$"): column = 0
            case UInt8(ascii: "-"): (column, top) = (0, top + 6)
            case UInt8(ascii: "!"), 63...126:
                let count = byte == UInt8(ascii: "!") ? numbers().first ?? 0 : 1
                let sixel = byte == UInt8(ascii: "!") ? rest.popFirst() ?? 0 : byte
                guard sixel >= 63, let paint = colors[color] else { throw Unreadable() }
                for _ in 0..<count {
                    for row in 0..<6 where (sixel - 63) >> UInt8(row) & 1 == 1 {
                        guard column < size.width, top + row < size.height else { throw Unreadable() }
                        pixels[(top + row) * size.width + column] = paint
                    }
                    column += 1
                }
            default: throw Unreadable()
            }
        }
    }
}
