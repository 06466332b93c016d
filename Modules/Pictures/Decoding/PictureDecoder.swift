/// Turns JPEG, PNG and GIF bytes from anywhere into pixels, within limits.
///
/// The bytes are not trusted: sizes are checked from the header before memory is taken, and whatever is wrong is a
/// typed error or a partial picture with a warning. Decoding is synchronous and takes about a millisecond for a photo
/// shown in a terminal; call it off the main actor for large pictures.
public struct PictureDecoder: Hashable, Sendable {
    /// What may be spent on one picture.
    public var limits: PictureLimits

    /// Creates a decoder.
    public init(limits: PictureLimits = .standard) {
        self.limits = limits
    }

    /// Decodes a picture, upright (EXIF orientation applied).
    ///
    /// - Parameters:
    ///   - bytes: The whole encoded picture, or what has come of it.
    ///   - box: Where given, the picture is made to fit into it with its shape kept, and never enlarged. Most of the
    ///     reduction happens while decoding, so a large photo costs little time and memory.
    /// - Returns: The picture, with warnings where it is partial or damaged.
    /// - Throws: `PictureError` where nothing can be shown.
    public func decode(
        _ bytes: some Collection<UInt8>,
        fitting box: PixelSize? = nil
    ) throws(PictureError) -> DecodedPicture {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= limits.bytes else { throw .tooManyBytes(count: bytes.count, limit: limits.bytes) }
        guard let format = PictureFormat(sniffing: bytes) else { throw Self.unknownFormat(bytes) }
        let bytes = Array(bytes)
        if let size = PictureHeader.size(of: bytes, format: format), size.width == 0 || size.height == 0 {
            throw .noPixels(format)
        }
        let orientation = EXIF.orientation(in: bytes, format: format)
        let stored =
            switch format {
            case .jpeg, .png:
                try CodecCall(format: format, limits: limits, box: orientation.swapsSides ? box?.transposed : box)
                    .decode(bytes)
            case .gif:
                try GIFDecoder.decode(bytes, limits: limits)
            }
        return finish(stored, orientation: orientation, box: box)
    }

    private func finish(
        _ stored: DecodedPicture,
        orientation: PictureOrientation,
        box: PixelSize?
    ) -> DecodedPicture {
        var result = stored
        if orientation.swapsSides { result.originalSize = stored.originalSize.transposed }
        result.picture = stored.picture.oriented(orientation)
        if let box {
            let size = result.originalSize.fitted(into: box, enlarges: false)
            if size.width > 0, size.height > 0 { result.picture = result.picture.scaled(to: size) }
        }
        return result
    }

    private static func unknownFormat(_ bytes: some Collection<UInt8>) -> PictureError {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]
        if bytes.prefix(1024).first(where: { !blanks.contains($0) }) == UInt8(ascii: "<") { return .markup }
        return .unknownFormat(firstBytes: Array(bytes.prefix(16)))
    }
}

/// What a decoder made of the bytes.
public struct DecodedPicture: Hashable, Sendable {
    /// The pixels, upright, at the size that was asked for.
    public var picture: Picture
    /// The size of the encoded picture when it stands upright.
    public var originalSize: PixelSize
    /// The format of the bytes.
    public var format: PictureFormat
    /// What is wrong with it; empty for a sound picture.
    public var warnings: [PictureWarning]

    /// Creates a result; decoders do, and tests.
    public init(picture: Picture, originalSize: PixelSize, format: PictureFormat, warnings: [PictureWarning] = []) {
        self.picture = picture
        self.originalSize = originalSize
        self.format = format
        self.warnings = warnings
    }
}

/// What is wrong with a picture that can be shown nevertheless.
public enum PictureWarning: Hashable, Sendable, CustomStringConvertible {
    /// The bytes end early: rows from `knownRows` on are transparent, or the whole is coarse where it equals `rows`.
    case truncated(knownRows: Int, rows: Int)
    /// The format's rules are broken somewhere; `reason` in the decoder's words.
    case damaged(reason: String)

    /// What is wrong, in one sentence.
    public var description: String {
        switch self {
        case .truncated(let known, let rows) where known < rows:
            "Only the first \(known) of \(rows) rows have come."
        case .truncated:
            "The picture ends early; some of its detail is missing."
        case .damaged(let reason):
            "The picture is damaged (\(reason)); parts may look wrong."
        }
    }
}

/// What may be spent on a picture from outside; checked before memory is taken.
public struct PictureLimits: Hashable, Sendable {
    /// The most encoded bytes. 32 MiB by default.
    public var bytes: Int
    /// The most pixels that a header may announce. 64 million by default.
    public var pixels: Int
    /// The most bytes of memory for decoding, the pixels included. 384 MiB by default.
    public var memory: Int
    /// The most scans of a progressive JPEG. 64 by default; cameras and editors write 3 to 12.
    public var scans: Int

    /// Creates limits, each with its default.
    public init(
        bytes: Int = 32 << 20,
        pixels: Int = 64_000_000,
        memory: Int = 384 << 20,
        scans: Int = 64
    ) {
        self.bytes = max(0, bytes)
        self.pixels = max(0, pixels)
        self.memory = max(0, memory)
        self.scans = max(1, scans)
    }

    /// The defaults: any photo of a phone, and nothing that could exhaust a small machine.
    public static let standard = PictureLimits()
}
