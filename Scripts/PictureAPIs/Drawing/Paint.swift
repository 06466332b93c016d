import Pictures

/// What a shape is filled with: a gradient from its top to its bottom.
struct Paint: Hashable, Sendable {
    var top: PictureColor
    var bottom: PictureColor
    /// 0...1.
    var opacity: Float = 1
    /// How far the edge fades, in units of the drawing; 0 is a sharp edge.
    var softness: Float = 0

    init(_ top: PictureColor, _ bottom: PictureColor? = nil, opacity: Float = 1, softness: Float = 0) {
        self.top = top
        self.bottom = bottom ?? top
        self.opacity = opacity
        self.softness = softness
    }
}

extension PictureColor {
    /// From `0xRRGGBB`.
    init(hex: UInt32) {
        self.init(UInt8(hex >> 16 & 255), UInt8(hex >> 8 & 255), UInt8(hex & 255))
    }

    /// This colour with some of another in it; `share` 0...1.
    func mixed(with other: PictureColor, _ share: Float) -> PictureColor {
        func mix(_ left: UInt8, _ right: UInt8) -> UInt8 {
            UInt8(min(max((Float(left) + (Float(right) - Float(left)) * share).rounded(), 0), 255))
        }
        return PictureColor(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }
}
