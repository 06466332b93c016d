/// A colour of a picture: sRGB with straight (not premultiplied) alpha, 8 bits each.
public struct PictureColor: Hashable, Sendable {
    /// Red, 0...255.
    public var red: UInt8
    /// Green, 0...255.
    public var green: UInt8
    /// Blue, 0...255.
    public var blue: UInt8
    /// Opacity, 0 (clear) to 255 (opaque).
    public var alpha: UInt8

    /// Creates a colour, opaque unless told otherwise.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Opaque black.
    public static let black = PictureColor(0, 0, 0)
    /// Opaque white.
    public static let white = PictureColor(255, 255, 255)
    /// Nothing at all.
    public static let clear = PictureColor(0, 0, 0, alpha: 0)

    /// This colour laid over an opaque background, mixed in linear light.
    public func blended(over background: PictureColor) -> PictureColor {
        if alpha == 255 { return self }
        if alpha == 0 { return PictureColor(background.red, background.green, background.blue) }
        let share = Float(alpha) / 255
        func mix(_ front: UInt8, _ back: UInt8) -> UInt8 {
            LinearLight.encode(LinearLight.decode(front) * share + LinearLight.decode(back) * (1 - share))
        }
        return PictureColor(mix(red, background.red), mix(green, background.green), mix(blue, background.blue))
    }
}
