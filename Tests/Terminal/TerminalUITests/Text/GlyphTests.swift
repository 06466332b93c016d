import TerminalTesting
import TestSupport
import Testing
import TextEscaping

@testable import TerminalUI

@Suite("Sanitising")
struct GlyphTests {
    /// Scalars that a cell must never contain: those that messages escape too.
    private func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: scalar.isControl
        }
    }

    @Test("No Unicode scalar writes a control character, alone or after a letter")
    func everyScalar() {
        for value in allScalars {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let alone = Character(scalar)
            let joined = value < 0x300 || !scalar.properties.isGraphemeExtend ? nil : Character("a\(scalar)")
            for character in [alone, joined].compactMap(\.self) {
                if Glyph(character).text.unicodeScalars.contains(where: isDangerous) {
                    Issue.record("U+\(String(value, radix: 16)) reaches the terminal")
                    return
                }
            }
        }
    }

    @Test("Control characters are shown as their control pictures")
    func pictures() {
        for control in UInt8(0)..<32 {
            #expect(
                Glyph(Character(UnicodeScalar(control))).text.unicodeScalars.first?.value == 0x2400 + UInt32(control)
            )
        }
        #expect(Glyph("\u{1B}").text == "\u{241B}")
        #expect(Glyph("\u{7F}").text == "\u{2421}")
        #expect(Glyph("\u{9B}").text == "\u{FFFD}")
        #expect(Glyph("\u{202E}").text == "\u{FFFD}")
        #expect(Glyph("\r\n").text == "\u{2424}")
        #expect(Glyph("\r\n").width == 1)
    }

    @Test("A mark without a base is given one, and the number of marks is limited")
    func marks() {
        #expect(Glyph("\u{301}").text == "\u{A0}\u{301}")
        #expect(Glyph("\u{301}").width == 1)
        #expect(Glyph("\u{1161}").text == "\u{115F}\u{1161}")
        #expect(Glyph("\u{11A8}").width == 2)
        let pile = Character("e" + String(repeating: "\u{301}", count: 5000))
        #expect(Glyph(pile).text.unicodeScalars.count <= Glyph.scalarLimit)
        #expect(Glyph(pile).width == 1)
    }

    @Test("A cluster does not end in a joiner that would join the next cell")
    func joiners() {
        #expect(Glyph("👩\u{200D}").text == "👩")
        #expect(Glyph("\u{200D}").width == 0)
    }

    @Test("A frame contains no control sequences except for the renderer's, whatever is drawn")
    func hostileText() {
        let hostile = "\u{1B}[2J\u{1B}]0;title\u{7}\u{9B}31m\u{90}q\u{9C}\u{8}\u{D}\u{A}\u{E}\u{7F}\u{202E}end"
        var buffer = ScreenBuffer(size: GridSize(width: 60, height: 2))
        buffer.put(hostile, x: 0, y: 0, style: .plain)
        var renderer = ScreenRenderer(depth: .trueColor)
        let bytes = renderer.render(buffer, caret: nil)
        var emulator = TerminalEmulator(size: buffer.size)
        emulator.feed(bytes)
        #expect(emulator.screen == buffer)
        #expect(emulator.unknown.isEmpty)
        #expect(buffer.line(0).hasPrefix("␛[2J␛]0;title␇\u{FFFD}31m"))
    }
}
