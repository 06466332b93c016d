import Testing

@testable import Pictures

@Suite("Dithering, cell aspect and the time limit")
struct DitheringTests {
    /// Returns the mean of a channel over a picture.
    private func mean(_ picture: Picture, _ channel: KeyPath<PictureColor, UInt8>) -> Double {
        var sum = 0.0
        for y in 0..<picture.height { for x in 0..<picture.width { sum += Double(picture[x, y][keyPath: channel]) } }
        return sum / Double(picture.width * picture.height)
    }

    @Test(
        "An area of a colour between two entries has this colour on average",
        arguments: [PictureColorDepth.palette256, .ansi16]
    )
    func average(_ depth: PictureColorDepth) {
        let color = PictureColor(112, 155, 60)
        let picture = Picture(width: 60, height: 60, filledWith: color)
        let reduced = Dithering.reduced(picture, to: depth)
        let plain = XtermPalette.colors[
            Int(depth == .ansi16 ? XtermPalette.nearest16(to: color) : XtermPalette.nearest256(to: color))
        ]
        for (channel, wanted) in [(\PictureColor.red, 112.0), (\.green, 155), (\.blue, 60)] {
            let error = abs(mean(reduced, channel) - wanted)
            #expect(error < (depth == .ansi16 ? 16 : 6), "\(depth): \(mean(reduced, channel)) instead of \(wanted)")
        }
        #expect(reduced != Picture(width: 60, height: 60, filledWith: plain))
    }

    @Test("Every pixel is an entry of the palette, and a picture in 24-bit colours is not changed")
    func palette() {
        var picture = Picture(width: 40, height: 30, filledWith: .black)
        for y in 0..<30 { for x in 0..<40 { picture[x, y] = PictureColor(UInt8(x * 6), UInt8(y * 8), 100) } }
        let reduced = Dithering.reduced(picture, to: .palette256)
        let entries = Set(XtermPalette.colors[16...])
        for y in 0..<30 { for x in 0..<40 { #expect(entries.contains(reduced[x, y])) } }
        #expect(Dithering.reduced(picture, to: .trueColor) == picture)
        #expect(Dithering.reduced(picture, to: .none) == picture)
    }

    @Test(
        "Cells that are not twice as high as wide change the number of rows",
        arguments: [(1.0, 20), (2.0, 10), (2.5, 8)]
    )
    func aspect(_ aspect: Double, _ rows: Int) {
        var renderer = PictureRenderer()
        renderer.cellAspect = aspect
        let grid = renderer.cells(for: PixelSize(width: 100, height: 100), columns: 20, rows: 40)
        #expect(grid.columns == 20 && grid.rows == rows)
        let small = renderer.cells(for: PixelSize(width: 100, height: 100), columns: 200, rows: 8)
        #expect(small.rows == 8 && small.columns == Int((8 * aspect).rounded()))
    }

    @Test("Decoding that takes longer than its limit is an error", arguments: [PictureFormat.jpeg, .png])
    func timeLimit(_ format: PictureFormat) throws {
        var picture = Picture(width: 1500, height: 1500, filledWith: .black)
        for y in 0..<1500 {
            for x in 0..<1500 { picture[x, y] = PictureColor(UInt8(x & 255), UInt8(y & 255), UInt8((x ^ y) & 255)) }
        }
        let bytes =
            format == .jpeg ? try PictureEncoder().jpeg(picture, quality: 90) : try PictureEncoder().png(picture)
        let limits = PictureLimits(time: .nanoseconds(1))
        #expect(throws: PictureError.tooSlow(limit: .nanoseconds(1))) {
            try PictureDecoder(limits: limits).decode(bytes)
        }
        #expect(try PictureDecoder().decode(bytes).picture.width == 1500)
    }
}
