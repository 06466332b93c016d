import CPictureCodecs

/// Calls the C decoders and converts their result.
struct CodecCall {
    let format: PictureFormat
    let limits: PictureLimits
    /// The box that the decoded picture will be scaled to later.
    let box: PixelSize?

    /// Decodes the bytes without rotation, at the size of the box or larger.
    func decode(_ bytes: [UInt8]) throws(PictureError) -> DecodedPicture {
        let wanted = wantedSize(bytes)
        let result = LinearLight.table.withUnsafeBufferPointer { light in
            let request = picture_codec_request(
                maximum_pixels: UInt64(limits.pixels),
                maximum_memory: UInt64(limits.memory),
                maximum_scans: UInt32(clamping: limits.scans),
                wanted_width: UInt32(clamping: wanted?.width ?? 0),
                wanted_height: UInt32(clamping: wanted?.height ?? 0),
                deadline: limits.nanoseconds,
                linear_light: light.baseAddress
            )
            return bytes.withUnsafeBufferPointer { bytes in
                format == .png
                    ? picture_codec_decode_png(bytes.baseAddress, bytes.count, request)
                    : picture_codec_decode_jpeg(bytes.baseAddress, bytes.count, request)
            }
        }
        defer { picture_codec_free(result.pixels) }
        return try settle(result)
    }

    /// Returns the final size, computed from the size in the header.
    private func wantedSize(_ bytes: [UInt8]) -> PixelSize? {
        guard let box, let size = PictureHeader.size(of: bytes, format: format) else { return nil }
        let fitted = size.fitted(into: box, enlarges: false)
        return fitted.width > 0 && fitted.height > 0 ? fitted : nil
    }

    private func settle(_ result: picture_codec_result) throws(PictureError) -> DecodedPicture {
        guard result.status == PICTURE_CODEC_OK, let pixels = result.pixels else { throw error(result) }
        let size = PixelSize(width: Int(result.width), height: Int(result.height))
        let bytes = [UInt8](UnsafeBufferPointer(start: pixels, count: size.width * size.height * 4))
        var warnings: [PictureWarning] = []
        if result.is_truncated { warnings.append(.truncated(knownRows: Int(result.known_rows), rows: size.height)) }
        if result.is_damaged { warnings.append(.damaged(reason: message(result))) }
        return DecodedPicture(
            picture: Picture(size: size, checkedPixels: bytes),
            originalSize: PixelSize(width: Int(result.original_width), height: Int(result.original_height)),
            format: format,
            warnings: warnings
        )
    }

    private func error(_ result: picture_codec_result) -> PictureError {
        switch result.status {
        case PICTURE_CODEC_TRUNCATED: .truncated(format)
        case PICTURE_CODEC_UNSUPPORTED: .unsupported(format, reason: message(result))
        case PICTURE_CODEC_TOO_MANY_PIXELS:
            .tooLarge(width: Int(result.original_width), height: Int(result.original_height), limit: limits.pixels)
        case PICTURE_CODEC_TOO_MUCH_MEMORY:
            .tooMuchMemory(needed: Int(clamping: result.needed_memory), limit: limits.memory)
        case PICTURE_CODEC_NO_PIXELS: .noPixels(format)
        case PICTURE_CODEC_TOO_MANY_SCANS: .tooManyScans(limit: limits.scans)
        case PICTURE_CODEC_OUT_OF_MEMORY: .outOfMemory
        case PICTURE_CODEC_TOO_SLOW: .tooSlow(limit: limits.time)
        default: .damaged(format, reason: message(result))
        }
    }

    private func message(_ result: picture_codec_result) -> String {
        let text = withUnsafeBytes(of: result.message) { bytes in
            String(
                decoding: bytes.prefix { $0 != 0 }.map { $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") },
                as: UTF8.self
            )
        }
        return text.isEmpty ? "it breaks the format's rules" : text
    }
}
