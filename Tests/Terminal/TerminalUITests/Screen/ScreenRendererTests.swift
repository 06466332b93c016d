import Foundation
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("Rendering the difference")
struct ScreenRendererTests {
    private func buffer(_ lines: [String], width: Int = 20) -> ScreenBuffer {
        var buffer = ScreenBuffer(size: GridSize(width: width, height: lines.count))
        for (y, line) in lines.enumerated() { buffer.put(line, x: 0, y: y, style: .plain) }
        return buffer
    }

    @Test("An unchanged frame writes nothing")
    func nothing() {
        var renderer = ScreenRenderer(depth: .trueColor)
        let frame = buffer(["우유 사기", "hello"])
        #expect(!renderer.render(frame, caret: GridPoint(x: 2, y: 1)).isEmpty)
        #expect(renderer.render(frame, caret: GridPoint(x: 2, y: 1)).isEmpty)
    }

    @Test("One changed letter costs its bytes and a cursor movement")
    func oneLetter() {
        var renderer = ScreenRenderer(depth: .trueColor)
        _ = renderer.render(buffer(["hello", "world"]), caret: nil)
        let bytes = renderer.render(buffer(["hello", "wXrld"]), caret: nil)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text == "\u{1B}[4DX")
    }

    @Test("After a cluster that terminals measure differently, the cursor is positioned explicitly")
    func uncertainWidth() {
        for (line, column) in [("🇰🇷ab", 3), ("👨‍👩‍👧ab", 3), ("e\u{301}ab", 2)] {
            var renderer = ScreenRenderer(depth: .trueColor)
            let text = String(decoding: renderer.render(buffer([line]), caret: nil), as: UTF8.self)
            #expect(text.contains("\(line.first ?? " ")\u{1B}[1;\(column)Hab"), "\(text.debugDescription)")
            // Where it is narrower, the second cell is blank and has nothing of before.
            #expect(text.contains("  \u{1B}[H\(line.first ?? " ")") == (column == 3), "\(text.debugDescription)")
        }
        var renderer = ScreenRenderer(depth: .trueColor)
        let certain = String(decoding: renderer.render(buffer(["우유ab"]), caret: nil), as: UTF8.self)
        #expect(certain.contains("우유ab"))
    }

    @Test("A moved caret costs the letters that it passes, or one cursor movement if that is shorter")
    func caret() {
        var renderer = ScreenRenderer(depth: .trueColor)
        let frame = buffer(["hello", "world"])
        _ = renderer.render(frame, caret: GridPoint(x: 1, y: 1))
        #expect(renderer.render(frame, caret: GridPoint(x: 2, y: 1)) == Array("o".utf8))
        #expect(renderer.render(frame, caret: GridPoint(x: 1, y: 1)) == Array("\u{8}".utf8))
        #expect(renderer.render(frame, caret: GridPoint(x: 15, y: 1)) == Array("\u{1B}[14C".utf8))
        #expect(renderer.render(frame, caret: GridPoint(x: 4, y: 1)) == Array("\u{1B}[5G".utf8))
        #expect(renderer.render(frame, caret: nil) == Array("\u{1B}[?25l".utf8))
    }

    @Test("Where the terminal cannot address columns, the cursor is moved relatively")
    func relativeColumns() {
        var renderer = ScreenRenderer(depth: .trueColor)
        renderer.addressesColumns = false
        let frame = buffer(["hello", "world"])
        _ = renderer.render(frame, caret: GridPoint(x: 15, y: 1))
        #expect(renderer.render(frame, caret: GridPoint(x: 7, y: 1)) == Array("\u{1B}[8D".utf8))
        #expect(renderer.render(frame, caret: GridPoint(x: 2, y: 1)) == Array("\u{1B}[5D".utf8))
        // An attribute is ended with all others: a VT100 has no code for a single one.
        var styled = ScreenBuffer(size: frame.size)
        styled.put("a", x: 0, y: 0, style: TextStyle(attributes: [.bold, .reverse]))
        styled.put("b", x: 1, y: 0, style: TextStyle(attributes: .bold))
        let bytes = String(decoding: renderer.render(styled, caret: nil), as: UTF8.self)
        #expect(bytes.contains("\u{1B}[0;1;7ma\u{1B}[0;1mb"), "\(bytes.debugDescription)")
        #expect(!TerminalCapabilities(environment: ["TERM": "vt220"]).addressesColumns)
        #expect(TerminalCapabilities(environment: ["TERM": "xterm-256color"]).addressesColumns)
        for (term, repeats) in [
            ("xterm-256color", false), ("xterm-kitty", true), ("tmux-256color", true), ("vt220", false),
        ] {
            #expect(TerminalCapabilities(environment: ["TERM": term]).repeatsCharacters == repeats, "\(term)")
        }
    }

    @Test("The end of a shorter line is erased, not overwritten with spaces")
    func erases() {
        var renderer = ScreenRenderer(depth: .trueColor)
        _ = renderer.render(buffer(["a long line of text"]), caret: nil)
        let bytes = renderer.render(buffer(["a"]), caret: nil)
        #expect(String(decoding: bytes, as: UTF8.self) == "\r\u{1B}[C\u{1B}[K")
        // The blank cells do not get the lines or the colour of the text before them.
        for attribute in [TextStyle.Attributes.underline, .strikethrough, .reverse] {
            var styled = ScreenRenderer(depth: .trueColor)
            let texts = ["a long line of text", "X"].map { text in
                var frame = ScreenBuffer(size: GridSize(width: 20, height: 1))
                frame.put(text, x: 0, y: 0, style: TextStyle(attributes: attribute))
                return String(decoding: styled.render(frame, caret: nil), as: UTF8.self)
            }
            #expect(texts[1].contains("X\u{1B}[") && !texts[1].contains("X\u{1B}[K"), "\(texts[1].debugDescription)")
        }
    }

    @Test("After a change of the colour depth a frame is drawn as if it were the first one")
    func depth() {
        var frame = ScreenBuffer(size: GridSize(width: 20, height: 1))
        frame.put("orange", x: 0, y: 0, style: TextStyle(foreground: .rgb(250, 130, 20)))
        var (renderer, fresh) = (ScreenRenderer(depth: .indexed256), ScreenRenderer(depth: .indexed16))
        _ = renderer.render(frame, caret: nil)
        renderer.depth = .indexed16
        #expect(renderer.render(frame, caret: nil) == fresh.render(frame, caret: nil))
    }

    @Test("Without synchronized updates the cursor is hidden while the frame is drawn")
    func unsynchronized() {
        var renderer = ScreenRenderer(depth: .trueColor, synchronizes: false)
        _ = renderer.render(buffer(["hello", "world"]), caret: .zero)
        let text = String(decoding: renderer.render(buffer(["hellX", "worlX"]), caret: .zero), as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}[?25l"))
        #expect(text.hasSuffix("\u{1B}[?25h"))
    }

    @Test("A frame that changes several rows is one synchronized update")
    func synchronized() {
        var renderer = ScreenRenderer(depth: .trueColor)
        _ = renderer.render(buffer(["hello", "world"]), caret: nil)
        let text = String(decoding: renderer.render(buffer(["hellX", "worlX"]), caret: nil), as: UTF8.self)
        #expect(text == "\u{1B}[?2026h\u{1B}[A\u{8}X\n\u{8}X\u{1B}[?2026l")
    }

    @Test("Random frames are shown exactly, at every colour depth", arguments: ColorDepth.allCases)
    func random(_ depth: ColorDepth) {
        var random = SeededGenerator(seed: 42)
        let size = GridSize(width: 24, height: 6)
        var renderer = ScreenRenderer(depth: depth)
        var emulator = TerminalEmulator(size: size)
        var frame = ScreenBuffer(size: size)
        let texts = [
            "a", "가나", "👩‍👩‍👧‍👦", "e\u{301}", "     ", "🇰🇷", "─│", "\u{1B}[31m", "漢字かな", "❤\u{FE0F}", "\u{1100}", "\u{1161}",
        ]
        for step in 0..<1500 {
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                var style = TextStyle(
                    foreground: [.standard, .red, .palette(200), .rgb(10, 200, 30)].randomElement(using: &random)
                        ?? .red,
                    background: [.standard, .standard, .blue, .rgb(200, 1, 2)].randomElement(using: &random) ?? .blue,
                    attributes: TextStyle.Attributes(rawValue: UInt8.random(in: 0...63, using: &random))
                )
                if Bool.random(using: &random) { style = .plain }
                let address = ["https://a/", "https://b/"].randomElement(using: &random)
                if Int.random(in: 0..<3, using: &random) == 0 { style.link = frame.link(to: address ?? "") }
                let clip = GridRect(x: Int.random(in: -3...20, using: &random), y: 0, width: 9, height: 6)
                frame.put(
                    texts.randomElement(using: &random) ?? "a",
                    x: Int.random(in: -3...26, using: &random),
                    y: Int.random(in: -1...6, using: &random),
                    style: style,
                    clip: Bool.random(using: &random) ? clip : nil
                )
            }
            if Int.random(in: 0..<20, using: &random) == 0 { frame = ScreenBuffer(size: size) }
            let caret = Bool.random(using: &random) ? GridPoint(x: Int.random(in: 0..<24, using: &random), y: 3) : nil
            let bytes = renderer.render(frame, caret: caret)
            emulator.feed(bytes)
            // What another program writes next is no part of a link.
            let links = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1B}]8;").dropFirst()
            #expect(links.last?.hasPrefix(";") ?? true, "step \(step)")
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

    @Test(
        "On a terminal that joins no clusters, a wide cluster damages none of its neighbours",
        arguments: [1, 2, 3] as [UInt64]
    )
    func unjoinedClusters(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = GridSize(width: 24, height: 5)
        var renderer = ScreenRenderer(depth: .trueColor)
        var emulator = TerminalEmulator(size: size, joinsClusters: false)
        emulator.feed("\u{1B}[?7l".utf8)
        var frame = ScreenBuffer(size: size)
        let texts = ["👨‍👩‍👧‍👦", "🇰🇷", "abc", "가나", "e\u{301}", "      ", "❤\u{FE0F}", "👍🏽", "✓"]
        for step in 0..<800 {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                frame.put(
                    texts.randomElement(using: &random) ?? "a",
                    x: Int.random(in: -2...23, using: &random),
                    y: Int.random(in: 0..<5, using: &random),
                    style: Bool.random(using: &random) ? TextStyle(background: .blue) : .plain
                )
            }
            if Int.random(in: 0..<40, using: &random) == 0 { frame = ScreenBuffer(size: size) }
            emulator.feed(renderer.render(frame, caret: nil))
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let cell = frame[x, y]
                    let owner = cell.isContinuation ? frame[x - 1, y] : cell
                    // What the terminal shows in the cells of the cluster itself is not ours to decide.
                    guard owner.glyph.isCertain else { continue }
                    guard emulator.screen[x, y] == cell else {
                        Issue.record(
                            "step \(step): (\(x), \(y)) in\n\(emulator.screen.text)\ninstead of\n\(frame.text)"
                        )
                        return
                    }
                }
            }
        }
    }

    @Test("Rows that move are scrolled by the terminal, and the screen is exact", arguments: [1, 2, 3] as [UInt64])
    func scrolling(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = GridSize(width: 40, height: 20)
        var renderer = ScreenRenderer(depth: .trueColor)
        renderer.repeats = seed != 2
        var emulator = TerminalEmulator(size: size)
        var offset = 100
        for step in 0..<400 {
            var frame = ScreenBuffer(size: size)
            frame.put("Title 제목", x: 0, y: 0, style: TextStyle(background: .blue))
            for y in 1..<19 {
                let style =
                    y == 5 ? TextStyle(attributes: .reverse) : TextStyle(background: y % 7 == 0 ? .red : .standard)
                frame.put("row \(offset + y) with the text 우유 \((offset + y) * 7919 % 1000)", x: 1, y: y, style: style)
            }
            frame.put("step \(step)", x: 30, y: 19, style: .plain)
            emulator.feed(renderer.render(frame, caret: nil))
            guard emulator.screen == frame, emulator.unknown.isEmpty else {
                Issue.record("step \(step): \(emulator.screen.text)\ninstead of\n\(frame.text)")
                return
            }
            offset += [-8, -3, -1, 0, 1, 3, 5, 17].randomElement(using: &random) ?? 1
        }
        // A list that moves by one row costs that row, the selection and the region.
        func list(_ first: Int) -> ScreenBuffer {
            buffer((0..<20).map { "item \(first + $0), value \((first + $0) * 7919 % 1000)" }, width: 40)
        }
        var plain = ScreenRenderer(depth: .trueColor)
        _ = plain.render(list(100), caret: nil)
        let count = plain.render(list(101), caret: nil).count
        #expect(count < 80, "\(count) bytes")
        // A selection that stays in its row does not end the region.
        func selecting(_ first: Int) -> ScreenBuffer {
            // Rows that have nothing in common.
            let letters = Array("abcdefghijklmnopqrstuvwxyz")
            var frame = buffer((0..<20).map { String(repeating: letters[(first + $0) % 26], count: 30) }, width: 40)
            for x in 0..<40 {
                frame.put(Cell(frame[x, 10].glyph, style: TextStyle(attributes: .reverse)), x: x, y: 10)
            }
            return frame
        }
        var selected = ScreenRenderer(depth: .trueColor)
        selected.repeats = true
        _ = selected.render(selecting(100), caret: nil)
        let region = String(decoding: selected.render(selecting(101), caret: nil), as: UTF8.self)
        // The region is the whole screen, which needs no margins.
        #expect(region.contains("\u{1B}[20H\n\u{1B}["), "\(region.debugDescription)")
        #expect(region.utf8.count < 200)
    }

    @Test(
        "After a scroll the cursor is positioned explicitly, since not all emulators move it with the region",
        arguments: [-1, 1]
    )
    func scrolledCursor(distance: Int) throws {
        func frame(_ first: Int, _ title: String) -> ScreenBuffer {
            let items = (0..<18).map { "item \(first + $0), value \((first + $0) * 7919 % 1000)" }
            return buffer([title, "the same line"] + items, width: 40)
        }
        var renderer = ScreenRenderer(depth: .trueColor)
        _ = renderer.render(frame(100, "before"), caret: nil)
        let text = String(decoding: renderer.render(frame(100 + distance, "after"), caret: nil), as: UTF8.self)
        let afterRegion = try #require(text.components(separatedBy: "\u{1B}[r").dropFirst().first)
        #expect(afterRegion.contains(/^\e\[(\d+(;\d+)?)?H/), "\(text.debugDescription)")
        // The region begins with a movement of the cursor, too.
        #expect(text.contains(/\e\[\d+;\d+r\e\[(\d+(;\d+)?)?H/), "\(text.debugDescription)")
    }

    @Test("A run of a character is one character and its repetitions, where the terminal repeats")
    func repetition() {
        func bar(_ style: TextStyle) -> ScreenBuffer {
            var frame = ScreenBuffer(size: GridSize(width: 100, height: 2))
            frame.put("ab" + String(repeating: " ", count: 80), x: 0, y: 0, style: style)
            return frame
        }
        for repeats in [false, true] {
            var renderer = ScreenRenderer(depth: .trueColor)
            renderer.repeats = repeats
            _ = renderer.render(bar(.plain), caret: nil)
            let bytes = renderer.render(bar(TextStyle(attributes: .reverse)), caret: nil)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("\u{1B}[7mab \u{1B}[79b") == repeats)
            #expect(bytes.count < (repeats ? 40 : 110))
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
        var emulator = TerminalEmulator(size: GridSize(width: 12, height: 3))
        emulator.feed(Array("rubbish".utf8) + bytes)
        #expect(emulator.text == "hello\nworld")
    }
}

extension TerminalEmulator {
    fileprivate var text: String { screen.text }
}
