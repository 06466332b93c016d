extension Picture {
    /// Whether no pixel lets anything through.
    public var isOpaque: Bool {
        pixels.withUnsafeBufferPointer { pixels in
            stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
        }
    }

    /// The picture laid over an opaque background, mixed in linear light.
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
