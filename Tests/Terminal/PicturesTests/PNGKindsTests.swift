import Pictures
import Testing

@Suite("PNGs of all kinds")
struct PNGKindsTests {
    let decoder = PictureDecoder()

    struct Kind: CustomTestStringConvertible {
        var colorType: Int
        var bitDepth: Int
        var testDescription: String { "type \(colorType), \(bitDepth) bits" }
    }

    static let kinds: [Kind] = {
        let depths: [(colorType: Int, bits: [Int])] = [
            (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
        ]
        return depths.flatMap { type in type.bits.map { Kind(colorType: type.colorType, bitDepth: $0) } }
    }()

    /// A palette whose entry `i` is `(i, 255 - i, i / 2)`.
    static let palette: [UInt8] = (0...UInt8.max).flatMap { (index: UInt8) -> [UInt8] in
        [index, 255 - index, index / 2]
    }

    static func png(_ kind: Kind, width: Int, height: Int, isInterlaced: Bool) -> RawPNG {
        let most = (1 << kind.bitDepth) - 1
        var png = RawPNG(
            width: width,
            height: height,
            colorType: kind.colorType,
            bitDepth: kind.bitDepth,
            isInterlaced: isInterlaced
        ) { x, y in
            let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind.colorType] ?? 1
            return (0..<samples).map { (x * 7 + y * 13 + $0 * 29) * (most > 255 ? 257 : 1) & most }
        }
        if kind.colorType == 3 { png.extraChunks.append(("PLTE", Array(palette.prefix(3 << kind.bitDepth)))) }
        return png
    }

    /// The colour of the samples by the PNG specification.
    static func expected(_ kind: Kind, _ samples: [Int]) -> PictureColor {
        let most = (1 << kind.bitDepth) - 1
        let values = samples.map { UInt8((Double($0) * 255 / Double(most)).rounded()) }
        switch kind.colorType {
        case 0: return PictureColor(values[0], values[0], values[0])
        case 2: return PictureColor(values[0], values[1], values[2])
        case 3:
            let index = samples[0] * 3
            return PictureColor(palette[index], palette[index + 1], palette[index + 2])
        case 4: return PictureColor(values[0], values[0], values[0], alpha: values[1])
        default: return PictureColor(values[0], values[1], values[2], alpha: values[3])
        }
    }

    @Test("Every pixel has the value of its samples", arguments: kinds, [false, true])
    func everyPixel(kind: Kind, isInterlaced: Bool) throws {
        for (width, height) in [(1, 1), (3, 2), (13, 11), (5, 1), (1, 6)] {
            let png = Self.png(kind, width: width, height: height, isInterlaced: isInterlaced)
            let decoded = try decoder.decode(png.encoded())
            #expect(decoded.warnings.isEmpty)
            #expect(decoded.picture.size == PixelSize(width: width, height: height))
            for y in 0..<height {
                for x in 0..<width {
                    #expect(decoded.picture[x, y] == Self.expected(kind, png.samples(x, y)), "at \(x), \(y)")
                }
            }
        }
    }

    @Test("Reducing a picture while decoding equals averaging its pixels", arguments: [false, true])
    func reduced(isInterlaced: Bool) throws {
        for kind in [Kind(colorType: 6, bitDepth: 8), Kind(colorType: 0, bitDepth: 1), Kind(colorType: 3, bitDepth: 4)]
        {
            let bytes = Self.png(kind, width: 60, height: 36, isInterlaced: isInterlaced).encoded()
            let whole = try decoder.decode(bytes).picture
            let small = try decoder.decode(bytes, fitting: PixelSize(width: 10, height: 6)).picture
            #expect(small.difference(from: whole.scaled(to: PixelSize(width: 10, height: 6))) <= 1)
        }
    }

