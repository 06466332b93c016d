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
