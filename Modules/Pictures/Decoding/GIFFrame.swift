/// The first frame of a GIF: where it lies, its colours, and its compressed indices.
struct GIFFrame {
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    let isInterlaced: Bool
    /// Red, green, blue of each colour.
    let table: ArraySlice<UInt8>
    /// The index that lets the background through, or -1.
    let transparentIndex: Int
    /// The bits of an index, 1...8.
    let codeSize: Int
    let data: [UInt8]

    /// Reads blocks up to the first frame; `nil` if the bytes end or the trailer comes before it.
    init?(_ reader: inout ByteReader, globalTable: ArraySlice<UInt8>) throws(PictureError) {
        var transparentIndex = -1
        while let block = reader.byte() {
            switch block {
            case 0x21:
                guard let label = reader.byte() else { return nil }
                let content = Self.subBlocks(&reader)
                // Graphic control: flags, delay (2), transparent index.
                if label == 0xF9, content.count >= 4 {
                    transparentIndex = content[0] & 1 != 0 ? Int(content[3]) : -1
                }
            case 0x2C:
                guard let left = reader.littleEndian16(), let top = reader.littleEndian16(),
                    let width = reader.littleEndian16(), let height = reader.littleEndian16(),
                    let flags = reader.byte()
                else { return nil }
                let local = try GIFDecoder.colorTable(flags: flags, &reader)
                guard let codeSize = reader.byte() else { return nil }
                guard 1...8 ~= codeSize else { throw .damaged(.gif, reason: "indices of \(codeSize) bits") }
                (self.left, self.top, self.width, self.height) = (left, top, width, height)
                isInterlaced = flags & 0x40 != 0
                table = local.isEmpty ? globalTable : local
                self.transparentIndex = transparentIndex
                self.codeSize = codeSize
                data = Self.subBlocks(&reader)
                guard !data.isEmpty else { return nil }
                return
            case 0x3B:
                throw .damaged(.gif, reason: "it holds no frame")
            default:
                throw .damaged(.gif, reason: "a block of unknown kind \(block)")
            }
        }
        return nil
    }

    /// Which row of the frame each decompressed row is.
    var rowOrder: [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }

    /// The bytes of a chain of sub-blocks, or of what has come of it.
    private static func subBlocks(_ reader: inout ByteReader) -> [UInt8] {
        var content: [UInt8] = []
        while let length = reader.byte(), length > 0 {
            guard let block = reader.slice(min(length, reader.count)) else { break }
            content += block
        }
        return content
    }
}