    @Test("Reducing a picture by any factor takes no more memory than decoding it whole", arguments: [false, true])
    func memoryOfReducing(isInterlaced: Bool) throws {
        let grey = Kind(colorType: 0, bitDepth: 8)
        let bytes = Self.png(grey, width: 60, height: 60, isInterlaced: isInterlaced).encoded()
        let strict = PictureDecoder(limits: PictureLimits(memory: 60 * 20 + 60 * 60 * 4))
        let whole = try strict.decode(bytes).picture
        for side in 1...60 {
            let size = PixelSize(width: side, height: side)
            let small = try strict.decode(bytes, fitting: size).picture
            if 60 % side == 0 { #expect(small.difference(from: whole.scaled(to: size)) <= 1, "\(size)") }
        }
    }

    @Test("A transparent colour of a palette is transparent")
    func paletteTransparency() throws {
        var png = Self.png(Kind(colorType: 3, bitDepth: 2), width: 4, height: 1, isInterlaced: false)
        png.samples = { x, _ in [x] }
        png.extraChunks.append(("tRNS", [255, 0, 100]))
        let picture = try decoder.decode(png.encoded()).picture
        #expect((0..<4).map { picture[$0, 0].alpha } == [255, 0, 100, 255])
    }

    @Test("An index outside of the palette is black")
    func paletteOutOfRange() throws {
        for entries in 1...2 {
            for isInterlaced in [false, true] {
                var png = RawPNG(width: 9, height: 9, colorType: 3, bitDepth: 8, isInterlaced: isInterlaced) { x, y in
                    [(x + y) % 2 == 0 ? 0 : 255]
                }
                png.extraChunks = [("PLTE", Array(Self.palette.prefix(3 * entries)))]
                let picture = try decoder.decode(png.encoded()).picture
                #expect(picture[0, 0] == PictureColor(0, 255, 0))
                #expect(picture[1, 0] == .black)
            }
        }
        let missing = RawPNG(width: 3, height: 3, colorType: 3, bitDepth: 8) { _, _ in [0] }
        #expect(throws: PictureError.self) { try decoder.decode(missing.encoded()) }
    }

    @Test("A chunk that does not change the pixels is not a reason for a warning, and one that may change them is")
    func chunksBesidePixels() throws {
        for (name, payload, isHarmless) in [
            ("pHYs", [1, 2], true), ("bKGD", [1], true), ("abCd", [1], true), ("gAMA", [1], false),
            ("tRNS", [1], false),
        ] as [(String, [UInt8], Bool)] {
            let broken = RawPNG.chunk(name, payload)
            for chunk in [broken, broken.dropLast() + [broken[broken.count - 1] ^ 1]] {
                let sound = RawPNG(width: 2, height: 2, colorType: 2, bitDepth: 8) { _, _ in [1, 2, 3] }.encoded()
                let decoded = try decoder.decode(Array(sound[..<33]) + chunk + sound[33...])
                #expect(decoded.warnings.isEmpty == isHarmless, "\(name): \(decoded.warnings)")
                #expect(decoded.picture[1, 1] == PictureColor(1, 2, 3))
            }
        }
    }

    @Test("A truncated file shows its complete rows, with a warning")
    func partial() throws {
        let picture = TestPictures.gradient(40, 60)
        let bytes = RawPNG(width: 40, height: 60, colorType: 2, bitDepth: 8) { x, y in
            [Int(picture[x, y].red), Int(picture[x, y].green), Int(picture[x, y].blue)]
        }.encoded()
        let decoded = try decoder.decode(bytes.prefix(bytes.count / 2))
        guard case .truncated(let known, let rows)? = decoded.warnings.first else {
            Issue.record("no warning: \(decoded.warnings)")
            return
        }
        #expect(rows == 60 && known > 20 && known < 40)
        #expect(decoded.picture[20, known - 1] == picture[20, known - 1])
        #expect(decoded.picture[20, known].alpha == 0)
    }

    @Test("The colours of a file with another gamma are converted to sRGB")
    func gamma() throws {
        var png = RawPNG(width: 1, height: 1, colorType: 0, bitDepth: 8) { _, _ in [55] }
        png.extraChunks = [("gAMA", RawPNG.bigEndian(100_000))]
        // Linear 55 / 255 is about 128 in sRGB.
        let color = try decoder.decode(png.encoded()).picture[0, 0]
        #expect(abs(Int(color.red) - 128) <= 2)
    }
}
