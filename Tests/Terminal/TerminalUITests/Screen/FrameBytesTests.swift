import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

/// The bytes of frames beside those of ncurses 6.4 for the same screens (`Scripts/bench terminal`).
@Suite("The bytes of a frame")
struct FrameBytesTests {
    /// Draws frames and returns the mean number of bytes of a frame after the first one; every screen is checked.
    private func meanBytes(_ frames: [ScreenBuffer], repeats: Bool = true) -> Double {
        var renderer = ScreenRenderer(depth: .indexed256)
        renderer.repeats = repeats
        var emulator = TerminalEmulator(size: frames[0].size)
        emulator.feed(renderer.render(frames[0], caret: nil))
        var total = 0
        for (index, frame) in frames.enumerated().dropFirst() {
            let bytes = renderer.render(frame, caret: nil)
            total += bytes.count
            emulator.feed(bytes)
            guard emulator.screen == frame, emulator.unknown.isEmpty else {
                Issue.record("frame \(index): \(emulator.screen.text)\ninstead of\n\(frame.text)")
                break
            }
        }
        return Double(total) / Double(frames.count - 1)
    }

    /// A list of 200 x 50 cells with a bar above, a line below and a selected item.
    private func list(from first: Int, selected: Int, status: String = "45 open") -> ScreenBuffer {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
        }
        var frame = ScreenBuffer(size: GridSize(width: 200, height: 50))
        let bar = TextStyle(foreground: .white, background: .blue)
        frame.put(padded(" Todos 할 일", 200), x: 0, y: 0, style: bar)
        let words = ["우유 사기", "Call the plumber about the kitchen", "강아지 산책 30분", "Renew the passport"]
        for row in 1..<49 {
            let item = first + row
            let text = " [\(item % 3 == 0 ? "x" : " ")] \(words[item % 4]) number \(item * 7919 % 10_000)"
            let style = item == selected ? TextStyle(attributes: .reverse) : .plain
            frame.put(padded(text, 180), x: 0, y: row, style: style)
            let date = "2026-\(10 + item % 3)-\(10 + item % 20)"
            frame.put(date, x: 185, y: row, style: TextStyle(attributes: .bold))
        }
        frame.put(status, x: 0, y: 49, style: .plain)
        return frame
    }

    @Test("A list with a selection that scrolls by a row takes fewer bytes than the 363 of ncurses")
    func scrolling() {
        let down = (0..<60).map { list(from: $0, selected: $0 + 40) }
        let mean = meanBytes(down)
        #expect(mean <= 230, "\(mean) bytes")
        let up = meanBytes(down.reversed())
        #expect(up <= 230, "\(up) bytes")
        // Without repetitions the selected row costs its 180 cells, as with ncurses.
        let written = meanBytes(down, repeats: false)
        #expect(written <= 530, "\(written) bytes")
    }

    @Test("Typing takes at most the 49 bytes of ncurses, with the line that is erased at the end")
    func typing() {
        let text = "우유 사기 and bread from the bakery, eggs"
        let lengths = Array(1..<60) + [1]
        let mean = meanBytes(lengths.map { list(from: 100, selected: 0, status: "new: " + String(text.prefix($0))) })
        #expect(mean * Double(lengths.count - 1) <= 49, "\(mean) bytes")
    }

    @Test("A character beyond ASCII is not repeated by a number, since tmux does not support that")
    func lines() {
        var frame = ScreenBuffer(size: GridSize(width: 100, height: 3))
        let blank = frame
        frame.put("┌" + String(repeating: "─", count: 98) + "┐", x: 0, y: 1, style: .plain)
        #expect(meanBytes([blank, frame]) == meanBytes([blank, frame], repeats: false))
    }

    @Test("Random lists that scroll, change and select are exact from any frame to any other", arguments: 1...6)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = GridSize(width: 30, height: 14)
        var renderer = ScreenRenderer(depth: .trueColor)
        renderer.repeats = seed % 2 == 0
        renderer.addressesColumns = seed % 3 != 0
        // A terminal that leaves the cursor where it was when the region changes, and one that moves it.
        var emulator = TerminalEmulator(size: size)
        emulator.movesCursorWithMargins = seed % 2 == 1
        let styles: [TextStyle] = [
            .plain, TextStyle(attributes: .reverse), TextStyle(background: .red),
            TextStyle(attributes: [.bold, .underline]),
        ]
        let lines = ["우유 사기", "─────────────────────", "a      b", "", "👍🏽 e\u{301}x", "the same text in each row"]
        var rows = (0..<40).map { _ in (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<4, using: &random)) }
        var offset = 10
        for step in 0..<(isLongRun ? 6_000 : 300) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: rows[Int.random(in: 0..<40, using: &random)].0 = Int.random(in: 0..<6, using: &random)
            case 1: rows[Int.random(in: 0..<40, using: &random)].1 = Int.random(in: 0..<4, using: &random)
            case 2: offset = Int.random(in: 0..<20, using: &random)
            default: offset = min(26, max(0, offset + Int.random(in: -4...4, using: &random)))
            }
            let fixed = Int.random(in: 0..<3, using: &random)
            var frame = ScreenBuffer(size: size)
            for y in 0..<size.height {
                let (line, style) = y < fixed ? (2, 0) : rows[offset + y]
                let text = "\(y < fixed ? y : offset + y) " + lines[line]
                frame.put(text, x: y % 2 == 0 ? 0 : 3, y: y, style: styles[y == 7 ? 1 : style])
                if style == 2 { frame.put(String(repeating: " ", count: 9), x: 21, y: y, style: styles[2]) }
            }
            let caret = step % 3 == 0 ? GridPoint(x: Int.random(in: 0..<30, using: &random), y: 5) : nil
            let bytes = renderer.render(frame, caret: caret)
            // The bytes arrive in any pieces.
            let length = seed < 3 ? 1 : bytes.count
            for start in stride(from: 0, to: bytes.count, by: max(1, length)) {
                emulator.feed(bytes[start..<min(start + length, bytes.count)])
            }
            guard emulator.screen == frame, emulator.unknown.isEmpty, caret == nil || emulator.cursor == caret else {
                Issue.record(
                    "seed \(seed), step \(step): \(emulator.screen.text)\ninstead of\n\(frame.text) \(emulator.unknown)"
                )
                return
            }
        }
    }
}
