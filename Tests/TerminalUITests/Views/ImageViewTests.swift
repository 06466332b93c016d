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
        let root = ViewController()
        root.view.addSubview(view)
        view.ndl.makeConstraints { $0.edges.equalTo(root.view) }
        let app = TestApplication(root: root, size: Size(width: 2, height: 1))
        await app.settle()
        #expect(app.text == "▀▀")
        #expect(app.screen[0, 0].style == Style(foreground: .rgb(255, 0, 0), background: .rgb(0, 0, 255)))
        #expect(app.screen[1, 0].style == Style(foreground: .rgb(0, 255, 0), background: .rgb(255, 255, 0)))
    }

    @Test("Without colours a picture is drawn in characters; without a picture its label is shown")
    func fallback() async throws {
        let view = ImageView(Picture(width: 8, height: 8, filledWith: .white))
        view.accessibilityLabel = "a dog"
        let root = ViewController()
        root.view.addSubview(view)
        view.ndl.makeConstraints { $0.edges.equalTo(root.view) }
        let app = TestApplication(root: root, size: Size(width: 8, height: 4), depth: .none)
        await app.settle()
        #expect(app.text.contains("@@"))
        view.picture = nil
        await app.settle()
        #expect(app.text.contains("a dog"))
    }
}
