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

    /// The method as it is published, with rows in alternating directions, and errors in sixteenths.
    private func reference(_ picture: Picture, _ depth: PictureColorDepth) -> Picture {
        var (result, known) = (picture, [[Int]: PictureColor]())
        var sums: [Point: [Int]] = [:]
        for y in 0..<picture.height {
            let sign = y % 2 == 0 ? 1 : -1
            for step in 0..<picture.width {
                let x = sign > 0 ? step : picture.width - 1 - step
                let color = picture[x, y]
                let plain = [color.red, color.green, color.blue].map(Int.init)
                let error = sums[Point(x: x, y: y)] ?? [0, 0, 0]
                let wanted = (0..<3).map { max(-128, min(383, plain[$0] + error[$0] / 16)) }
                let shown = wanted.map { UInt8(clamping: $0) }
                // Colours that agree in their five upper bits have the entry of the first one.
                let key = shown.map { Int($0) / 8 }
                let target = PictureColor(shown[0], shown[1], shown[2])
                let index = depth == .ansi16 ? XtermPalette.nearest16(to: target) : XtermPalette.nearest256(to: target)
                let chosen = known[key] ?? XtermPalette.colors[Int(index)]
                known[key] = chosen
                result[x, y] = chosen
                let rest = zip(wanted, [chosen.red, chosen.green, chosen.blue]).map { $0 - Int($1) }
                for (place, share) in [
                    (Point(x: x + sign, y: y), 7), (Point(x: x - sign, y: y + 1), 3), (Point(x: x, y: y + 1), 5),
                    (Point(x: x + sign, y: y + 1), 1),
                ] {
                    sums[place] = zip(sums[place] ?? [0, 0, 0], rest).map { $0 + $1 * share }
                }
            }
        }
        return result
    }

    private struct Point: Hashable {
        let x: Int
        let y: Int
    }

    @Test("Every pixel is that of the published method", arguments: [PictureColorDepth.palette256, .ansi16])
    func published(_ depth: PictureColorDepth) {
        let picture = Picture(width: 13, height: 9) { x, y in
            PictureColor(UInt8(x * 19), UInt8(y * 31), UInt8((x * 7 + y * 23) % 256))
        }
        #expect(Dithering.reduced(picture, to: depth) == reference(picture, depth))
    }

    @Test("Every pixel is an entry of the palette, and a picture in 24-bit colours is not changed")
    func palette() {
        let picture = Picture(width: 40, height: 30) { x, y in PictureColor(UInt8(x * 6), UInt8(y * 8), 100) }
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
        let picture = Picture(width: 1500, height: 1500) { x, y in
            PictureColor(UInt8(x & 255), UInt8(y & 255), UInt8((x ^ y) & 255))
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
