import Pictures
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Colour depths")
struct ColorTests {
    @Test("The screen and pictures reduce a colour to the same entry of the palette")
    func sameAsPictures() {
        for red in stride(from: 0, to: 256, by: 15) {
            for green in stride(from: 0, to: 256, by: 15) {
                for blue in stride(from: 0, to: 256, by: 51) {
                    let color = Color.rgb(UInt8(red), UInt8(green), UInt8(blue))
                    let picture = PictureColor(UInt8(red), UInt8(green), UInt8(blue))
                    #expect(color.lowered(to: .indexed256) == .palette(XtermPalette.nearest256(to: picture)))
                    #expect(color.lowered(to: .indexed16) == .palette(XtermPalette.nearest16(to: picture)))
                }
            }
        }
    }

    @Test("16 colours preserve the hue; without colours only attributes remain")
    func low() {
        #expect(Color.rgb(250, 10, 5).lowered(to: .indexed16) == .palette(9))
        #expect(Color.rgb(0, 0, 0).lowered(to: .indexed16) == .palette(0))
        #expect(Color.palette(231).lowered(to: .indexed16) == .palette(15))
        #expect(Color.palette(3).lowered(to: .indexed16) == .palette(3))
        let style = TextStyle(foreground: .red, background: .rgb(1, 2, 3), attributes: [.bold])
        #expect(style.lowered(to: .none) == TextStyle(attributes: [.bold]))
        #expect(style.lowered(to: .trueColor) == style)
    }
}
