public import Pictures

/// A portrait as a file: drawn at a size and encoded.
public struct PortraitFile: Hashable, Sendable {
    /// Who is on it.
    public let portrait: Portrait
    /// Its size.
    public let size: PixelSize
    /// JPEG or PNG; anything else is written as JPEG.
    public let format: PictureFormat

    /// The sizes that the services' pictures come in.
    static let sizes = [
        PixelSize(width: 400, height: 300), PixelSize(width: 480, height: 360), PixelSize(width: 360, height: 480),
        PixelSize(width: 420, height: 420), PixelSize(width: 500, height: 333),
    ]

    /// Describes a file; nothing is drawn yet.
    public init(_ portrait: Portrait, size: PixelSize, format: PictureFormat) {
        self.portrait = portrait
        self.size = size
        self.format = format
    }

    /// The pixels before they are encoded.
    public var picture: Picture { portrait.picture(size) }

    /// Draws and encodes it.
    ///
    /// - Parameter quality: For a JPEG, 1...100.
    /// - Returns: The file's bytes.
    /// - Throws: `PictureEncodingError` where the size is more than the format allows.
    public func encoded(quality: Int = 88) throws(PictureEncodingError) -> [UInt8] {
        format == .png ? try PictureEncoder().png(picture) : try PictureEncoder().jpeg(picture, quality: quality)
    }
}
