/// A picture in memory: rows of RGBA pixels from the top, 8 bits per channel, straight alpha, sRGB.
public struct Picture: Hashable, Sendable {
    /// The number of columns, at least 1.
    public let width: Int
    /// The number of rows, at least 1.
    public let height: Int
    /// The `width * height * 4` bytes: red, green, blue, alpha.
    public private(set) var pixels: [UInt8]

    /// Creates a picture from its bytes; `nil` unless both sides are at least 1 and `pixels` has `width * height * 4`.
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

    /// Creates a picture from bytes that are known to match the size.
    init(size: PixelSize, checkedPixels: [UInt8]) {
        width = size.width
        height = size.height
        pixels = checkedPixels
    }

    /// The width and height.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// The colour of a pixel, counted from the top left corner.
    ///
    /// - Precondition: `x` is in `0..<width` and `y` in `0..<height`.
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

/// A rectangle of pixels, counted from the upper left corner.
package struct PixelRect: Hashable, Sendable {
    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension Picture {
    /// Returns the part of the picture inside of a rectangle; sides below 1 count as 1.
    package func cropped(to rect: PixelRect) -> Picture {
        let left = max(0, min(rect.x, width - 1))
        let top = max(0, min(rect.y, height - 1))
        let size = PixelSize(
            width: max(1, min(rect.width, width - left)),
            height: max(1, min(rect.height, height - top))
        )
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.width * size.height * 4)
        for row in top..<top + size.height {
            let start = (row * width + left) * 4
            bytes += pixels[start..<start + size.width * 4]
        }
        return Picture(size: size, checkedPixels: bytes)
    }
}

/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// The width, 0 or more.
    public var width: Int
    /// The height, 0 or more.
    public var height: Int

    /// Creates a size; negative sides count as 0.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// The width and height, as `1200 x 900`.
    public var description: String { "\(width) x \(height)" }

    /// The size with width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// Returns the largest size with the same aspect ratio that fits into `box`; each side is at least 1.
    ///
    /// - Parameters:
    ///   - box: The available size in pixels.
    ///   - enlarges: Whether the result may be larger than this size.
    /// - Returns: The fitted size; 0 x 0 if either size is empty.
    public func fitted(into box: PixelSize, enlarges: Bool) -> PixelSize {
        guard width > 0, height > 0, box.width > 0, box.height > 0 else { return PixelSize(width: 0, height: 0) }
        if !enlarges, width <= box.width, height <= box.height { return self }
        let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        return PixelSize(
            width: min(box.width, max(1, Int((Double(width) * scale).rounded()))),
            height: min(box.height, max(1, Int((Double(height) * scale).rounded())))
        )
    }
}

extension Picture {
    /// Whether all pixels are opaque.
    public var isOpaque: Bool {
        pixels.withUnsafeBufferPointer { pixels in
            stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
        }
    }

    /// Returns the picture composed over an opaque background, in linear light.
    public func flattened(over background: PictureColor) -> Picture {
        if isOpaque { return self }
        var result = self
        for y in 0..<height {
            for x in 0..<width where self[x, y].alpha != 255 {
                result[x, y] = self[x, y].blended(over: background)
            }
        }
        return result
    }
}
