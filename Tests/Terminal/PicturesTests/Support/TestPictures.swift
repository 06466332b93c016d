import Pictures

/// Pictures with known pixels.
enum TestPictures {
    /// Four quarters: red, green above blue, yellow.
    static func quarters(_ width: Int, _ height: Int) -> Picture {
        Picture(width: width, height: height) { x, y in quarter(x * 2 < width, y * 2 < height) }
    }

    static func quarter(_ isLeft: Bool, _ isTop: Bool) -> PictureColor {
        switch (isLeft, isTop) {
        case (true, true): PictureColor(220, 30, 40)
        case (false, true): PictureColor(20, 180, 60)
        case (true, false): PictureColor(30, 60, 200)
        case (false, false): PictureColor(230, 210, 40)
        }
    }

    /// A picture in which all pixels, rows and columns differ.
    static func gradient(_ width: Int, _ height: Int) -> Picture {
        Picture(width: width, height: height) { x, y in
            PictureColor(
                UInt8(x * 255 / max(1, width - 1)),
                UInt8(y * 255 / max(1, height - 1)),
                UInt8((x + y) * 255 / max(1, width + height - 2))
            )
        }
    }
}

extension PictureColor {
    /// The largest difference of a channel, alpha included.
    func difference(from other: PictureColor) -> Int {
        [(red, other.red), (green, other.green), (blue, other.blue), (alpha, other.alpha)]
            .map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}

extension Picture {
    /// A picture whose pixels are computed from their places, row by row.
    init(width: Int, height: Int, _ color: (_ x: Int, _ y: Int) -> PictureColor) {
        self.init(width: width, height: height, filledWith: .black)
        for y in 0..<height { for x in 0..<width { self[x, y] = color(x, y) } }
    }

    /// The largest difference of a channel over all pixels; 256 if the sizes differ.
    func difference(from other: Picture) -> Int {
        guard size == other.size else { return 256 }
        return zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}
