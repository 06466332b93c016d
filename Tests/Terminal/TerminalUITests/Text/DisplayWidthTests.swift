import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

/// Every scalar of the planes in use, and every 17th of the others; all scalars in a long run.
let allScalars: [UInt32] = {
    if isLongRun { return Array(0...0x10FFFF) }
    return Array(0..<0x4_0000) + Array(0xE_0000..<0xE_1000) + Array(stride(from: 0x4_0000, through: 0x10_FFFF, by: 17))
}()

@Suite("Display widths")
struct DisplayWidthTests {
    @Test(
        "Clusters have the widths that terminals use",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("가", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("한", 2), ("漢", 2),
            ("ア", 2), ("ｱ", 1), ("Ａ", 2), ("😀", 2), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇰🇷", 2), ("❤", 1), ("❤\u{FE0F}", 2),
            ("1\u{FE0F}\u{20E3}", 2),
            ("①", 1), ("…", 1), ("─", 1), ("▀", 1), ("\u{200B}", 0), ("\u{FEFF}", 0), ("\u{200D}", 0), ("ก\u{E34}", 1),
            ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2), ("\u{AD}", 1), ("￦", 2), ("₩", 1),
        ]
    )
    func clusters(_ text: String, _ width: Int) {
        #expect(DisplayWidth.of(text) == width)
        #expect(text.count == 1)
    }

    @Test("Every scalar has width 0, 1 or 2, and every glyph of width 0 is empty")
    func everyScalar() {
        for value in allScalars {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let glyph = Glyph(Character(scalar))
            guard (0...2).contains(glyph.width), glyph.text.isEmpty == (glyph.width == 0) else {
                Issue.record("U+\(String(value, radix: 16)): \(glyph)")
                return
            }
        }
    }

    @Test("Every Hangul syllable is two cells wide, composed or not")
    func hangul() {
        for value in UInt32(0xAC00)...0xD7A3 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let index = value - 0xAC00
            let jamo = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
            let decomposed = String(
                String.UnicodeScalarView(jamo.filter { $0 != 0x11A7 }.compactMap(Unicode.Scalar.init))
            )
            guard DisplayWidth.of(String(Character(scalar))) == 2, DisplayWidth.of(decomposed) == 2 else {
                Issue.record("U+\(String(value, radix: 16))")
                return
            }
        }
    }
}
