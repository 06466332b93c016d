import Pictures
import Testing

@Suite("GIF")
struct GIFTests {
    let decoder = PictureDecoder()
    let palette = [PictureColor(255, 0, 0), PictureColor(0, 255, 0), PictureColor(0, 0, 255), .white]

    @Test("The first frame's pixels are the palette's colours", arguments: [false, true])
    func pixels(isInterlaced: Bool) throws {
        for (width, height) in [(1, 1), (7, 5), (40, 33)] {
            let gif = RawGIF(width: width, height: height, isInterlaced: isInterlaced) { x, y in UInt8((x * 3 + y) % 4)
            }
            let decoded = try decoder.decode(gif.encoded())
            #expect(decoded.format == .gif && decoded.warnings.isEmpty)
            for y in 0..<height {
                for x in 0..<width { #expect(decoded.picture[x, y] == palette[(x * 3 + y) % 4]) }
            }
        }
    }

    @Test("A file of another program with growing codes is decoded")
    func growingCodes() throws {
        // The format's well-known 10 x 10 sample: red and blue halves, exchanged in the lower part, white between.
        let bytes: [UInt8] = [
            0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x0A, 0x00, 0x0A, 0x00, 0x91, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0x00,
            0x00, 0x00, 0x00, 0xFF, 0x00, 0x00, 0x00, 0x21, 0xF9, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00,
            0x00, 0x00, 0x0A, 0x00, 0x0A, 0x00, 0x00, 0x02, 0x16, 0x8C, 0x2D, 0x99, 0x87, 0x2A, 0x1C, 0xDC, 0x33, 0xA0,
            0x02, 0x75, 0xEC, 0x95, 0xFA, 0xA8, 0xDE, 0x60, 0x8C, 0x04, 0x91, 0x4C, 0x01, 0x00, 0x3B,
        ]
        let decoded = try decoder.decode(bytes)
        let (red, blue, white) = (PictureColor(255, 0, 0), PictureColor(0, 0, 255), PictureColor.white)
        let outer = Array(repeating: red, count: 5) + Array(repeating: blue, count: 5)
        let inner =
            Array(repeating: red, count: 3) + Array(repeating: white, count: 4) + Array(repeating: blue, count: 3)
        let swapped =
            Array(repeating: blue, count: 3) + Array(repeating: white, count: 4) + Array(repeating: red, count: 3)
        let last = Array(repeating: blue, count: 5) + Array(repeating: red, count: 5)
        let rows = [outer, outer, outer, inner, inner, swapped, swapped, last, last, last]
        #expect(decoded.warnings.isEmpty)
        for y in 0..<10 { #expect((0..<10).map { decoded.picture[$0, y] } == rows[y], "row \(y)") }
    }

    @Test("A transparent colour is clear, and so are pixels outside of the frame")
    func transparency() throws {
        let gif = RawGIF(width: 6, height: 4, transparentIndex: 1, frame: (2, 1, 3, 2)) { x, _ in UInt8(x % 2) }
        let picture = try decoder.decode(gif.encoded()).picture
        #expect(picture.size == PixelSize(width: 6, height: 4))
        #expect(picture[0, 0].alpha == 0 && picture[3, 1].alpha == 0 && picture[5, 2].alpha == 0)
        #expect(picture[2, 1] == palette[0] && picture[4, 2] == palette[0])
        // The last block before the frame counts.
        var bytes = gif.encoded()
        let frame = try #require(bytes.firstIndex(of: 0x2C))
        bytes.insert(contentsOf: [0x21, 0xF9, 4, 0, 0, 0, 0, 0], at: frame)
        #expect(try decoder.decode(bytes).picture[3, 1] == palette[1])
    }

    @Test("A frame's own colours replace those of the file")
    func ownColors() throws {
        var bytes = RawGIF(width: 2, height: 1) { x, _ in UInt8(x) }.encoded()
        let frame = try #require(bytes.firstIndex(of: 0x2C))
        bytes[frame + 9] = 0x80
        bytes.insert(contentsOf: [1, 2, 3, 4, 5, 6], at: frame + 10)
        let picture = try decoder.decode(bytes).picture
        #expect(picture[0, 0] == PictureColor(1, 2, 3) && picture[1, 0] == PictureColor(4, 5, 6))
    }

    @Test("A truncated frame names its known rows; those of an interlaced one are spread over the whole picture")
    func knownRows() throws {
        for (isInterlaced, top, known) in [(false, 0, 0..<16), (true, 0, 16..<17), (false, 5, 6..<16)] {
            let frame = (0, top, 8, 16 - top)
            let whole = RawGIF(width: 8, height: 16, isInterlaced: isInterlaced, frame: frame) { x, y in
                UInt8((x + y) % 4)
            }.encoded()
            let decoded = try decoder.decode(Array(whole.prefix(whole.count - 40)))
            let rows = decoded.warnings.compactMap { warning -> (known: Int, rows: Int)? in
                if case .truncated(let known, let rows) = warning { (known, rows) } else { nil }
            }
            let found = try #require(rows.first)
            #expect(known.contains(found.known) && found.rows == 16, "\(found)")
        }
    }

    @Test("A frame without a pixel is an error")
    func noPixel() throws {
        var bytes = RawGIF(width: 2, height: 1, palette: [[1, 2, 3], [4, 5, 6]]) { _, _ in 3 }.encoded()
        // Two colours instead of four.
        bytes[10] = 0x80
        let strayIndex = PictureError.damaged(.gif, reason: "a colour is outside of the table")
        #expect(throws: strayIndex) { try decoder.decode(bytes) }
        let frame = try #require(bytes.firstIndex(of: 0x2C))
        // Codes of 3 bits: clear and end, or an entry of the empty table.
        for (codes, error) in [
            (0b101_100, PictureError.truncated(.gif)), (0b111, .damaged(.gif, reason: "a code is out of order")),
        ] as [(UInt8, PictureError)] {
            #expect(throws: error) { try decoder.decode(bytes[...(frame + 10)] + [1, codes, 0, 0x3B]) }
        }
    }

    @Test("A frame larger than the canvas is clipped")
    func clipped() throws {
        let gif = RawGIF(width: 3, height: 2, frame: (1, 1, 8, 8)) { _, _ in 2 }
        let picture = try decoder.decode(gif.encoded()).picture
        #expect(picture.size == PixelSize(width: 3, height: 2))
        #expect(picture[0, 0].alpha == 0 && picture[2, 1] == palette[2])
    }

    @Test("A colour outside of the table is clear, with a warning")
    func strayIndex() throws {
        let gif = RawGIF(width: 2, height: 1, palette: [[1, 2, 3], [4, 5, 6]]) { x, _ in UInt8(x * 3) }
        var bytes = gif.encoded()
        // Two colours instead of four.
        bytes[10] = 0x80
        let decoded = try decoder.decode(bytes)
        #expect(decoded.picture[0, 0] == PictureColor(1, 2, 3) && decoded.picture[1, 0].alpha == 0)
        #expect(decoded.warnings == [.damaged(reason: "a colour is outside of the table")])
    }
}
