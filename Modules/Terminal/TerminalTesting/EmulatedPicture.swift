public import TerminalUI

/// A picture that an emulated terminal shows.
public struct EmulatedPicture: Hashable, Sendable {
    /// The protocol of the picture.
    public let graphics: Graphics
    /// The cells that it covers.
    public let area: GridRect
    /// The data: a PNG, or sixels without the escape characters around them.
    public let data: [UInt8]
    /// The part of the picture in pixels; `nil` for the whole.
    public let source: GridRect?
    /// Whether no text was written over the picture. Pictures in kitty's protocol are above the text.
    public internal(set) var isWhole: Bool

    let image: Int
    private var overwritten: Set<GridPoint> = []

    /// A protocol for pictures.
    public enum Graphics: Hashable, Sendable {
        /// kitty's graphics protocol.
        case kitty
        /// iTerm2's inline images.
        case iterm
        /// Sixel graphics.
        case sixel
    }

    init(graphics: Graphics, area: GridRect, data: [UInt8], source: GridRect?, isWhole: Bool, image: Int) {
        self.graphics = graphics
        self.area = area
        self.data = data
        self.source = source
        self.isWhole = isWhole
        self.image = image
    }

    /// Whether text was written over every cell.
    var isGone: Bool { overwritten.count == area.width * area.height }

    mutating func overwrite(_ other: GridRect) {
        let common = area.intersection(other)
        for y in common.minY..<common.maxY {
            for x in common.minX..<common.maxX { overwritten.insert(GridPoint(x: x, y: y)) }
        }
        if !common.isEmpty { isWhole = false }
    }
}

/// Base64 (RFC 4648), decoded without Foundation.
enum Base64Text {
    static func decode(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: continue
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
