extension Picture {
    /// Returns the picture at another size; each new pixel is the average of the area that it covers.
    ///
    /// The average is computed in linear light and weighted by alpha and by the covered share of each pixel. Enlarging
    /// produces sharp blocks with mixed borders.
    ///
    /// - Parameter size: The new size; sides below 1 count as 1.
    /// - Returns: A picture of exactly that size.
    public func scaled(to size: PixelSize) -> Picture {
        let size = PixelSize(width: max(1, size.width), height: max(1, size.height))
        if size == self.size { return self }
        let columns = AreaWeights(from: width, to: size.width)
        let rows = AreaWeights(from: height, to: size.height)
        let pixels = [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) { target, count in
            self.pixels.withUnsafeBufferPointer { source in
                LinearLight.withTables { decoded, encode in
                    var sums = [Float](repeating: 0, count: width * 4)
                    sums.withUnsafeMutableBufferPointer { sums in
                        for y in 0..<size.height {
                            gatherRows(rows[y], of: source, into: sums, decoded: decoded)
                            let start = y * size.width * 4
                            for x in 0..<size.width {
                                mixColumns(columns[x], of: sums, into: target, at: start + x * 4, encode: encode)
                            }
                        }
                    }
                }
            }
            count = size.width * size.height * 4
        }
        return Picture(size: size, checkedPixels: pixels)
    }

    /// Returns the picture scaled down to fit into `box`, preserving the aspect ratio; never enlarges it.
    public func scaledDown(toFit box: PixelSize) -> Picture {
        scaled(to: size.fitted(into: box, enlarges: false))
    }

    private func gatherRows(
        _ span: AreaWeights.Span,
        of source: UnsafeBufferPointer<UInt8>,
        into sums: UnsafeMutableBufferPointer<Float>,
        decoded: UnsafeBufferPointer<Float>
    ) {
        for index in 0..<sums.count { sums[index] = 0 }
        for row in span.first...span.last {
            let weight = span.weight(of: row)
            var index = row * width * 4
            for x in 0..<width {
                let alpha = Float(source[index + 3]) * weight
                sums[x * 4] += decoded[Int(source[index])] * alpha
                sums[x * 4 + 1] += decoded[Int(source[index + 1])] * alpha
                sums[x * 4 + 2] += decoded[Int(source[index + 2])] * alpha
                sums[x * 4 + 3] += alpha
                index += 4
            }
        }
    }

    private func mixColumns(
        _ span: AreaWeights.Span,
        of sums: UnsafeMutableBufferPointer<Float>,
        into target: UnsafeMutableBufferPointer<UInt8>,
        at index: Int,
        encode: (Float) -> UInt8
    ) {
        var red: Float = 0
        var green: Float = 0
        var blue: Float = 0
        var alpha: Float = 0
        for column in span.first...span.last {
            let weight = span.weight(of: column)
            red += sums[column * 4] * weight
            green += sums[column * 4 + 1] * weight
            blue += sums[column * 4 + 2] * weight
            alpha += sums[column * 4 + 3] * weight
        }
        let scale = alpha > 0 ? 1 / alpha : 0
        target[index] = encode(red * scale)
        target[index + 1] = encode(green * scale)
        target[index + 2] = encode(blue * scale)
        target[index + 3] = UInt8(min(max(alpha.rounded(), 0), 255))
    }
}

/// The weights of the old cells that each cell of a resized row covers.
struct AreaWeights {
    /// The old cells below one new cell; the first and the last may be partly covered.
    struct Span {
        let first: Int
        let last: Int
        let firstWeight: Float
        let innerWeight: Float
        let lastWeight: Float

        /// Returns the weight of an old cell; all weights of a span add up to 1.
        func weight(of index: Int) -> Float {
            index == first ? firstWeight : index == last ? lastWeight : innerWeight
        }
    }

    private let spans: [Span]

    /// Computes the weights for resizing `old` cells to `new` cells, both at least 1.
    init(from old: Int, to new: Int) {
        // Positions are in units of 1 / (old * new), so that they are integers.
        spans = (0..<new).map { index in
            let start = index * old
            let end = start + old
            let first = start / new
            let last = (end - 1) / new
            let whole = Float(old)
            if first == last {
                return Span(first: first, last: last, firstWeight: 1, innerWeight: 0, lastWeight: 0)
            }
            return Span(
                first: first,
                last: last,
                firstWeight: Float((first + 1) * new - start) / whole,
                innerWeight: Float(new) / whole,
                lastWeight: Float(end - last * new) / whole
            )
        }
    }

    subscript(index: Int) -> Span { spans[index] }
}
