import Pictures
import TestSupport
import Testing

@Suite("Decoding")
struct PictureDecoderTests {
    let decoder = PictureDecoder()
    let encoder = PictureEncoder()

    @Test("The first example decodes and draws")
    func firstExample() throws {
        let bytes = try encoder.jpeg(TestPictures.quarters(400, 240))

        let renderer = PictureRenderer(depth: .trueColor)
        let box = renderer.pixelSize(columns: 40, rows: 12)
        let decoded = try PictureDecoder().decode(bytes, fitting: box)
        let text = renderer.text(decoded.picture, columns: 40, rows: 12)

        #expect(decoded.originalSize == PixelSize(width: 400, height: 240))
        #expect(try ANSIPicture(text).lines.map(\.count) == Array(repeating: 40, count: 12))
    }

    @Test("JPEGs of all kinds decode to their colours", arguments: [false, true])
    func jpegKinds(isProgressive: Bool) throws {
        let picture = TestPictures.quarters(64, 48)
        for colors in [PictureEncoder.JPEGColors.color, .cmyk] {
            let bytes = try encoder.jpeg(picture, quality: 95, colors: colors, isProgressive: isProgressive)
            let decoded = try decoder.decode(bytes)
            #expect(decoded.format == .jpeg)
            #expect(decoded.warnings.isEmpty)
            for (x, y) in [(8, 8), (55, 8), (8, 40), (55, 40)] {
                #expect(decoded.picture[x, y].difference(from: picture[x, y]) <= 6, "\(colors) at \(x), \(y)")
            }
        }
    }

    @Test("A grey JPEG decodes to grey")
    func greyJPEG() throws {
        let bytes = try encoder.jpeg(TestPictures.gradient(32, 32), quality: 95, colors: .grey)
        let picture = try decoder.decode(bytes).picture
        for index in stride(from: 0, to: picture.pixels.count, by: 4) {
            #expect(picture.pixels[index] == picture.pixels[index + 1])
            #expect(picture.pixels[index] == picture.pixels[index + 2])
        }
        #expect(picture[31, 31].red > 240 && picture[0, 0].red < 15)
    }

    @Test("A JPEG of an unknown colour space is of an unsupported kind")
    func unknownColorSpace() throws {
        var jpeg = try encoder.jpeg(TestPictures.gradient(16, 16), colors: .grey)
        let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        // A second component: the length of the segment, the number of components, and the component.
        jpeg[frame + 3] += 3
        jpeg[frame + 9] = 2
        jpeg.insert(contentsOf: [2, 0x11, 0], at: frame + 13)
        let error = PictureError.unsupported(.jpeg, reason: "2 components of an unknown colour space")
        #expect(throws: error) { try decoder.decode(jpeg) }
    }

    @Test(
        "A picture fits the box, preserves its aspect ratio and is never enlarged",
        arguments: [
            (PixelSize(width: 80, height: 48), PixelSize(width: 64, height: 48)),
            (PixelSize(width: 60, height: 60), PixelSize(width: 60, height: 45)),
            (PixelSize(width: 1200, height: 900), PixelSize(width: 1200, height: 900)),
            (PixelSize(width: 4000, height: 4000), PixelSize(width: 1200, height: 900)),
            (PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
        ]
    )
    func fitting(box: PixelSize, expected: PixelSize) throws {
        let picture = TestPictures.quarters(1200, 900)
        for bytes in [try encoder.jpeg(picture), try encoder.png(picture)] {
            let decoded = try decoder.decode(bytes, fitting: box)
            #expect(decoded.picture.size == expected)
            #expect(decoded.originalSize == PixelSize(width: 1200, height: 900))
            guard expected.width > 1 else { continue }
            let (right, bottom) = (expected.width - 1, expected.height - 1)
            for (x, y) in [(0, 0), (right, 0), (0, bottom), (right, bottom)] {
                let color = TestPictures.quarter(x == 0, y == 0)
                #expect(decoded.picture[x, y].difference(from: color) <= 6)
            }
        }
    }

    @Test("A PNG decodes to exactly the encoded pixels, with and without alpha")
    func pngRoundTrip() throws {
        var picture = TestPictures.gradient(37, 23)
        #expect(try decoder.decode(encoder.png(picture)).picture == picture)
        picture[3, 4] = PictureColor(10, 20, 30, alpha: 40)
        picture[5, 5] = PictureColor(10, 20, 30, alpha: 0)
        #expect(try decoder.decode(encoder.png(picture)).picture == picture)
    }

    @Test("Formats are detected from their bytes")
    func sniffing() throws {
        #expect(PictureFormat(sniffing: try encoder.png(TestPictures.quarters(2, 2))) == .png)
        #expect(PictureFormat(sniffing: try encoder.jpeg(TestPictures.quarters(2, 2))) == .jpeg)
        #expect(PictureFormat(sniffing: RawGIF(width: 1, height: 1) { _, _ in 0 }.encoded()) == .gif)
        #expect(PictureFormat(sniffing: Array("GIF88a".utf8)) == nil)
        #expect(PictureFormat(sniffing: []) == nil)
    }

    @Test("Empty data, a web page, JSON and unknown bytes are different errors")
    func notPictures() {
        #expect(throws: PictureError.empty) { try decoder.decode([]) }
        for page in ["<!DOCTYPE html><title>404</title>", "\n\t <html>", "\u{FEFF}<?xml version=\"1.0\"?>"] {
            #expect(throws: PictureError.markup) { try decoder.decode(Array(page.utf8)) }
        }
        #expect(throws: PictureError.unknownFormat(firstBytes: Array("{\"message\":\"nope".utf8))) {
            try decoder.decode(Array("{\"message\":\"nope\"}".utf8))
        }
        #expect(throws: PictureError.unknownFormat(firstBytes: [0])) { try decoder.decode([0]) }
        #expect(PictureError.markup.description.contains("web page"))
        #expect(PictureError.unknownFormat(firstBytes: [0, 171]).description.contains("00 ab"))
    }

    @Test("More bytes than allowed are refused without decoding")
    func byteLimit() throws {
        let bytes = try encoder.png(TestPictures.quarters(8, 8))
        let decoder = PictureDecoder(limits: PictureLimits(bytes: bytes.count - 1))
        #expect(throws: PictureError.tooManyBytes(count: bytes.count, limit: bytes.count - 1)) {
            try decoder.decode(bytes)
        }
    }
}
