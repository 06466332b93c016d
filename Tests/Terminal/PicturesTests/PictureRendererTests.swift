import Pictures
import TestSupport
import Testing

@Suite("Drawing")
struct PictureRendererTests {
    @Test("Half-blocks in true colour show the picture exactly")
    func exactHalfBlocks() throws {
        let picture = TestPictures.gradient(24, 16)
        let text = PictureRenderer().text(picture, columns: 24, rows: 8)
        let drawn = try ANSIPicture(text)
        let pixels = try drawn.pixels()
        #expect(pixels.count == 16 && pixels.allSatisfy { $0.count == 24 })
        for y in 0..<16 {
            for x in 0..<24 {
                let color = picture[x, y]
                #expect(pixels[y][x] == .init(Int(color.red), Int(color.green), Int(color.blue)))
            }
        }
        #expect(!drawn.leaksColors)
    }

    @Test("A decoded JPEG is drawn in the colours of its pixels")
    func jpegThroughTheTerminal() throws {
        let original = TestPictures.gradient(640, 480)
        let bytes = try PictureEncoder().jpeg(original, quality: 92)
        let renderer = PictureRenderer()
        let decoded = try PictureDecoder().decode(bytes, fitting: renderer.pixelSize(columns: 64, rows: 24))
        let pixels = try ANSIPicture(renderer.text(decoded.picture, columns: 64, rows: 24)).pixels()
        let expected = original.scaled(to: PixelSize(width: 64, height: 48))
        #expect(pixels.count == 48 && pixels.allSatisfy { $0.count == 64 })
        for y in 0..<48 {
            for x in 0..<64 {
                let color = expected[x, y]
                let wanted = ANSIPicture.Color(Int(color.red), Int(color.green), Int(color.blue))
                #expect((pixels[y][x]?.difference(from: wanted) ?? 256) <= 10, "at \(x), \(y)")
            }
        }
    }

    // A pixel may be off by half of the palette's widest step: 95 of the cube, about 200 of the 16 colours.
    @Test(
        "With 256 and 16 colours the brightness is preserved locally and the colours on average",
        arguments: [(PictureColorDepth.palette256, 48.0, 20.0), (.ansi16, 100.0, 60.0)]
    )
    func fewerColors(depth: PictureColorDepth, brightness: Double, mean: Double) throws {
        let picture = TestPictures.gradient(16, 16)
        // Each pixel by itself; DitheringTests checks the averages of dithered areas.
        var renderer = PictureRenderer(depth: depth)
        renderer.dithers = false
        let text = renderer.text(picture, columns: 16, rows: 8)
        #expect(!text.contains(";2;"))
        #expect(depth == .palette256 || !text.contains(";5;"))
        let pixels = try ANSIPicture(text).pixels()
        var sum = 0
        for y in 0..<16 {
            for x in 0..<16 {
                let (color, shown) = (picture[x, y], try #require(pixels[y][x]))
                let red = shown.red - Int(color.red)
                let green = shown.green - Int(color.green)
                let blue = shown.blue - Int(color.blue)
                sum += abs(red) + abs(green) + abs(blue)
                let light = 0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)
                #expect(abs(light) <= brightness, "at \(x), \(y)")
            }
        }
        #expect(Double(sum) / (16 * 16 * 3) <= mean)
    }

    @Test("Without colours a picture is plain characters in every style", arguments: PictureStyle.allCases)
    func noColors(style: PictureStyle) throws {
        let text = PictureRenderer(style: style, depth: .none).text(
            TestPictures.gradient(40, 40),
            columns: 30,
            rows: 10
        )
        #expect(!text.contains("\u{1B}"))
        #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
        if style == .words {
            #expect(text == "[picture, 40 x 40]\n")
        } else {
            let lines = text.split(separator: "\n")
            #expect(lines.map(\.count) == Array(repeating: 20, count: 10))
            #expect(Set(text).count > 5)
        }
    }

    @Test("Characters are dense for bright pixels, and for dark ones on a light background")
    func characterDensity() {
        var picture = Picture(width: 2, height: 2, filledWith: .black)
        picture[1, 0] = .white
        picture[1, 1] = .white
        let onBlack = PictureRenderer(style: .characters).text(picture, columns: 2, rows: 1)
        let onWhite = PictureRenderer(style: .characters, background: .white).text(picture, columns: 2, rows: 1)
        #expect(onBlack == " @\n")
        #expect(onWhite == "@ \n")
        // A grey between two characters is the nearer one.
        let grey = Picture(width: 2, height: 2, filledWith: PictureColor(140, 140, 140))
        #expect(PictureRenderer(style: .characters).text(grey, columns: 2, rows: 1) == "**\n")
    }

    @Test("Quadrants show two-coloured quarters exactly")
    func quadrants() throws {
        let picture = Picture(width: 8, height: 8) { x, y in
            (x * 3 + y * 5) % 4 < 2 ? PictureColor(250, 240, 20) : PictureColor(10, 20, 200)
        }
        let renderer = PictureRenderer(style: .quadrants)
        let tall = picture.scaled(to: PixelSize(width: 8, height: 16))
        let drawn = try ANSIPicture(renderer.text(tall, columns: 4, rows: 4)).pixels(columnsPerCell: 2)
        let expected = tall.scaled(to: PixelSize(width: 8, height: 8))
        for y in 0..<8 {
            for x in 0..<8 {
                let color = expected[x, y]
                #expect(drawn[y][x] == .init(Int(color.red), Int(color.green), Int(color.blue)))
            }
        }
    }

