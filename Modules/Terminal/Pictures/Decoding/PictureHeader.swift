/// A picture format, detected from the first bytes and never from a file name or a header field.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
    /// JPEG, baseline or progressive.
    case jpeg
    /// PNG.
    case png
    /// GIF; only its first frame is decoded.
    case gif

    /// Detects the format of data from its first bytes; `nil` if it is not supported.
    public init?(sniffing bytes: some Sequence<UInt8>) {
        let start = Array(bytes.prefix(8))
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) {
            self = .gif
        } else {
            return nil
        }
    }

    /// The media type, as in a `Content-Type` field.
    public var mediaType: String { "image/\(rawValue)" }
}

/// Reads the size in a picture's header without decoding the picture.
enum PictureHeader {
    /// Returns the encoded size; `nil` if the header is truncated or malformed.
    static func size(of bytes: [UInt8], format: PictureFormat) -> PixelSize? {
        var reader = ByteReader(bytes)
        switch format {
        case .png:
            // The signature (8), then the length (4) and name (4) of IHDR.
            guard reader.skip(16), let width = reader.bigEndian32(), let height = reader.bigEndian32() else {
                return nil
            }
            return PixelSize(width: width, height: height)
        case .gif:
            guard reader.skip(6), let width = reader.littleEndian16(), let height = reader.littleEndian16() else {
                return nil
            }
            return PixelSize(width: width, height: height)
        case .jpeg:
            return JPEGSegments(bytes).lazy.compactMap { segment in frameSize(segment, in: bytes) }.first
        }
    }

    private static func frameSize(_ segment: JPEGSegment, in bytes: [UInt8]) -> PixelSize? {
        // SOF0...SOF15, except for DHT (C4), JPG (C8) and DAC (CC), which share the range.
        guard 0xC0...0xCF ~= segment.marker, ![0xC4, 0xC8, 0xCC].contains(segment.marker) else { return nil }
        var reader = ByteReader(bytes[segment.payload])
        guard reader.skip(1), let height = reader.bigEndian16(), let width = reader.bigEndian16() else { return nil }
        return PixelSize(width: width, height: height)
    }
}

/// A marker segment of a JPEG: the marker's second byte and the range of the payload.
struct JPEGSegment {
    let marker: UInt8
    let payload: Range<Int>
}

/// The marker segments of a JPEG before its first scan.
struct JPEGSegments: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var offset = 2

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> JPEGSegment? {
        // A marker may be preceded by any number of 0xFF.
        while offset + 1 < bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] == 0xFF { offset += 1 }
        guard offset + 3 < bytes.count, bytes[offset] == 0xFF else { return nil }
        let marker = bytes[offset + 1]
        // Start of scan and end of image have no length.
        guard marker != 0xDA, marker != 0xD9 else { return nil }
        let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
        let end = offset + 2 + length
        guard length >= 2, end <= bytes.count else { return nil }
        defer { offset = end }
        return JPEGSegment(marker: marker, payload: offset + 4..<end)
    }
}

/// A chunk of a PNG: its name and the range of the payload.
struct PNGChunk {
    let name: [UInt8]
    let payload: Range<Int>
}

/// The chunks of a PNG up to the first truncated one; checksums are not verified.
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
