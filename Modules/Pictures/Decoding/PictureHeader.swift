/// What a picture's header says, read without decoding anything.
enum PictureHeader {
    /// The stored size, or `nil` where the header is cut short or not understood.
    static func size(of bytes: [UInt8], format: PictureFormat) -> PixelSize? {
        var reader = ByteReader(bytes)
        switch format {
        case .png:
            // The signature (8), then IHDR's length (4) and name (4).
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
        // SOF0...SOF15, without DHT (C4), JPG (C8) and DAC (CC), which share the range.
        guard 0xC0...0xCF ~= segment.marker, ![0xC4, 0xC8, 0xCC].contains(segment.marker) else { return nil }
        var reader = ByteReader(bytes[segment.payload])
        guard reader.skip(1), let height = reader.bigEndian16(), let width = reader.bigEndian16() else { return nil }
        return PixelSize(width: width, height: height)
    }
}
