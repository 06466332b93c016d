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
        let isOpaque = isOpaque
        let pixels = [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) { target, count in
            self.pixels.withUnsafeBufferPointer { source in
                LinearLight.withTables { light in
                    let row = ScaledRow(source: source, width: width, light: light)
                    withUnsafeTemporaryAllocation(of: Float.self, capacity: width * 4) { sums in
                        for y in 0..<size.height {
                            let start = y * size.width * 4
                            if isOpaque {
                                row.gatherOpaque(rows[y], into: sums)
                                for x in 0..<size.width {
                                    row.mixOpaque(columns[x], of: sums, into: target, at: start + x * 4)
                                }
                            } else {
                                row.gather(rows[y], into: sums)
                                for x in 0..<size.width {
                                    row.mix(columns[x], of: sums, into: target, at: start + x * 4)
                                }
                            }
                        }
                    }
                }
            }
            count = size.width * size.height * 4
        }
        return Picture(size: size, checkedPixels: pixels)
    }
}

/// One row of a scaled picture: the weighted sums of the rows that it covers, mixed to its pixels.
private struct ScaledRow {
    let source: UnsafeBufferPointer<UInt8>
    /// The number of columns of the source.
    let width: Int
    let light: LinearLight.Tables

    /// Sums the light of opaque rows: three values for each column.
    @inline(__always)
    func gatherOpaque(_ span: AreaWeights.Span, into sums: UnsafeMutableBufferPointer<Float>) {
        for row in span.first...span.last {
            let weight = span.weight(of: row)
            let isFirst = row == span.first
            var index = row * width * 4
            for sum in stride(from: 0, to: width * 3, by: 3) {
                let red = light.decoded[Int(source[index])] * weight
                let green = light.decoded[Int(source[index + 1])] * weight
                let blue = light.decoded[Int(source[index + 2])] * weight
                sums[sum] = isFirst ? red : sums[sum] + red
                sums[sum + 1] = isFirst ? green : sums[sum + 1] + green
                sums[sum + 2] = isFirst ? blue : sums[sum + 2] + blue
                index += 4
            }
        }
    }

    /// Sums the light of rows, weighted by alpha, and alpha: four values for each column.
    @inline(__always) func gather(_ span: AreaWeights.Span, into sums: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<width * 4 { sums[index] = 0 }
        for row in span.first...span.last {
            let weight = span.weight(of: row)
            let start = row * width * 4
            for index in stride(from: 0, to: width * 4, by: 4) {
                let alpha = Float(source[start + index + 3]) * weight
                sums[index] += light.decoded[Int(source[start + index])] * alpha
                sums[index + 1] += light.decoded[Int(source[start + index + 1])] * alpha
                sums[index + 2] += light.decoded[Int(source[start + index + 2])] * alpha
                sums[index + 3] += alpha
            }
        }
    }

    @inline(__always) func mixOpaque(
        _ span: AreaWeights.Span,
        of sums: UnsafeMutableBufferPointer<Float>,
        into target: UnsafeMutableBufferPointer<UInt8>,
        at index: Int
    ) {
        var red: Float = 0
        var green: Float = 0
        var blue: Float = 0
        for column in span.first...span.last {
            let weight = span.weight(of: column)
            red += sums[column * 3] * weight
            green += sums[column * 3 + 1] * weight
            blue += sums[column * 3 + 2] * weight
        }
        target[index] = light.encode(red)
        target[index + 1] = light.encode(green)
        target[index + 2] = light.encode(blue)
        target[index + 3] = 255
    }

    @inline(__always) func mix(
        _ span: AreaWeights.Span,
        of sums: UnsafeMutableBufferPointer<Float>,
        into target: UnsafeMutableBufferPointer<UInt8>,
        at index: Int
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
        target[index] = light.encode(red * scale)
        target[index + 1] = light.encode(green * scale)
        target[index + 2] = light.encode(blue * scale)
        target[index + 3] = UInt8(min(alpha + 0.5, 255))
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
