/// Creates EXIF data.
enum EXIFFixture {
    /// A TIFF structure with an orientation after another entry.
    static func tiff(orientation: Int, isLittle: Bool) -> [UInt8] {
        func short(_ value: Int) -> [UInt8] {
            let bytes = [UInt8(value >> 8 & 255), UInt8(value & 255)]
            return isLittle ? bytes.reversed() : bytes
        }
        func long(_ value: Int) -> [UInt8] {
            isLittle ? short(value & 0xFFFF) + short(value >> 16) : short(value >> 16) + short(value & 0xFFFF)
        }
        let other = short(0x0100) + short(4) + long(1) + long(4000)
        let entry = short(0x0112) + short(3) + long(1) + short(orientation) + short(0)
        return Array((isLittle ? "II" : "MM").utf8) + short(42) + long(8) + short(2) + other + entry + long(0)
    }

    /// A JPEG with an APP1 after its first marker.
    static func jpeg(_ jpeg: [UInt8], orientation: Int, isLittle: Bool = false) -> [UInt8] {
        let payload = Array("Exif\0\0".utf8) + tiff(orientation: orientation, isLittle: isLittle)
        let length = payload.count + 2
        return Array(jpeg[..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + payload + jpeg[2...]
    }
}
