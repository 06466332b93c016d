/// A picture in memory: rows of RGBA pixels from the top, 8 bits a channel, straight alpha, sRGB.
public struct Picture: Hashable, Sendable {
    /// Pixels across, at least 1.
    public let width: Int
    /// Pixels down, at least 1.
    public let height: Int
    /// `width * height * 4` bytes: red, green, blue, alpha.
    public private(set) var pixels: [UInt8]

    /// Creates a picture from its bytes.
    ///
    /// - Returns: `nil` unless both sides are at least 1 and `pixels` holds `width * height * 4` bytes.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0 else { return nil }
        let (area, overflows) = width.multipliedReportingOverflow(by: height)
        guard !overflows, area <= Int.max / 4, pixels.count == area * 4 else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Creates a picture of one colour; sides below 1 count as 1.
    public init(width: Int, height: Int, filledWith color: PictureColor) {
        self.width = max(1, width)
        self.height = max(1, height)
        let area = self.width * self.height
        pixels = [UInt8](unsafeUninitializedCapacity: area * 4) { buffer, count in
            for index in 0..<area {
                buffer[index * 4] = color.red
                buffer[index * 4 + 1] = color.green
                buffer[index * 4 + 2] = color.blue
                buffer[index * 4 + 3] = color.alpha
            }
            count = area * 4
        }
    }

    /// For code that has made the bytes itself and knows that they fit.
    init(size: PixelSize, checkedPixels: [UInt8]) {
        width = size.width
        height = size.height
        pixels = checkedPixels
    }

    /// The width and height.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// The colour of one pixel, counted from the top left corner.
    ///
    /// - Precondition: `x` is in `0..<width`, `y` in `0..<height`, as for an array's index.
    public subscript(x: Int, y: Int) -> PictureColor {
        get {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel outside of the picture")
            let index = (y * width + x) * 4
            return PictureColor(pixels[index], pixels[index + 1], pixels[index + 2], alpha: pixels[index + 3])
        }
        set {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel outside of the picture")
            let index = (y * width + x) * 4
            pixels[index] = newValue.red
            pixels[index + 1] = newValue.green
            pixels[index + 2] = newValue.blue
            pixels[index + 3] = newValue.alpha
        }
    }
}
