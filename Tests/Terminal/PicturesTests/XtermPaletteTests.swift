import Pictures
import TestSupport
import Testing

@Suite("The palette of terminals")
struct XtermPaletteTests {
    @Test("Every palette colour is its own nearest")
    func ownNearest() {
        for index in 16...255 {
            let color = XtermPalette.colors[index]
            #expect(XtermPalette.colors[Int(XtermPalette.nearest256(to: color))] == color)
        }
        for index in 0...15 {
            #expect(XtermPalette.nearest16(to: XtermPalette.colors[index]) == UInt8(index))
        }
    }

    @Test("Every palette colour has the parameters that terminals read")
    func sequences() throws {
        for index in 0...255 {
            let color = TerminalColor.indexed(UInt8(index))
            let text =
                "\u{1B}[\(color.parameters(isBackground: false))m\u{1B}[\(color.parameters(isBackground: true))mx"
            let cell = try #require(try ANSIPicture(text).lines.first?.first)
            let expected = XtermPalette.colors[index]
            let wanted = ANSIPicture.Color(Int(expected.red), Int(expected.green), Int(expected.blue))
            #expect(cell.foreground == wanted && cell.background == wanted)
        }
        #expect(TerminalColor.rgb(1, 2, 3).parameters(isBackground: true) == "48;2;1;2;3")
    }

    @Test("The nearest colour is perceptual: a dark red stays red, a pale blue stays blue")
    func perceived() {
        #expect(XtermPalette.nearest16(to: PictureColor(190, 20, 20)) == 1)
        #expect(XtermPalette.nearest16(to: PictureColor(250, 250, 245)) == 15)
        #expect(XtermPalette.nearest16(to: PictureColor(120, 120, 125)) == 8)
        #expect(XtermPalette.nearest256(to: PictureColor(128, 128, 128)) == 244)
        #expect(XtermPalette.nearest256(to: PictureColor(0, 0, 0)) == 16)
        #expect(PictureColorDepth.none.nearest(to: .white) == nil)
        #expect(PictureColorDepth.trueColor.nearest(to: PictureColor(1, 2, 3)) == .rgb(1, 2, 3))
    }
}
