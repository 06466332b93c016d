import Testing
import TextEscaping

@Suite("Text escaping")
struct TextEscapingTests {
    @Test(
        "Text without control characters is returned unchanged",
        arguments: ["", "plain", "한글 é 👩‍👩‍👧 \\u{1B}", "a\u{AD}b"]
    )
    func unchanged(text: String) {
        #expect(text.escapingControls() == text)
        #expect(!text.containsControls)
    }

    @Test("Each control character is escaped by its code point")
    func escapes() {
        #expect("a\u{1B}[2Jb\r\n".escapingControls() == "a\\u{1B}[2Jb\\u{D}\\u{A}")
        let controls: [ClosedRange<UInt32>] = [
            0x00...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x206F,
        ]
        for value in controls.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "x" + String(scalar)
            #expect(text.containsControls)
            #expect(text.escapingControls() == "x\\u{" + String(value, radix: 16, uppercase: true) + "}")
        }
    }

    @Test("No escaped text contains a scalar that Unicode classes as a control or a bidirectional format character")
    func nothingLeft() {
        for value in UInt32(0)...0x3_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let properties = scalar.properties
            let isDangerous =
                properties.generalCategory == .control || properties.generalCategory == .lineSeparator
                || properties.generalCategory == .paragraphSeparator || properties.isBidiControl
            if isDangerous { #expect(scalar.isControl, "U+\(String(value, radix: 16))") }
        }
    }

    @Test("Long text is cut after the limit, and text of exactly that length is not")
    func limits() {
        #expect("abcd".escapingControls(limit: 3) == "abc…")
        #expect("abc".escapingControls(limit: 3) == "abc")
        #expect("\u{1B}\u{1B}x".escapingControls(limit: 2) == "\\u{1B}\\u{1B}…")
        #expect("".escapingControls(limit: 0).isEmpty)
        #expect("e\u{301}e".escapingControls(limit: 2) == "e\u{301}…")
    }

    @Test("Quoted text has quotation marks and escapes")
    func quotes() {
        #expect("a\u{7}".quoted() == "\"a\\u{7}\"")
        #expect(String(repeating: "a", count: 81).quoted() == "\"" + String(repeating: "a", count: 80) + "…\"")
    }
}

@Suite("Percent escapes")
struct PercentEncodingTests {
    @Test(
        "Complete escapes are decoded, and others stay as they are",
        arguments: [("a%20%41b", "a Ab"), ("%4", "%4"), ("a%", "a%"), ("%zz", "%zz"), ("%ED%95%9C", "한")]
    )
    func decodes(text: String, decoded: String) { #expect(PercentEncoding.decode(text) == decoded) }
}

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("Bytes become two digits each")
    func bytes() {
        #expect(Hexadecimal.string(of: [0x00, 0x0F, 0xA0, 0xFF] as [UInt8]) == "000fa0ff")
        #expect(Hexadecimal.string(of: [0x89, 0x50] as [UInt8], separator: " ") == "89 50")
        #expect(Hexadecimal.string(of: [] as [UInt8], separator: " ").isEmpty)
    }

    @Test("Numbers are padded to the minimum number of digits, and never cut")
    func numbers() {
        #expect(Hexadecimal.string(of: UInt32(0xBEEF), digits: 8) == "0000beef")
        #expect(Hexadecimal.string(of: UInt32(0x1F600), digits: 4, uppercase: true) == "1F600")
        #expect(Hexadecimal.string(of: UInt8(0)) == "0")
    }

    @Test("A byte is a digit if and only if it is 0 to 9, a to f or A to F")
    func digits() {
        for byte in UInt8.min...UInt8.max {
            let expected = byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
            #expect(Hexadecimal.value(ofDigit: byte).map(Int.init) == expected)
        }
    }
}
