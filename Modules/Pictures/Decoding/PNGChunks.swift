/// A chunk of a PNG: its four letters and where its payload stands.
struct PNGChunk {
    let name: [UInt8]
    let payload: Range<Int>
}

/// The chunks of a PNG in order, up to the first that is cut short; checksums are not looked at.
struct PNGChunks: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var reader: ByteReader

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        reader = ByteReader(bytes)
        _ = reader.skip(8)
    }

    mutating func next() -> PNGChunk? {
        guard let length = reader.bigEndian32(), let name = reader.slice(4) else { return nil }
        let start = reader.offset
        guard reader.skip(length), reader.skip(4) else { return nil }
        return PNGChunk(name: Array(name), payload: start..<start + length)
    }
}
