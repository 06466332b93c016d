import SystemCalls

/// A colour: sRGB with straight (not premultiplied) alpha, 8 bits per channel.
public struct PictureColor: Hashable, Sendable {
    /// Red, 0...255.
    public var red: UInt8
    /// Green, 0...255.
    public var green: UInt8
    /// Blue, 0...255.
    public var blue: UInt8
    /// Opacity, from 0 (transparent) to 255 (opaque).
    public var alpha: UInt8

    /// Creates a colour, opaque by default.
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
    /// Fully transparent.
    public static let clear = PictureColor(0, 0, 0, alpha: 0)

    /// Returns the colour composed over an opaque background, in linear light.
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

/// Converts between sRGB and linear light (IEC 61966-2-1).
///
/// Averages of sRGB values would be too dark, because sRGB is not linear.
enum LinearLight {
    private static let decoded: [Float] = (0...255).map { Float(decode(Double($0) / 255)) }
    private static let steps = 16_383
    private static let encoded: [UInt8] = (0...steps).map {
        UInt8((encode(Double($0) / Double(steps)) * 255).rounded())
    }

    /// The linear light of each sRGB value, 0...65535, for the C decoders.
    static let table: [UInt16] = (0...255).map { UInt16((decode(Double($0) / 255) * 65_535).rounded()) }

    /// Returns the linear light of an sRGB value, 0...1.
    static func decode(_ value: UInt8) -> Float { decoded[Int(value)] }

    /// Returns the sRGB value of a linear light; values outside of 0...1 are clamped.
    static func encode(_ light: Float) -> UInt8 {
        encoded[Int((min(max(light, 0), 1) * Float(steps)).rounded())]
    }

    /// Both tables in contiguous memory, for loops over many pixels.
    struct Tables {
        /// The linear light of each sRGB value, 0...1.
        let decoded: UnsafeBufferPointer<Float>
        fileprivate let encoded: UnsafeBufferPointer<UInt8>

        /// Returns the sRGB value of a linear light that is not negative.
        @inline(__always)
        func encode(_ light: Float) -> UInt8 { encoded[min(Int(light * Float(steps) + 0.5), steps)] }
    }

    /// Calls `body` with both tables.
    static func withTables<Result>(_ body: (Tables) -> Result) -> Result {
        decoded.withUnsafeBufferPointer { decoded in
            encoded.withUnsafeBufferPointer { encoded in body(Tables(decoded: decoded, encoded: encoded)) }
        }
    }

    private static func decode(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func encode(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}

/// A colour in a perceptual colour space (Björn Ottosson, "A perceptual color space for image processing", 2020).
struct OKLab: Hashable, Sendable {
    /// Lightness, 0...1.
    let lightness: Float
    let greenToRed: Float
    let blueToYellow: Float

    /// Converts an sRGB colour; alpha is ignored.
    init(_ color: PictureColor) {
        let red = LinearLight.decode(color.red)
        let green = LinearLight.decode(color.green)
        let blue = LinearLight.decode(color.blue)
        let long = cbrtf(0.412_221_47 * red + 0.536_332_54 * green + 0.051_445_99 * blue)
        let medium = cbrtf(0.211_903_5 * red + 0.680_699_55 * green + 0.107_396_96 * blue)
        let short = cbrtf(0.088_302_46 * red + 0.281_718_84 * green + 0.629_978_7 * blue)
        lightness = 0.210_454_26 * long + 0.793_617_8 * medium - 0.004_072_047 * short
        greenToRed = 1.977_998_5 * long - 2.428_592_2 * medium + 0.450_593_7 * short
        blueToYellow = 0.025_904_037 * long + 0.782_771_77 * medium - 0.808_675_77 * short
    }

    /// Returns the squared distance to another colour.
    func distance(to other: OKLab) -> Float {
        let light = lightness - other.lightness
        let red = greenToRed - other.greenToRed
        let yellow = blueToYellow - other.blueToYellow
        return light * light + red * red + yellow * yellow
    }
}
