import Pictures
import Testing

@Suite("Hostile pictures")
struct HostileInputTests {
    /// Small files of every kind that different code decodes.
    static func files() throws -> [(name: String, bytes: [UInt8])] {
        let picture = TestPictures.gradient(19, 21)
        var clear = picture
        clear[2, 2] = .clear
        let encoder = PictureEncoder()
        return [
            ("JPEG", try encoder.jpeg(picture)),
            ("progressive JPEG", try encoder.jpeg(picture, isProgressive: true)),
            ("CMYK JPEG", try encoder.jpeg(picture, colors: .cmyk)),
            ("grey JPEG", try encoder.jpeg(picture, colors: .grey)),
            ("turned JPEG", EXIFFixture.jpeg(try encoder.jpeg(picture), orientation: 6)),
            ("PNG", try encoder.png(picture)),
            ("PNG with alpha", try encoder.png(clear)),
            (
                "palette PNG",
                PNGKindsTests.png(.init(colorType: 3, bitDepth: 4), width: 9, height: 7, isInterlaced: false).encoded()
            ),
            (
                "interlaced PNG",
                PNGKindsTests.png(.init(colorType: 6, bitDepth: 16), width: 9, height: 7, isInterlaced: true).encoded()
            ),
            ("GIF", RawGIF(width: 13, height: 11) { x, y in UInt8((x + y) % 4) }.encoded()),
            (
                "interlaced GIF",
                RawGIF(width: 13, height: 11, transparentIndex: 2, isInterlaced: true) { x, _ in UInt8(x % 4) }
                    .encoded()
            ),
        ]
    }

    /// Limits at which even a damaged header costs little.
    let decoder = PictureDecoder(limits: PictureLimits(pixels: 100_000, memory: 8 << 20))

    @Test("A picture truncated anywhere is an error or a partial picture with a warning; a longer part shows no less")
    func everyTruncation() throws {
        for (name, bytes) in try Self.files() {
            let whole = try decoder.decode(bytes)
            #expect(whole.warnings.isEmpty, "\(name): \(whole.warnings)")
            let small = try decoder.decode(bytes, fitting: PixelSize(width: 8, height: 8)).picture
            var partial = 0
            var shown = 0
            for count in 0..<bytes.count {
                do throws(PictureError) {
                    let decoded = try decoder.decode(bytes.prefix(count), fitting: PixelSize(width: 8, height: 8))
                    partial += 1
                    #expect(decoded.originalSize == whole.originalSize, "\(name) at \(count)")
                    // The last bytes end the file and contain no pixels.
                    #expect(!decoded.warnings.isEmpty || decoded.picture == small, "\(name) at \(count)")
                    var known = Int.max
                    if case .truncated(let rows, _)? = decoded.warnings.first { known = rows }
                    #expect(known >= shown && decoded.warnings.count < 2, "\(name) at \(count): \(decoded.warnings)")
                    shown = known
                } catch {
                    #expect(shown == 0, "\(name) at \(count)")
                    #expect(count > 0 || error == .empty)
                    #expect(!error.description.isEmpty)
                }
            }
            #expect(partial > 0, "\(name)")
            // Without the end marker of a JPEG, or the last chunk of a PNG, every row is there.
            let ending = whole.format == .jpeg ? 2 : whole.format == .png ? 12 : 1
            #expect(try decoder.decode(bytes.dropLast(ending)) == whole, "\(name)")
        }
    }

    @Test("A picture with any byte changed is a typed error or a picture within the limits")
    func everyByteChanged() throws {
        for (name, bytes) in try Self.files() {
            for offset in bytes.indices {
                for change: UInt8 in [0x01, 0x80, 0xFF] {
                    var changed = bytes
                    changed[offset] ^= change
                    guard let decoded = try? decoder.decode(changed) else { continue }
                    let size = decoded.picture.size
                    #expect(size.width * size.height <= 100_000, "\(name) at \(offset)")
                    #expect(decoded.picture.pixels.count == size.width * size.height * 4)
                }
            }
        }
    }

    // Each has a separate process, so that the memory of other tests does not count.

