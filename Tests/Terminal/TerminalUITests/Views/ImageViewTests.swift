import NeedleKit
import Pictures
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Image views")
@MainActor
struct ImageViewTests {
    @Test("The half-blocks have the colours of the picture's pixels")
    func colors() async throws {
        var pixels: [UInt8] = []
        for color in [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]] as [[UInt8]] { pixels += color + [255] }
        let picture = try #require(Picture(width: 2, height: 2, pixels: pixels))
        let view = ImageView(picture)
        let app = await fill(view, width: 2, height: 1)
        #expect(app.text == "▀▀")
        #expect(app.screen[0, 0].style == TextStyle(foreground: .rgb(255, 0, 0), background: .rgb(0, 0, 255)))
        #expect(app.screen[1, 0].style == TextStyle(foreground: .rgb(0, 255, 0), background: .rgb(255, 255, 0)))
    }

    @Test("The view reports how many pixels it shows: of its cells, or of the terminal's graphics")
    func pixelSize() async throws {
        let view = ImageView()
        var sizes: [PixelSize] = []
        view.onPixelSizeChange = { sizes.append($0) }
        let app = await fill(view, width: 20, height: 10)
        let quadrants = PictureRenderer(style: .quadrants).pixelSize(columns: 20, rows: 10)
        #expect(sizes == [quadrants] && view.pixelSize == quadrants)
        app.application.window.preferredPictureStyle = .halfBlocks
        await app.settle()
        #expect(sizes.last == PictureRenderer().pixelSize(columns: 20, rows: 10))
        app.application.window.preferredGraphics = .kitty
        await app.settle()
        #expect(sizes.last == PixelSize(width: 200, height: 200))
        await app.resize(GridSize(width: 30, height: 10))
        #expect(sizes.last == PixelSize(width: 300, height: 200))
        #expect(sizes.count == 4)
    }

    @Test("With 24-bit colours a picture is drawn in quadrants, with 256 in half-blocks, or as chosen")
    func style() async throws {
        var picture = Picture(width: 80, height: 80, filledWith: .black)
        for y in 0..<80 { for x in 0..<80 where (x / 10).isMultiple(of: 2) { picture[x, y] = .white } }
        for (depth, columns) in [(ColorDepth.trueColor, "▌"), (.indexed256, "▀")] {
            let view = ImageView(picture)
            let app = await fill(view, width: 4, height: 2, depth: depth)
            #expect(app.text.hasPrefix(columns))
            app.application.window.preferredPictureStyle = .characters
            await app.settle()
            #expect(!app.text.contains("▌") && !app.text.contains("▀"))
        }
    }

    @Test("Without colours a picture is drawn in characters; without a picture its label is shown")
    func fallback() async throws {
        let view = ImageView(Picture(width: 8, height: 8, filledWith: .white))
        view.accessibilityLabel = "a dog"
        let app = await fill(view, width: 8, height: 4, depth: .none)
        #expect(app.text.contains("@@"))
        view.picture = nil
        await app.settle()
        #expect(app.text.contains("a dog"))
        // The size of cells that are set later is that of the view.
        let other = ImageView()
        let stack = await show(other, Label("below"), width: 8, height: 6)
        let picture = Picture(width: 8, height: 16, filledWith: .white)
        for rows in [3, 2] {
            other.cells = PictureRenderer().render(picture, columns: 8, rows: rows)
            await stack.settle()
            #expect(other.frame.height == rows && stack.screen.find("below")?.y == rows)
        }
    }
}
