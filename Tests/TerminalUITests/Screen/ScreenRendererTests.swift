import TestSupport
import Testing

@testable import TerminalUI

@Suite("Rendering the difference")
struct ScreenRendererTests {
    private func buffer(_ lines: [String], width: Int = 20) -> ScreenBuffer {
        var buffer = ScreenBuffer(size: Size(width: width, height: lines.count))
        for (y, line) in lines.enumerated() { buffer.put(line, x: 0, y: y, style: .plain) }
        return buffer
    }

    @Test("An unchanged frame writes nothing")
    func nothing() {
        var renderer = ScreenRenderer(depth: .trueColor)
        let frame = buffer(["우유 사기", "hello"])
        #expect(!renderer.render(frame, caret: Point(x: 2, y: 1)).isEmpty)
        #expect(renderer.render(frame, caret: Point(x: 2, y: 1)).isEmpty)
    }

    @Test("One changed letter costs its bytes, a cursor movement and the synchronized update")
    func oneLetter() {
        var renderer = ScreenRenderer(depth: .trueColor)
        _ = renderer.render(buffer(["hello", "world"]), caret: nil)
        let bytes = renderer.render(buffer(["hello", "wXrld"]), caret: nil)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text == "\u{1B}[?2026h\u{1B}[4DX\u{1B}[?2026l")
    }

    @Test("After a cluster that terminals measure differently, the cursor is positioned explicitly")
    func uncertainWidth() {
        for (line, column) in [("🇰🇷ab", 3), ("👨‍👩‍👧ab", 3), ("e\u{301}ab", 2)] {
            var renderer = ScreenRenderer(depth: .trueColor)
            let text = String(decoding: renderer.render(buffer([line]), caret: nil), as: UTF8.self)
            #expect(text.contains("\(line.first ?? " ")\u{1B}[1;\(column)Hab"), "\(text.debugDescription)")
        }
        var renderer = ScreenRenderer(depth: .trueColor)
        let certain = String(decoding: renderer.render(buffer(["우유ab"]), caret: nil), as: UTF8.self)
        #expect(certain.contains("우유ab"))
    }

    @Test("A moved caret costs one cursor movement")
    func caret() {
        var renderer = ScreenRenderer(depth: .trueColor)
        let frame = buffer(["hello", "world"])
        _ = renderer.render(frame, caret: Point(x: 1, y: 1))
        #expect(renderer.render(frame, caret: Point(x: 2, y: 1)) == Array("\u{1B}[C".utf8))
        #expect(renderer.render(frame, caret: nil) == Array("\u{1B}[?25l".utf8))
    }

    @Test("The end of a shorter line is erased, not overwritten with spaces")
    func erases() {
        var renderer = ScreenRenderer(depth: .trueColor)
        _ = renderer.render(buffer(["a long line of text"]), caret: nil)
        let bytes = renderer.render(buffer(["a"]), caret: nil)
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[?2026h\u{1B}[18D\u{1B}[K\u{1B}[?2026l")
    }

    @Test("Without synchronized updates the cursor is hidden while the frame is drawn")
    func unsynchronized() {
        var renderer = ScreenRenderer(depth: .trueColor, synchronizes: false)
        _ = renderer.render(buffer(["hello"]), caret: .zero)
        let text = String(decoding: renderer.render(buffer(["hellX"]), caret: .zero), as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}[?25l"))
        #expect(text.hasSuffix("\u{1B}[?25h"))
    }

    @Test("Random frames are shown exactly, at every colour depth", arguments: ColorDepth.allCases)
    func random(_ depth: ColorDepth) {
        var random = SeededGenerator(seed: 42)
        let size = Size(width: 24, height: 6)
        var renderer = ScreenRenderer(depth: depth)
        var emulator = TerminalEmulator(size: size)
        var frame = ScreenBuffer(size: size)
        let texts = [
            "a", "가나", "👩‍👩‍👧‍👦", "e\u{301}", "     ", "🇰🇷", "─│", "\u{1B}[31m", "漢字かな", "❤\u{FE0F}", "\u{1100}", "\u{1161}",
        ]
        for step in 0..<1500 {
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let style = Style(
                    foreground: [.standard, .red, .palette(200), .rgb(10, 200, 30)].randomElement(using: &random)
                        ?? .red,
                    background: [.standard, .standard, .blue, .rgb(200, 1, 2)].randomElement(using: &random) ?? .blue,
                    attributes: Style.Attributes(rawValue: UInt8.random(in: 0...63, using: &random))
                )
                let clip = Rect(x: Int.random(in: -3...20, using: &random), y: 0, width: 9, height: 6)
                frame.put(
                    texts.randomElement(using: &random) ?? "a",
                    x: Int.random(in: -3...26, using: &random),
                    y: Int.random(in: -1...6, using: &random),
                    style: Bool.random(using: &random) ? style : .plain,
                    clip: Bool.random(using: &random) ? clip : nil
                )
            }
            if Int.random(in: 0..<20, using: &random) == 0 { frame = ScreenBuffer(size: size) }
            let caret = Bool.random(using: &random) ? Point(x: Int.random(in: 0..<24, using: &random), y: 3) : nil
            emulator.feed(renderer.render(frame, caret: caret))
            var expected = frame
            expected.restyle(frame.bounds) { $0 = $0.lowered(to: depth) }
            guard emulator.screen == expected, emulator.isCursorVisible == (caret != nil), emulator.unknown.isEmpty,
                caret == nil || emulator.cursor == caret
            else {
                Issue.record("step \(step): \(emulator.text) instead of \(expected.text) \(emulator.unknown)")
                return
            }
        }
    }

    @Test("A resize redraws the screen in one synchronized update")
    func resize() {
        var renderer = ScreenRenderer(depth: .indexed16)
        _ = renderer.render(buffer(["hello", "world"]), caret: nil)
        let bytes = renderer.render(buffer(["hello", "world", ""], width: 12), caret: nil)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}[?2026h"))
        #expect(text.hasSuffix("\u{1B}[?2026l"))
        var emulator = TerminalEmulator(size: Size(width: 12, height: 3))
        emulator.feed(Array("rubbish".utf8) + bytes)
        #expect(emulator.text == "hello\nworld")
    }
}

extension TerminalEmulator {
    fileprivate var text: String { screen.text }
}