    @Test("A header of 50,000 x 50,000 pixels is refused by its size, before memory is allocated")
    func hugeHeaders() async {
        await #expect(processExitsWith: .success) {
            let before = peakMemory()
            let png = RawPNG(width: 50_000, height: 50_000, colorType: 6, bitDepth: 8) { _, _ in [] }
            let header =
                RawPNG.signature + RawPNG.chunk("IHDR", png.header) + RawPNG.chunk("IDAT", RawPNG.stored([0, 1, 2]))
            #expect(throws: PictureError.tooLarge(width: 50_000, height: 50_000, limit: 64_000_000)) {
                try PictureDecoder().decode(header, fitting: PixelSize(width: 80, height: 40))
            }
            var jpeg = try PictureEncoder().jpeg(TestPictures.quarters(16, 16))
            let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
            jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xC3, 0x50, 0xC3, 0x50])
            #expect(throws: PictureError.tooLarge(width: 50_000, height: 50_000, limit: 64_000_000)) {
                try PictureDecoder().decode(jpeg, fitting: PixelSize(width: 80, height: 40))
            }
            let gif = RawGIF(width: 50_000, height: 50_000, frame: (0, 0, 1, 1)) { _, _ in 0 }.encoded()
            #expect(throws: PictureError.tooLarge(width: 50_000, height: 50_000, limit: 64_000_000)) {
                try PictureDecoder().decode(gif)
            }
            // The picture itself would take 10 GB.
            #expect(peakMemory() - before < 256 << 20)
        }
    }

    @Test("A GIF with a small canvas and a huge frame is refused before memory is allocated")
    func hugeFrame() async {
        await #expect(processExitsWith: .success) {
            var gif = RawGIF(width: 1, height: 1, frame: (0, 0, 1, 1)) { _, _ in 0 }.encoded()
            let descriptor = try #require(gif.firstIndex(of: 0x2C))
            gif.replaceSubrange(descriptor + 5..<descriptor + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
            let before = peakMemory()
            #expect(throws: PictureError.tooLarge(width: 65535, height: 65535, limit: 64_000_000)) {
                try PictureDecoder().decode(gif)
            }
            #expect(peakMemory() - before < 256 << 20)
            let strict = PictureDecoder(limits: PictureLimits(memory: 1 << 20))
            gif.replaceSubrange(descriptor + 5..<descriptor + 9, with: [0x58, 0x02, 0x58, 0x02])
            #expect(throws: PictureError.tooMuchMemory(needed: 1_800_000, limit: 1 << 20)) { try strict.decode(gif) }
        }
    }

    @Test("A row of more memory than allowed is refused before it is allocated")
    func memoryLimit() throws {
        let decoder = PictureDecoder(limits: PictureLimits(memory: 1 << 20))
        let png = RawPNG(width: 1_000_000, height: 1, colorType: 0, bitDepth: 1) { _, _ in [0] }.encoded()
        #expect(throws: PictureError.tooMuchMemory(needed: 24_000_000, limit: 1 << 20)) { try decoder.decode(png) }
        let jpeg = try PictureEncoder().jpeg(TestPictures.quarters(600, 600), isProgressive: true)
        #expect(throws: PictureError.self) { try decoder.decode(jpeg) }
        let gif = RawGIF(width: 600, height: 600, frame: (0, 0, 1, 1)) { _, _ in 0 }.encoded()
        for limit in [1 << 20, 1_799_999] {
            #expect(throws: PictureError.tooMuchMemory(needed: 1_800_000, limit: limit)) {
                try PictureDecoder(limits: PictureLimits(memory: limit)).decode(gif)
            }
        }
    }

    @Test("A size of zero is a specific error")
    func zeroSizes() throws {
        for (width, height) in [(0, 5), (5, 0), (0, 0)] {
            let png = RawPNG(width: width, height: height, colorType: 0, bitDepth: 8) { _, _ in [0] }.encoded()
            #expect(throws: PictureError.noPixels(.png)) { try decoder.decode(png) }
            let gif = RawGIF(width: width, height: height) { _, _ in 0 }.encoded()
            #expect(throws: PictureError.noPixels(.gif)) { try decoder.decode(gif) }
        }
        var jpeg = try PictureEncoder().jpeg(TestPictures.quarters(16, 16))
        let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0, 0, 0, 16])
        #expect(throws: PictureError.noPixels(.jpeg)) { try decoder.decode(jpeg) }
    }

    @Test("A JPEG of a thousand scans is refused quickly")
    func progressiveBomb() throws {
        let jpeg = try PictureEncoder().jpeg(TestPictures.gradient(256, 256), isProgressive: true)
        // The second scan, from its marker to the next, again and again.
        let scans = jpeg.indices.filter { $0 + 1 < jpeg.count && jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
        let tables = try #require(
            jpeg[scans[1]...].indices.dropFirst(2).first { jpeg[$0] == 0xFF && [0xC4, 0xDA].contains(jpeg[$0 + 1]) }
        )
        let scan = jpeg[scans[1]..<tables]
        var bomb = Array(jpeg[..<tables])
        for _ in 0..<1000 { bomb += scan }
        bomb += jpeg[tables...]
        let start = ContinuousClock.now
        #expect(throws: PictureError.tooManyScans(limit: 64)) { try PictureDecoder().decode(bomb) }
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(throws: Never.self) { try PictureDecoder(limits: PictureLimits(scans: 2000)).decode(bomb) }
    }

    @Test("Chunks with wrong lengths and contents cause no failure")
    func lyingChunks() throws {
        let png = PNGKindsTests.png(.init(colorType: 2, bitDepth: 8), width: 5, height: 5, isInterlaced: false)
        let sound = png.encoded()
        let afterHeader = 8 + 25
        let lies: [[UInt8]] = [
            RawPNG.chunk("zTXt", Array("a\0\0".utf8) + RawPNG.stored(Array(repeating: 65, count: 60_000))),
            RawPNG.chunk("iCCP", Array("a\0\0".utf8) + RawPNG.stored(Array(repeating: 0, count: 500))),
            RawPNG.chunk("eXIf", Array("MM\0*".utf8) + [0xFF, 0xFF, 0xFF, 0xFF]),
            RawPNG.chunk("eXIf", []), RawPNG.chunk("gAMA", [0, 0, 0, 0]),
            RawPNG.chunk("gAMA", [0xFF, 0xFF, 0xFF, 0xFF]),
            RawPNG.chunk("tRNS", Array(repeating: 1, count: 99)), RawPNG.chunk("PLTE", [1]),
            RawPNG.chunk("abCd", [1, 2]),
        ]
        for lie in lies {
            let bytes = Array(sound[..<afterHeader]) + lie + sound[afterHeader...]
            let decoded = try? decoder.decode(bytes)
            if let decoded {
                #expect(
                    decoded.picture[1, 1] == PNGKindsTests.expected(.init(colorType: 2, bitDepth: 8), png.samples(1, 1))
                )
            }
        }
        let endless = Array(sound[..<afterHeader]) + [0x7F, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8)
        #expect(throws: PictureError.self) { try decoder.decode(endless) }
    }
}
