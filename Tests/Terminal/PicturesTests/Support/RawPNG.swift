/// Writes PNGs of every kind by hand, sound or broken, without any library: stored deflate blocks, no filters.
struct RawPNG {
    var width: Int
    var height: Int
    /// 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
    var colorType: Int
    var bitDepth: Int
    var isInterlaced = false
    /// Chunks between the header and the pixels: name and payload.
    var extraChunks: [(name: String, payload: [UInt8])] = []
    /// The samples of a pixel, each of `bitDepth` bits.
    var samples: (_ x: Int, _ y: Int) -> [Int]

    /// The whole file.
    func encoded() -> [UInt8] {
        var file = Self.signature + Self.chunk("IHDR", header)
        for extra in extraChunks { file += Self.chunk(extra.name, extra.payload) }
        file += Self.chunk("IDAT", Self.stored(scanlines))
        return file + Self.chunk("IEND", [])
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    var header: [UInt8] {
        Self.bigEndian(width) + Self.bigEndian(height)
            + [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
    }

    static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + payload
        return bigEndian(payload.count) + body + bigEndian(Int(crc(body)))
    }

    static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private var scanlines: [UInt8] {
        guard isInterlaced else { return (0..<height).flatMap { y in row(y: y, columns: Array(0..<width)) } }
        // Adam7: the first column and row of each pass, and the steps.
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        return passes.flatMap { left, top, across, down -> [UInt8] in
            let columns = Array(stride(from: left, to: width, by: across))
            guard !columns.isEmpty else { return [] }
            return stride(from: top, to: height, by: down).flatMap { row(y: $0, columns: columns) }
        }
    }

    private func row(y: Int, columns: [Int]) -> [UInt8] {
        var bytes: [UInt8] = [0]
        var bits = 0
        var count = 0
        for x in columns {
            for sample in samples(x, y) {
                bits = bits << bitDepth | sample
                count += bitDepth
                while count >= 8 {
                    count -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                }
                bits &= (1 << count) - 1
            }
        }
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits << (8 - count))) }
        return bytes
    }

    /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4).
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            stream += [UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
            stream += block
        } while !rest.isEmpty
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + bigEndian(high << 16 | low)
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}
