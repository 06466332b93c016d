import CPictureCodecs

/// Encodes pictures as JPEG and PNG.
public struct PictureEncoder: Hashable, Sendable {
    /// The colour model of a JPEG.
    public enum JPEGColors: Hashable, Sendable {
        /// YCbCr.
        case color
        /// Greyscale.
        case grey
        /// Inverted CMYK with Adobe's marker, as image editors write it.
        case cmyk
    }

    /// Creates an encoder.
    public init() {}

    /// Encodes a JPEG.
    ///
    /// - Parameters:
    ///   - picture: The picture, at most 65,500 pixels on a side.
    ///   - quality: From 1 (small) to 100 (near to the original); clamped.
    ///   - background: The background of a transparent picture.
    ///   - colors: The colour model.
    ///   - isProgressive: Whether several scans are written, coarse ones first.
    /// - Returns: The encoded bytes.
    /// - Throws: `PictureEncodingError` if the library reports an error.
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

    /// Encodes a PNG with 8 bits per channel, with alpha only if the picture is not opaque.
    ///
    /// - Throws: `PictureEncodingError` if the library reports an error.
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

/// An error in encoding a picture: it is larger than the format allows, or memory is exhausted.
public struct PictureEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The encoder's message.
    public let reason: String

    /// The problem and what to do about it.
    public var description: String { "The picture cannot be encoded (\(reason)). Make it smaller." }
}
