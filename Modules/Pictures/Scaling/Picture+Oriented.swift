extension Picture {
    /// The picture turned and mirrored to stand upright.
    ///
    /// - Parameter orientation: How the pixels are stored.
    /// - Returns: The upright picture; its sides may have changed places.
    public func oriented(_ orientation: PictureOrientation) -> Picture {
        if orientation == .upright { return self }
        let size = orientation.swapsSides ? self.size.transposed : self.size
        let pixels = [UInt8](unsafeUninitializedCapacity: self.pixels.count) { target, count in
            self.pixels.withUnsafeBufferPointer { source in
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let from = storedIndex(ofUpright: x, y, orientation) * 4
                        let to = (y * size.width + x) * 4
                        for channel in 0..<4 { target[to + channel] = source[from + channel] }
                    }
                }
            }
            count = self.pixels.count
        }
        return Picture(size: size, checkedPixels: pixels)
    }

    private func storedIndex(ofUpright x: Int, _ y: Int, _ orientation: PictureOrientation) -> Int {
        switch orientation {
        case .upright: y * width + x
        case .mirrored: y * width + (width - 1 - x)
        case .halfTurn: (height - 1 - y) * width + (width - 1 - x)
        case .flipped: (height - 1 - y) * width + x
        case .transposed: x * width + y
        case .quarterClockwise: (height - 1 - x) * width + y
        case .transversed: (height - 1 - x) * width + (width - 1 - y)
        case .quarterAnticlockwise: x * width + (width - 1 - y)
        }
    }
}
