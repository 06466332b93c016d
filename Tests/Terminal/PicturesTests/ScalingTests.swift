import TestSupport
import Testing

@testable import Pictures

@Suite("Scaling and rotating")
struct ScalingTests {
    @Test("A picture of one colour has that colour at every size")
    func plain() {
        for value in stride(from: 0, through: 255, by: 5) {
            let color = PictureColor(UInt8(value), UInt8(255 - value), 7, alpha: 255)
            let picture = Picture(width: 7, height: 5, filledWith: color)
            for (width, height) in [(1, 1), (3, 2), (7, 1), (11, 13)] {
                let scaled = picture.scaled(to: PixelSize(width: width, height: height))
                #expect(scaled == Picture(width: width, height: height, filledWith: color))
            }
        }
    }

    @Test("Black and white average to the grey of half the light, not half the value")
    func linearLight() {
        var picture = Picture(width: 2, height: 1, filledWith: .black)
        picture[1, 0] = .white
        let grey = picture.scaled(to: PixelSize(width: 1, height: 1))[0, 0]
        #expect(grey == PictureColor(188, 188, 188))
    }

    @Test("Transparent pixels do not contribute to the average")
    func alphaWeights() {
        var picture = Picture(width: 2, height: 1, filledWith: PictureColor(200, 100, 50))
        picture[1, 0] = PictureColor(0, 255, 0, alpha: 0)
        #expect(picture.scaled(to: PixelSize(width: 1, height: 1))[0, 0] == PictureColor(200, 100, 50, alpha: 128))
        for alpha in UInt8.min ... .max {
            let color = PictureColor(200, 100, 50, alpha: alpha)
            let scaled = Picture(width: 3, height: 2, filledWith: color).scaled(to: PixelSize(width: 1, height: 1))
            #expect(scaled[0, 0] == (alpha == 0 ? PictureColor(0, 0, 0, alpha: 0) : color))
            let flat = Picture(width: 1, height: 1, filledWith: color).flattened(over: .white)
            #expect(flat.isOpaque && flat[0, 0] == color.blended(over: .white))
        }
    }

    @Test("A size fits into a box with its shape: one side is the box's, unless it may stay smaller")
    func fits() {
        let sides = 0..<7
        for (width, height) in sides.flatMap({ width in sides.map { (width, $0) } }) {
            for (across, down) in sides.flatMap({ width in sides.map { (width, $0) } }) {
                let (size, box) = (PixelSize(width: width, height: height), PixelSize(width: across, height: down))
                let isEmpty = [width, height, across, down].contains(0)
                let scale = isEmpty ? 0 : min(Double(across) / Double(width), Double(down) / Double(height))
                func side(_ length: Int) -> Int { isEmpty ? 0 : max(1, Int((Double(length) * scale).rounded())) }
                let largest = PixelSize(width: side(width), height: side(height))
                #expect(size.fitted(into: box, enlarges: true) == largest)
                #expect(size.fitted(into: box, enlarges: false) == (scale >= 1 ? size : largest))
            }
        }
    }

    @Test("A part of a picture has the pixels at its place, up to the edge, and at least one")
    func crops() {
        let picture = Picture(width: 3, height: 2) { x, y in PictureColor(UInt8(x), UInt8(y), 9) }
        for (x, y) in (-1...4).flatMap({ x in (-1...3).map { (x, $0) } }) {
            for (width, height) in (0...4).flatMap({ width in (0...4).map { (width, $0) } }) {
                let part = picture.cropped(to: PixelRect(x: x, y: y, width: width, height: height))
                let (left, top) = (min(max(x, 0), 2), min(max(y, 0), 1))
                let size = PixelSize(width: min(max(width, 1), 3 - left), height: min(max(height, 1), 2 - top))
                #expect(part.size == size && part[0, 0] == picture[left, top])
                #expect(part[size.width - 1, size.height - 1] == picture[left + size.width - 1, top + size.height - 1])
            }
        }
    }

    @Test("Scaling preserves the average of a picture")
    func meanIsKept() {
        var generator = SeededGenerator(seed: 7)
        let picture = Picture(width: 31, height: 17) { _, _ in .random(using: &generator) }
        let mean = picture.scaled(to: PixelSize(width: 1, height: 1))[0, 0]
        for _ in 0..<30 {
            let size = PixelSize(
                width: .random(in: 1...60, using: &generator),
                height: .random(in: 1...60, using: &generator)
            )
            let again = picture.scaled(to: size).scaled(to: PixelSize(width: 1, height: 1))[0, 0]
            #expect(again.difference(from: mean) <= 1, "seed \(generator.seed), size \(size)")
        }
    }

    @Test("Each orientation moves the corners as EXIF defines", arguments: PictureOrientation.allCases)
    func orientations(orientation: PictureOrientation) {
        // The stored corners, clockwise from the top left: 1, 2, 3, 4.
        var picture = Picture(width: 3, height: 2, filledWith: .black)
        for (value, corner) in zip(1..., [(0, 0), (2, 0), (2, 1), (0, 1)]) {
            picture[corner.0, corner.1] = PictureColor(UInt8(value), 0, 0)
        }
        let turned = picture.oriented(orientation)
        let (right, bottom) = (turned.width - 1, turned.height - 1)
        let corners = [(0, 0), (right, 0), (right, bottom), (0, bottom)].map { Int(turned[$0.0, $0.1].red) }
        let expected: [PictureOrientation: [Int]] = [
            .upright: [1, 2, 3, 4], .mirrored: [2, 1, 4, 3], .halfTurn: [3, 4, 1, 2], .flipped: [4, 3, 2, 1],
            .transposed: [1, 4, 3, 2], .quarterClockwise: [4, 1, 2, 3], .transversed: [3, 2, 1, 4],
            .quarterAnticlockwise: [2, 3, 4, 1],
        ]
        #expect(corners == expected[orientation])
        #expect(turned.size == (orientation.swapsSides ? picture.size.transposed : picture.size))
    }
}

extension PictureColor {
    static func random(using generator: inout SeededGenerator) -> PictureColor {
        PictureColor(
            .random(in: 0...255, using: &generator),
            .random(in: 0...255, using: &generator),
            .random(in: 0...255, using: &generator)
        )
    }
}
