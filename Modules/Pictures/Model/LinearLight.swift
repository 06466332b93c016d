#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// sRGB values to linear light and back (IEC 61966-2-1).
///
/// Averages of sRGB values are too dark: light adds up, its encoding does not.
enum LinearLight {
    private static let decoded: [Float] = (0...255).map { Float(decode(Double($0) / 255)) }
    private static let steps = 16_383
    private static let encoded: [UInt8] = (0...steps).map {
        UInt8((encode(Double($0) / Double(steps)) * 255).rounded())
    }

    /// The linear light of each sRGB value, 0...65535, for the C decoders.
    static let table: [UInt16] = (0...255).map { UInt16((decode(Double($0) / 255) * 65_535).rounded()) }

    /// The linear light of an sRGB value, 0...1.
    static func decode(_ value: UInt8) -> Float { decoded[Int(value)] }

    /// The sRGB value nearest to a linear light; light outside of 0...1 is clamped.
    static func encode(_ light: Float) -> UInt8 {
        encoded[Int((min(max(light, 0), 1) * Float(steps)).rounded())]
    }

    /// Runs `body` with both tables as plain memory, for loops over many pixels.
    static func withTables<Result>(
        _ body: (_ decoded: UnsafeBufferPointer<Float>, _ encode: (Float) -> UInt8) -> Result
    ) -> Result {
        decoded.withUnsafeBufferPointer { decoded in
            encoded.withUnsafeBufferPointer { encoded in
                body(decoded) { encoded[Int((min(max($0, 0), 1) * Float(steps)).rounded())] }
            }
        }
    }

    private static func decode(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func encode(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
