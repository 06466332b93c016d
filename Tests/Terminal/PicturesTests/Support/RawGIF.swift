/// Writes GIFs without a library: codes of one width, with a clear code before the table outgrows it.
struct RawGIF {
    var width: Int
    var height: Int
    var palette: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    var transparentIndex: UInt8?
    var isInterlaced = false
    /// Left, top, width, height of the frame; the whole canvas where `nil`.
    var frame: (Int, Int, Int, Int)?
    var index: (_ x: Int, _ y: Int) -> UInt8

    func encoded() -> [UInt8] {
        var file = Array("GIF89a".utf8) + Self.little(width) + Self.little(height) + [0x81, 0, 0]
        file += palette.flatMap { $0 }
        if let transparentIndex { file += [0x21, 0xF9, 4, 1, 0, 0, transparentIndex, 0] }
        let (left, top, frameWidth, frameHeight) = frame ?? (0, 0, width, height)
        file += [0x2C] + [left, top, frameWidth, frameHeight].flatMap(Self.little) + [isInterlaced ? 0x40 : 0, 2]
        let order =
            isInterlaced
            ? [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: frameHeight, by: $0.1)) }
            : Array(0..<frameHeight)
        let indices = order.flatMap { y in (0..<frameWidth).map { index($0, y) } }
        var rest = Self.codes(indices)[...]
        while !rest.isEmpty {
            let block = rest.prefix(255)
            file += [UInt8(block.count)] + block
            rest = rest.dropFirst(block.count)
        }
        return file + [0, 0x3B]
    }

    /// Indices of 2 bits as codes of 3: clear is 4, end is 5, and after two indices the table is cleared.
    private static func codes(_ indices: [UInt8]) -> [UInt8] {
        var codes: [Int] = []
        for (position, index) in indices.enumerated() {
            if position % 2 == 0 { codes.append(4) }
            codes.append(Int(index))
        }
        codes.append(5)
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for code in codes {
            bits |= code << count
            count += 3
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                count -= 8
            }
        }
        return count > 0 ? bytes + [UInt8(truncatingIfNeeded: bits)] : bytes
    }

    private static func little(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}
