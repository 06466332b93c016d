#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A colour in a space where distance is near to what the eye sees (Björn Ottosson, "A perceptual color space for
/// image processing", 2020).
struct OKLab: Hashable, Sendable {
    /// Lightness, 0...1.
    let lightness: Float
    let greenToRed: Float
    let blueToYellow: Float

    /// Converts an sRGB colour; alpha is not looked at.
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

    /// The squared distance to another colour.
    func distance(to other: OKLab) -> Float {
        let light = lightness - other.lightness
        let red = greenToRed - other.greenToRed
        let yellow = blueToYellow - other.blueToYellow
        return light * light + red * red + yellow * yellow
    }
}
