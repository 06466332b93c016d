import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("Truncation and wrapping")
struct TextLayoutTests {
    @Test("Text is truncated by cells, never inside a wide letter")
    func truncation() {
        #expect(TextLayout.truncate("우유 사기", to: 9) == "우유 사기")
        #expect(TextLayout.truncate("우유 사기", to: 8) == "우유 사…")
        #expect(TextLayout.truncate("우유 사기", to: 4) == "우…")
        #expect(TextLayout.truncate("우유", to: 1) == "…")
        #expect(TextLayout.truncate("우유", to: 0) == "")
        #expect(TextLayout.truncate("a long title", to: 7, .head) == "… title")
        #expect(TextLayout.truncate("a long title", to: 7, .middle) == "a l…tle")
        #expect(TextLayout.truncate("a long title", to: 7, .clip) == "a long ")
        #expect(TextLayout.truncate("a long title", to: 8) == "a long…")
    }

    @Test("Lines break at line breaks, at spaces and inside words longer than a line")
    func wrapping() {
        #expect(TextLayout.wrap("one two three", width: 7) == ["one two", "three"])
        #expect(TextLayout.wrap("one\n\ntwo\r\nthree", width: 9) == ["one", "", "two", "three"])
        #expect(TextLayout.wrap("abcdefgh", width: 3) == ["abc", "def", "gh"])
        #expect(TextLayout.wrap("오늘은 우유를 산다", width: 7) == ["오늘은", "우유를", "산다"])
        #expect(TextLayout.wrap("우유우유", width: 3) == ["우", "유", "우", "유"])
        #expect(TextLayout.wrap("", width: 3) == [""])
        #expect(TextLayout.wrap("one two three", width: 5, limit: 2) == ["one", "two…"])
        #expect(TextLayout.wrap("  indented", width: 20) == ["  indented"])
        #expect(TextLayout.wrap("a", width: 0) == [])
        let hanging = TextLayout.wrap("9:00  one two\n우유  산다 또 산다", width: 12, hangs: true)
        #expect(hanging == ["9:00  one", "      two", "우유  산다", "      또", "      산다"])
        #expect(TextLayout.wrap("9:00  abcdefg", width: 12, hangs: true) == ["9:00", "      abcdef", "      g"])
        #expect(TextLayout.wrap("one  two three", width: 7, hangs: true) == ["one", "two", "three"])
    }

    @Test("No line is wider than the limit, and no letter is lost")
    func properties() {
        var random = SeededGenerator(seed: 7)
        let letters: [Character] = ["a", "b", " ", "가", "👩‍👩‍👧‍👦", "é", "\n", "\t", "\u{1B}", "漢"]
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 0...30, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
            )
            let width = Int.random(in: 2...12, using: &random)
            let lines = TextLayout.wrap(text, width: width)
            #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(text.debugDescription) in \(width)")
            let kept = lines.joined().filter { !$0.isWhitespace }
            #expect(kept == text.filter { !$0.isWhitespace })
            #expect(DisplayWidth.of(TextLayout.truncate(text, to: width)) <= width)
        }
    }
}