    @Test("The automatic style is the one that comes closest to the picture, with 24-bit and with 256 colours")
    func automaticStyle() throws {
        // A disc and thin lines over a gradient, at eight times the resolution of the cells.
        let size = PixelSize(width: 320, height: 320)
        var picture = TestPictures.gradient(size.width, size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (right, down) = (x - 160, y - 160)
                let isDark = right * right + down * down < 9000 || (x + y / 3) % 61 < 6
                if isDark { picture[x, y] = PictureColor(20, 30, 90) }
            }
        }
        let fine = picture.scaled(to: PixelSize(width: 80, height: 80))
        func error(_ style: PictureStyle, _ depth: PictureColorDepth) throws -> Int {
            let text = PictureRenderer(style: style, depth: depth).text(picture, columns: 40, rows: 20)
            let drawn = try ANSIPicture(text).pixels(columnsPerCell: 2)
            var shown = Picture(width: 80, height: 40, filledWith: .black)
            for y in 0..<40 {
                for x in 0..<80 {
                    guard let color = drawn[y][x] else { continue }
                    shown[x, y] = PictureColor(
                        UInt8(clamping: color.red),
                        UInt8(clamping: color.green),
                        UInt8(clamping: color.blue)
                    )
                }
            }
            // Seen from some distance, so that dithered pixels blend.
            let blend = PixelSize(width: depth == .trueColor ? 80 : 20, height: depth == .trueColor ? 40 : 10)
            let (left, right) = (shown.scaled(to: blend), fine.scaled(to: blend))
            var sum = 0
            for y in 0..<blend.height {
                for x in 0..<blend.width { sum += left[x, y].difference(from: right[x, y]) }
            }
            return sum
        }
        for depth in [PictureColorDepth.trueColor, .palette256] {
            let quadrants = try error(.quadrants, depth)
            let halves = try error(.halfBlocks, depth)
            let better: PictureStyle = quadrants < halves ? .quadrants : .halfBlocks
            let automatic = PictureStyle.automatic(depth: depth, isUnicode: true)
            #expect(automatic == better, "\(depth): quadrants \(quadrants), half-blocks \(halves)")
        }
        #expect(PictureStyle.automatic(depth: .trueColor, isUnicode: false) == .characters)
        #expect(PictureStyle.automatic(depth: .none, isUnicode: true) == .characters)
    }

    @Test("Quadrants of one colour are half-blocks, which take the fewest bytes")
    func plainQuadrants() {
        let plain = Picture(width: 8, height: 8, filledWith: PictureColor(1, 2, 3))
        let cells = PictureRenderer(style: .quadrants).render(plain, columns: 4, rows: 2)
        let half = PictureCell("▀", foreground: PictureColor(1, 2, 3), background: PictureColor(1, 2, 3))
        #expect(cells.cells == Array(repeating: half, count: 8))
    }

    @Test("Transparent pixels show the background")
    func transparency() throws {
        var picture = Picture(width: 2, height: 2, filledWith: .clear)
        picture[0, 0] = PictureColor(255, 0, 0)
        let background = PictureColor(10, 20, 30)
        let cells = PictureRenderer(background: background).render(picture, columns: 2, rows: 1)
        #expect(cells[0, 0].foreground == PictureColor(255, 0, 0))
        #expect(cells[0, 0].background == background)
        #expect(cells[1, 0].foreground == background)
        for color in [PictureColor.clear, PictureColor(9, 9, 9, alpha: 1), .white] {
            #expect(color.blended(over: PictureColor(10, 20, 30, alpha: 7)).alpha == 255, "what is composed is opaque")
        }
    }

    @Test("The grid preserves the aspect ratio and fits the area")
    func shapes() {
        let renderer = PictureRenderer()
        for (width, height) in [(1, 1), (1000, 10), (10, 1000), (640, 480), (3, 2)] {
            for columns in [0, 1, 2, 7, 40, 80] {
                for rows in [0, 1, 3, 24] {
                    let picture = Picture(width: width, height: height, filledWith: .white)
                    let cells = renderer.render(picture, columns: columns, rows: rows)
                    #expect(cells.columns <= columns && cells.rows <= rows)
                    #expect((cells.columns == 0) == (columns == 0 || rows == 0))
                    #expect(cells.cells.count == cells.columns * cells.rows)
                }
            }
        }
        let grid = renderer.cells(for: PixelSize(width: 1200, height: 900), columns: 80, rows: 24)
        #expect(grid.columns == 64 && grid.rows == 24)
        #expect(renderer.cells(for: PixelSize(width: 1200, height: 900), columns: 64, rows: .max) == grid)
        #expect(renderer.cells(for: PixelSize(width: 1200, height: 900), columns: .max, rows: 24) == grid)
        #expect(renderer.pixelSize(columns: 80, rows: .max).width == 160)
        let small = PictureRenderer(enlarges: false).cells(for: PixelSize(width: 6, height: 5), columns: 80, rows: 24)
        #expect(small.columns == 6 && small.rows == 3)
    }

    @Test("A colour is set only where it changes")
    func fewSequences() throws {
        let plain = Picture(width: 30, height: 20, filledWith: PictureColor(1, 2, 3))
        let text = PictureRenderer().text(plain, columns: 30, rows: 10)
        let drawn = try ANSIPicture(text)
        #expect(drawn.sequenceCount == 20)
        #expect(text.split(separator: "\n").allSatisfy { $0.hasSuffix("\u{1B}[0m") })
        // A blank does not show its own colour.
        let (red, green) = (PictureColor(255, 0, 0), PictureColor(0, 255, 0))
        let cells = PictureCells(columns: 3, rows: 1) { column, _ in
            column == 1 ? PictureCell(" ", foreground: green) : PictureCell("a", foreground: red)
        }
        #expect(cells.ansiText(depth: .trueColor) == "\u{1B}[38;2;255;0;0ma a\u{1B}[0m\n")
    }
}
