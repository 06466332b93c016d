/// Decodes the first frame of a GIF (GIF89a specification).
///
/// Every read is bounded, and sizes are checked before memory is allocated. Missing pixels are transparent.
enum GIFDecoder {
    /// Decodes the first frame and draws it on its canvas.
    static func decode(_ bytes: [UInt8], limits: PictureLimits) throws(PictureError) -> DecodedPicture {
        var reader = ByteReader(bytes)
        guard reader.skip(6), let width = reader.littleEndian16(), let height = reader.littleEndian16(),
            let flags = reader.byte(), reader.skip(2)
        else { throw .truncated(.gif) }
        let size = PixelSize(width: width, height: height)
        try check(size, limits: limits)
        let table = try colorTable(flags: flags, &reader)
        guard let frame = try GIFFrame(&reader, globalTable: table) else { throw .truncated(.gif) }
        guard frame.width > 0, frame.height > 0 else { throw .noPixels(.gif) }
        try check(PixelSize(width: frame.width, height: frame.height), limits: limits)
        return try draw(frame, on: size)
    }

    /// Returns the colour table that the flags announce, or an empty one.
    static func colorTable(flags: Int, _ reader: inout ByteReader) throws(PictureError) -> ArraySlice<UInt8> {
        guard flags & 0x80 != 0 else { return [] }
        guard let table = reader.slice(3 << (flags & 7 + 1)) else { throw .truncated(.gif) }
        return table
    }

    private static func check(_ size: PixelSize, limits: PictureLimits) throws(PictureError) {
        guard size.width > 0, size.height > 0 else { throw .noPixels(.gif) }
        let pixels = size.width * size.height
        guard pixels <= limits.pixels else {
            throw .tooLarge(width: size.width, height: size.height, limit: limits.pixels)
        }
        guard pixels * 5 <= limits.memory else { throw .tooMuchMemory(needed: pixels * 5, limit: limits.memory) }
    }

    private static func draw(_ frame: GIFFrame, on size: PixelSize) throws(PictureError) -> DecodedPicture {
        let decompressed = LZW.decompress(frame.data, codeSize: frame.codeSize, count: frame.width * frame.height)
        let (badCode, strayIndex) = ("a code is out of order", "a colour is outside of the table")
        if decompressed.indices.isEmpty {
            throw decompressed.isDamaged ? .damaged(.gif, reason: badCode) : .truncated(.gif)
        }
        var picture = Picture(width: size.width, height: size.height, filledWith: .clear)
        let rows = frame.rowOrder
        let colors = frame.table.count / 3
        var hasStrayIndex = false
        var hasColor = false
        for (position, index) in decompressed.indices.enumerated() {
            let x = frame.left + position % frame.width
            let y = frame.top + rows[position / frame.width]
            guard x < size.width, y < size.height, Int(index) != frame.transparentIndex else { continue }
            guard Int(index) < colors else {
                hasStrayIndex = true
                continue
            }
            let entry = frame.table.startIndex + Int(index) * 3
            picture[x, y] = PictureColor(frame.table[entry], frame.table[entry + 1], frame.table[entry + 2])
            hasColor = true
        }
        if hasStrayIndex && !hasColor { throw .damaged(.gif, reason: strayIndex) }
        var warnings: [PictureWarning] = []
        if decompressed.indices.count < frame.width * frame.height {
            let known = frame.isInterlaced ? size.height : frame.top + decompressed.indices.count / frame.width
            warnings.append(.truncated(knownRows: min(size.height, known), rows: size.height))
        }
        if decompressed.isDamaged { warnings.append(.damaged(reason: badCode)) }
        if hasStrayIndex { warnings.append(.damaged(reason: strayIndex)) }
        return DecodedPicture(picture: picture, originalSize: size, format: .gif, warnings: warnings)
    }
}

/// The first frame of a GIF: position, colours and compressed indices.
struct GIFFrame {
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    let isInterlaced: Bool
    /// Red, green and blue of each colour.
    let table: ArraySlice<UInt8>
    /// The index of transparent pixels, or -1.
    let transparentIndex: Int
    /// The number of bits of an index, 1...8.
    let codeSize: Int
    let data: [UInt8]

    /// Reads blocks up to the first frame; `nil` if the bytes end first.
    init?(_ reader: inout ByteReader, globalTable: ArraySlice<UInt8>) throws(PictureError) {
        var transparentIndex = -1
        while let block = reader.byte() {
            switch block {
            case 0x21:
                guard let label = reader.byte() else { return nil }
                let content = Self.subBlocks(&reader)
                // Graphic control extension: flags, delay (2), transparent index.
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

    /// The frame's row for each decompressed row.
    var rowOrder: [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }

    /// Returns the bytes of a chain of sub-blocks, as far as they exist.
    private static func subBlocks(_ reader: inout ByteReader) -> [UInt8] {
        var content: [UInt8] = []
        while let length = reader.byte(), length > 0 {
            guard let block = reader.slice(min(length, reader.count)) else { break }
            content += block
        }
        return content
    }
}
