import Foundation
import Pictures
import TestSupport
import Testing

@Suite("Graphics protocols")
struct GraphicsProtocolTests {
    @Test("The data sent to kitty decodes to the picture", arguments: [(1, 1), (3, 5), (70, 60)])
    func kitty(width: Int, height: Int) throws {
        // Noise, which PNG cannot compress.
        var generator = SeededGenerator(seed: 3)
        let picture = Picture(width: width, height: height) { _, y in
            y > 0 ? .random(using: &generator) : PictureColor(1, 2, 3, alpha: 4)
        }
        let text = try KittyGraphics().text(picture, columns: 12, rows: 4)
        #expect(text.hasSuffix("\u{1B}\\\n"))
        let pieces = text.dropLast().components(separatedBy: "\u{1B}\\").dropLast()
        var payload = ""
        for (position, piece) in pieces.enumerated() {
            try #require(piece.hasPrefix("\u{1B}_G"))
            let halves = piece.dropFirst(3).split(separator: ";", maxSplits: 1)
            let control = Set(halves[0].split(separator: ","))
            #expect(control.contains(position == pieces.count - 1 ? "m=0" : "m=1"))
            #expect(control.contains("q=2"))
            if position == 0 { #expect(control.isSuperset(of: ["a=T", "f=100", "c=12", "r=4"])) }
            #expect(halves[1].count <= 4096 && (position == pieces.count - 1 || halves[1].count == 4096))
            payload += halves[1]
        }
        let bytes = try #require(Data(base64Encoded: payload))
        #expect(try PictureDecoder().decode(bytes).picture == picture)
        if width == 70 { #expect(pieces.count > 1) }
    }

    @Test(
        "Without dithering, sixels paint the picture in the nearest colours",
        arguments: [(1, 1), (5, 7), (30, 18), (41, 20)]
    )
    func sixel(width: Int, height: Int) throws {
        let picture = TestPictures.gradient(width, height)
        var graphics = SixelGraphics()
        graphics.dithers = false
        let painted = try SixelPainter(graphics.text(picture))
        #expect(painted.size == PixelSize(width: width, height: height))
        for y in 0..<height {
            for x in 0..<width {
                let wanted = XtermPalette.colors[Int(XtermPalette.nearest256(to: picture[x, y]))]
                let shown = try #require(painted.pixels[y * width + x], "nothing at \(x), \(y)")
                // Sixel colours are in percent.
                #expect(shown.difference(from: wanted) <= 2)
            }
        }
    }

    @Test("Sixels of an area between two colours of the palette have its colour on average")
    func ditheredSixels() throws {
        let color = PictureColor(112, 155, 60)
        let painted = try SixelPainter(SixelGraphics().text(Picture(width: 60, height: 60, filledWith: color)))
        let pixels = painted.pixels.compactMap(\.self)
        #expect(pixels.count == 3600 && Set(pixels).count > 1)
        for (channel, wanted) in [(\PictureColor.red, 112.0), (\.green, 155), (\.blue, 60)] {
            let mean = pixels.reduce(0.0) { $0 + Double($1[keyPath: channel]) } / 3600
            #expect(abs(mean - wanted) < 6, "\(mean) instead of \(wanted)")
        }
    }

    @Test("A picture of one colour is a few sixels at any width")
    func plainSixels() {
        let text = SixelGraphics().text(Picture(width: 500, height: 6, filledWith: PictureColor(255, 0, 0)))
        #expect(text == "\u{1B}P0;1;0q\"1;1;500;6#196;2;100;0;0#196!500~$-\u{1B}\\\n")
    }

    @Test("The data sent to iTerm2 decodes to the picture, with its size in cells")
    func iterm() throws {
        var generator = SeededGenerator(seed: 5)
        let picture = Picture(width: 9, height: 7) { _, _ in .random(using: &generator) }
        let text = try ITermGraphics().text(picture, columns: 12, rows: 4)
        let head = try #require(text.split(separator: ":", maxSplits: 1).first)
        #expect(head.hasPrefix("\u{1B}]1337;File=inline=1;size="))
        #expect(head.contains(";width=12;height=4;preserveAspectRatio=1"))
        #expect(text.hasSuffix("\u{7}\n"))
        let payload = text.dropFirst(head.count + 1).dropLast(2)
        let bytes = try #require(Data(base64Encoded: String(payload)))
        #expect(head.contains("size=\(bytes.count);"))
        #expect(try PictureDecoder().decode(bytes).picture == picture)
    }
}
