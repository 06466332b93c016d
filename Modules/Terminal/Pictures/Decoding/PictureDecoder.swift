/// Decodes JPEG, PNG and GIF data within limits.
///
/// The data is untrusted: sizes are checked against the limits before memory is allocated, and every problem is a typed
/// error or a partial picture with a warning. Decoding is synchronous and takes about a millisecond for a photo shown
/// in a terminal; decode large pictures outside of the main actor.
public struct PictureDecoder: Hashable, Sendable {
    /// The limits for one picture.
    public var limits: PictureLimits

    /// Creates a decoder.
    public init(limits: PictureLimits = .standard) { self.limits = limits }

    /// Decodes a picture and applies its EXIF orientation.
    ///
    /// - Parameters:
    ///   - bytes: The encoded picture; it may be truncated.
    ///   - box: If set, the picture is scaled down to fit into it, preserving the aspect ratio. Most of the reduction
    ///     happens while decoding, so a large photo needs little time and memory.
    /// - Returns: The picture, with warnings if it is partial or damaged.
    /// - Throws: `PictureError` if there are no pixels to show.
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

    private func finish(_ stored: DecodedPicture, orientation: PictureOrientation, box: PixelSize?) -> DecodedPicture {
        var result = stored
        if orientation.swapsSides { result.originalSize = stored.originalSize.transposed }
        result.picture = stored.picture.oriented(orientation)
        if let box {
            let size = result.originalSize.fitted(into: box, enlarges: false)
            if size.width > 0, size.height > 0 { result.picture = result.picture.scaled(to: size) }
        }
        result.warnings = stored.warnings.map { warning in
            guard case .truncated(let known, let rows) = warning else { return warning }
            let height = result.originalSize.height
            // In the other orientations, the last stored row is not the last one of the upright picture.
            let endsBelow = orientation == .upright || orientation == .mirrored
            return .truncated(knownRows: endsBelow ? known * height / rows : height, rows: height)
        }
        return result
    }

    private static func unknownFormat(_ bytes: some Collection<UInt8>) -> PictureError {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]
        if bytes.prefix(1024).first(where: { !blanks.contains($0) }) == UInt8(ascii: "<") { return .markup }
        return .unknownFormat(firstBytes: Array(bytes.prefix(16)))
    }
}

/// The result of decoding.
public struct DecodedPicture: Hashable, Sendable {
    /// The upright pixels at the requested size.
    public var picture: Picture
    /// The size of the encoded picture when upright.
    public var originalSize: PixelSize
    /// The format of the data.
    public var format: PictureFormat
    /// The problems found; empty for a valid picture.
    public var warnings: [PictureWarning]

    /// Creates a result.
    public init(picture: Picture, originalSize: PixelSize, format: PictureFormat, warnings: [PictureWarning] = []) {
        self.picture = picture
        self.originalSize = originalSize
        self.format = format
        self.warnings = warnings
    }
}

/// A problem of a picture that can be shown nevertheless.
public enum PictureWarning: Hashable, Sendable, CustomStringConvertible {
    /// The data ends early: of the `rows` of the original size, those from `knownRows` are transparent. If both are equal,
    /// another part of the picture is transparent, or all of it is coarse.
    case truncated(knownRows: Int, rows: Int)
    /// The data violates the format; `reason` is the decoder's message.
    case damaged(reason: String)

    /// The problem in one sentence.
    public var description: String {
        switch self {
        case .truncated(let known, let rows) where known < rows:
            "Only the first \(known) of \(rows) rows have come."
        case .truncated:
            "The picture ends early; some of it is missing."
        case .damaged(let reason):
            "The picture is damaged (\(reason)); parts may look wrong."
        }
    }
}

/// The limits for decoding untrusted data, checked before memory is allocated.
public struct PictureLimits: Hashable, Sendable {
    /// The maximum number of encoded bytes, 32 MiB by default.
    public var bytes: Int
    /// The maximum number of pixels that a header may announce, 64 million by default.
    public var pixels: Int
    /// The maximum memory for decoding in bytes, including the pixels, 384 MiB by default.
    public var memory: Int
    /// The maximum number of scans of a progressive JPEG, 64 by default; cameras and editors write 3 to 12.
    public var scans: Int
    /// The maximum time for decoding a JPEG or PNG, 5 seconds by default; a GIF is limited by its pixels.
    public var time: Duration

    /// Creates limits, each with its default.
    public init(
        bytes: Int = 32 << 20,
        pixels: Int = 64_000_000,
        memory: Int = 384 << 20,
        scans: Int = 64,
        time: Duration = .seconds(5)
    ) {
        self.bytes = max(0, bytes)
        self.pixels = max(0, pixels)
        self.memory = max(0, memory)
        self.scans = max(1, scans)
        self.time = time
    }

    /// The time in nanoseconds, at least 1.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = time.components
        guard seconds >= 0, seconds < 1_000_000_000 else { return seconds < 0 ? 1 : UInt64(Int64.max) / 2 }
        return max(1, UInt64(seconds) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000)
    }

    /// The defaults, sufficient for the photos of a phone.
    public static let standard = PictureLimits()
}
