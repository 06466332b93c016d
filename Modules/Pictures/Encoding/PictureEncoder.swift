import CPictureCodecs

/// Writes pictures as JPEG and PNG bytes, for snapshots, fixtures and files people save.
public struct PictureEncoder: Hashable, Sendable {
    /// What a JPEG is coded in.
    public enum JPEGColors: Hashable, Sendable {
        /// YCbCr, the usual.
        case color
        /// Brightness alone.
        case grey
        /// Inverted CMYK with Adobe's marker, as photo programs write it.
        case cmyk
    }

    /// Creates an encoder.
    public init() {}

    /// Encodes a JPEG.
    ///
    /// - Parameters:
    ///   - picture: At most 65,500 pixels on a side.
    ///   - quality: 1 (small) to 100 (near to the original); clamped.
    ///   - background: What shows through where the picture is transparent.
    ///   - colors: What the JPEG is coded in.
    ///   - isProgressive: Whether it is written in several scans, coarse ones first.
    /// - Returns: The file's bytes.
    /// - Throws: `PictureEncodingError` where the library refuses.
    public func jpeg(
        _ picture: Picture,
        quality: Int = 85,
        background: PictureColor = .white,
        colors: JPEGColors = .color,
        isProgressive: Bool = false
    ) throws(PictureEncodingError) -> [UInt8] {
        let kind =
            switch colors {
            case .color: PICTURE_CODEC_JPEG_COLOUR
            case .grey: PICTURE_CODEC_JPEG_GREY
            case .cmyk: PICTURE_CODEC_JPEG_CMYK
            }
        let quality = Int32(min(max(quality, 1), 100))
        return try encode(picture.flattened(over: background)) { pixels, width, height, count, message in
            picture_codec_encode_jpeg(pixels, width, height, quality, kind, isProgressive, count, message)
        }
    }

    /// Encodes a PNG, 8 bits a channel, with alpha only where the picture has any.
    ///
    /// - Throws: `PictureEncodingError` where the library refuses.
    public func png(_ picture: Picture) throws(PictureEncodingError) -> [UInt8] {
        try encode(picture) { pixels, width, height, count, message in
            picture_codec_encode_png(pixels, width, height, count, message)
        }
    }

    private typealias Call = (
        UnsafePointer<UInt8>?, UInt32, UInt32, UnsafeMutablePointer<Int>, UnsafeMutablePointer<CChar>?
    ) -> UnsafeMutablePointer<UInt8>?

    private func encode(_ picture: Picture, _ call: Call) throws(PictureEncodingError) -> [UInt8] {
        guard let width = UInt32(exactly: picture.width), let height = UInt32(exactly: picture.height) else {
            throw PictureEncodingError(reason: "the picture is \(picture.size)")
        }
        var count = 0
        var message = [CChar](repeating: 0, count: 200)
        let bytes = picture.pixels.withUnsafeBufferPointer { pixels in
            message.withUnsafeMutableBufferPointer { call(pixels.baseAddress, width, height, &count, $0.baseAddress) }
        }
        guard let bytes else {
            let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw PictureEncodingError(reason: text)
        }
        defer { picture_codec_free(bytes) }
        return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    }
}

/// Why a picture could not be encoded: it is larger than the format allows, or memory is out.
public struct PictureEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The encoder's own words.
    public let reason: String

    /// What is wrong and what to do.
    public var description: String { "The picture cannot be encoded (\(reason)). Make it smaller." }
}
