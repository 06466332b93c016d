/// A marker segment of a JPEG: the marker's second byte and where its payload stands.
struct JPEGSegment {
    let marker: UInt8
    let payload: Range<Int>
}

/// The marker segments of a JPEG before its first scan.
struct JPEGSegments: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var offset = 2

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> JPEGSegment? {
        // Any number of 0xFF may stand before a marker.
        while offset + 1 < bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] == 0xFF { offset += 1 }
        guard offset + 3 < bytes.count, bytes[offset] == 0xFF else { return nil }
        let marker = bytes[offset + 1]
        // Start of scan and end of image: what follows has no length of its own.
        guard marker != 0xDA, marker != 0xD9 else { return nil }
        let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
        let end = offset + 2 + length
        guard length >= 2, end <= bytes.count else { return nil }
        defer { offset = end }
        return JPEGSegment(marker: marker, payload: offset + 4..<end)
    }
}
