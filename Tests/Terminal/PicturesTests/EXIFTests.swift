import Pictures
import Testing

@Suite("EXIF orientation")
struct EXIFTests {
    @Test("A JPEG is upright for every orientation and byte order", arguments: 1...8, [false, true])
    func jpeg(orientation: Int, isLittle: Bool) throws {
        let stored = TestPictures.quarters(64, 32)
        var bytes = EXIFFixture.jpeg(try PictureEncoder().jpeg(stored), orientation: orientation, isLittle: isLittle)
        // A segment of the same kind with other metadata may come first.
        if isLittle { bytes.insert(contentsOf: [0xFF, 0xE1, 0, 6] + Array("XMP\0".utf8), at: 2) }
        let upright = stored.oriented(try #require(PictureOrientation(rawValue: orientation)))
        for box in [nil, PixelSize(width: 20, height: 20)] {
            let decoded = try PictureDecoder().decode(bytes, fitting: box)
            #expect(decoded.originalSize == upright.size)
            let (right, bottom) = (decoded.picture.width - 1, decoded.picture.height - 1)
            for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let shown = decoded.picture[x * right, y * bottom]
                let wanted = upright[x * (upright.width - 1), y * (upright.height - 1)]
                #expect(shown.difference(from: wanted) <= 6)
            }
            if box != nil { #expect(max(decoded.picture.width, decoded.picture.height) == 20) }
        }
    }

    @Test("A truncated JPEG names the rows of its own size, unless they are not the last", arguments: 1...8)
    func truncated(orientation: Int) throws {
        let jpeg = try PictureEncoder().jpeg(TestPictures.gradient(600, 400))
        let bytes = EXIFFixture.jpeg(jpeg, orientation: orientation).dropLast(jpeg.count / 2)
        let whole = try PictureDecoder().decode(bytes)
        let height = whole.originalSize.height
        var known = height
        if orientation <= 2 { known = try #require((1..<height).first { whole.picture[300, $0].alpha == 0 }) }
        #expect(whole.warnings == [.truncated(knownRows: known, rows: height)])
        let small = try PictureDecoder().decode(bytes, fitting: PixelSize(width: 80, height: 48))
        #expect(small.warnings == whole.warnings)
    }

    @Test("A PNG's eXIf chunk is applied")
    func png() throws {
        var png = RawPNG(width: 2, height: 1, colorType: 0, bitDepth: 8) { x, _ in [x * 200] }
        png.extraChunks = [("eXIf", EXIFFixture.tiff(orientation: 6, isLittle: true))]
        let picture = try PictureDecoder().decode(png.encoded()).picture
        #expect(picture.size == PixelSize(width: 1, height: 2))
        #expect(picture[0, 0] == .black && picture[0, 1] == PictureColor(200, 200, 200))
    }

    @Test("Malformed EXIF data means upright")
    func broken() throws {
        let jpeg = try PictureEncoder().jpeg(TestPictures.quarters(16, 8))
        let sound = EXIFFixture.jpeg(jpeg, orientation: 6)
        #expect(try PictureDecoder().decode(sound).picture.size == PixelSize(width: 8, height: 16))
        for orientation in [0, 9, 65_535] {
            let bytes = EXIFFixture.jpeg(jpeg, orientation: orientation)
            #expect(try PictureDecoder().decode(bytes).picture.size == PixelSize(width: 16, height: 8))
        }
        // The byte order, the number 42 and the directory's offset.
        for offset in 12..<20 {
            var bytes = sound
            bytes[offset] ^= 0xFF
            #expect(try PictureDecoder().decode(bytes).picture.size == PixelSize(width: 16, height: 8), "at \(offset)")
        }
        // The type of the orientation (a number of 16 bits) and its count.
        for (offset, value) in [(37, 4), (37, 2), (41, 2), (41, 0)] as [(Int, UInt8)] {
            var bytes = sound
            bytes[offset] = value
            #expect(try PictureDecoder().decode(bytes).picture.size == PixelSize(width: 16, height: 8), "at \(offset)")
        }
    }
}
