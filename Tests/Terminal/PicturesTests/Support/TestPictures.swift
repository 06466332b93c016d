import Pictures

/// Pictures with known pixels.
enum TestPictures {
    /// Four quarters: red, green above blue, yellow.
    static func quarters(_ width: Int, _ height: Int) -> Picture {
        var picture = Picture(width: width, height: height, filledWith: .black)
        for y in 0..<height {
            for x in 0..<width { picture[x, y] = quarter(x * 2 < width, y * 2 < height) }
        }
        return picture
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
        var picture = Picture(width: width, height: height, filledWith: .black)
        for y in 0..<height {
            for x in 0..<width {
                picture[x, y] = PictureColor(
                    UInt8(x * 255 / max(1, width - 1)),
                    UInt8(y * 255 / max(1, height - 1)),
                    UInt8((x + y) * 255 / max(1, width + height - 2))
                )
            }
        }
        return picture
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
    /// The largest difference of a channel over all pixels; 256 if the sizes differ.
    func difference(from other: Picture) -> Int {
        guard size == other.size else { return 256 }
        return zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}
