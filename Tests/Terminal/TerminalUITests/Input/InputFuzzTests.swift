import TestSupport
import Testing

@testable import TerminalUI

@Suite("Random input and text")
struct InputFuzzTests {
    private static let pieces: [[UInt8]] =
        [
            "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}_G", "\u{1B}\\", "\u{7}", "\u{1B}[200~",
            "\u{1B}[201~",
            "\u{1B}[<0;5;5M", "\u{1B}[<35;1;1m", "\u{1B}[I", "\u{1B}[?62;4c", "\u{1B}[97;5u", "\u{1B}[1;5A",
            "\u{1B}[?2026;2$y", "한",
            "👨‍👩‍👧", "e\u{301}", "a", ";", "9999999999999999999", "\u{9B}", "\r", "\t", "\u{0}", "\u{7F}",
        ].map { Array($0.utf8) } + [[0xFF], [0xC0], [0xE0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90], [0x80]]

    @Test("Bytes that are split anywhere are the same events as in one piece, without control characters in keys")
    func input() {
        let seed = UInt64.random(in: 1 ... .max)
        var random = SeededGenerator(seed: seed)
        let likely =
            Array("\u{1B}\u{1B}\u{1B}[[[]OPM<?;;0123456789~ABCRuymc$_^\\\u{7}\u{18}가".utf8) + [0xFF, 0x80, 0xE3, 0x9B]
        let end = ContinuousClock.now + fuzzTime
        var round = 0
        while round < 16_000 || ContinuousClock.now < end {
            round += 1
            // Whole sequences, or bytes that sequences consist of.
            let usesPieces = Bool.random(using: &random)
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...(usesPieces ? 40 : 60), using: &random) {
                if Int.random(in: 0..<(usesPieces ? 6 : 4), using: &random) == 0 {
                    bytes.append(.random(in: 0...255, using: &random))
                } else if usesPieces {
                    bytes += Self.pieces.randomElement(using: &random) ?? []
                } else {
                    bytes.append(likely.randomElement(using: &random) ?? 0)
                }
            }
            var whole = InputDecoder()
            let expected = whole.feed(bytes, now: .zero) + whole.finish()
            var split = InputDecoder()
            var events: [InputEvent] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...(usesPieces ? min(9, rest.count) : rest.count), using: &random)
                events += split.feed(rest.prefix(count), now: .zero)
                rest = rest.dropFirst(count)
            }
            events += split.finish()
            guard events == expected, split.deadline == nil else {
                Issue.record("seed \(seed), round \(round): \(bytes)\n\(events)\ninstead of\n\(expected)")
                return
            }
            for case .key(let key) in events {
                guard let text = key.text else { continue }
                if text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }) {
                    Issue.record("seed \(seed), round \(round): \(bytes) is the key \(key)")
                    return
                }
            }
        }
    }

    @Test("Random text is wrapped and truncated within its width, and only harmless scalars reach the screen")
    func text() {
        let seed = UInt64.random(in: 1 ... .max)
        var random = SeededGenerator(seed: seed)
        let end = ContinuousClock.now + fuzzTime
        var rounds = 0
        while ContinuousClock.now < end {
            rounds += 1
            let text = Self.text(&random)
            let width = Int.random(in: 1...40, using: &random)
            let lines = TextLayout.wrap(text, width: width, limit: Int.random(in: 1...6, using: &random))
            let modes: [TextLayout.Truncation] = [.tail, .head, .middle, .clip]
            let cut = TextLayout.truncate(text, to: width, modes.randomElement(using: &random) ?? .tail)
            // A wide letter does not fit into one column.
            let limit = max(2, width)
            var buffer = ScreenBuffer(size: GridSize(width: width, height: 1))
            buffer.put(text, x: Int.random(in: -3...width, using: &random), y: 0, style: .plain)
            let drawn = buffer.row(0).map(\.glyph.text).joined()
            let isHarmless = drawn.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && !(0x202A...0x202E).contains($0.value)
                    && !(0x2066...0x2069).contains($0.value)
            }
            guard lines.allSatisfy({ DisplayWidth.of($0) <= limit }), DisplayWidth.of(cut) <= limit, isHarmless else {
                Issue.record("seed \(seed), round \(rounds): \(text.debugDescription) in \(width)")
                return
            }
        }
        #expect(rounds > 0)
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        var scalars = String.UnicodeScalarView()
        let pools: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0...0x1F, 0x80...0x9F, 0xAC00...0xD7A3, 0x1100...0x11FF, 0x300...0x36F, 0x1F300...0x1FAFF,
            0x200B...0x200F, 0x202A...0x2069, 0xFE00...0xFE0F, 0xE0000...0xE01EF, 0...0x10FFFF,
        ]
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let pool = pools.randomElement(using: &random) ?? 0...0x7F
            if let scalar = Unicode.Scalar(UInt32.random(in: pool, using: &random)) { scalars.append(scalar) }
            if Int.random(in: 0..<8, using: &random) == 0 { scalars.append("\u{200D}") }
            if Int.random(in: 0..<6, using: &random) == 0 { scalars.append(" ") }
        }
        return String(scalars)
    }
}
