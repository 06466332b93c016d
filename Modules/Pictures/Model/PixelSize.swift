/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// Pixels across, 0 or more.
    public var width: Int
    /// Pixels down, 0 or more.
    public var height: Int

    /// Creates a size; negative sides count as 0.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// The width and height, for people: `1200 x 900`.
    public var description: String { "\(width) x \(height)" }

    /// The same size turned by a quarter.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// The largest size of the same shape that fits into `box`; each side is at least 1 where the box has room.
    ///
    /// - Parameters:
    ///   - box: The room there is, in pixels.
    ///   - enlarges: Whether the result may be larger than this size.
    /// - Returns: The fitted size; 0 x 0 where either has no area.
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
