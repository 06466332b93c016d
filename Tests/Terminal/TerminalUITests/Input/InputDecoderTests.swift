import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Decoding input")
struct InputDecoderTests {
    private func decode(_ text: String) -> [InputEvent] {
        var decoder = InputDecoder()
        return decoder.feed(text.utf8, now: .zero) + decoder.finish()
    }

    @Test(
        "Keys are decoded with their modifiers",
        arguments: [
            ("a", Key(.character("a"))), ("가", Key(.character("가"))), ("\r", Key(.enter)), ("\t", Key(.tab)),
            ("\u{1B}]11;rgb:0\u{1B}[A", Key(.up)), ("\u{1B}_Gi=31;\u{1B}x", Key(.character("x"), .alt)),
            ("\u{1B}[Z", Key(.tab, .shift)), ("\u{7F}", Key(.backspace)), ("\u{8}", Key(.backspace)),
            ("\u{1B}[A", Key(.up)), ("\u{1B}OB", Key(.down)), ("\u{1B}[1;5C", Key(.right, .control)),
            ("\u{1B}[1;2D", Key(.left, .shift)), ("\u{1B}[H", Key(.home)), ("\u{1B}[4~", Key(.end)),
            ("\u{1B}[5~", Key(.pageUp)), ("\u{1B}[6;3~", Key(.pageDown, .alt)), ("\u{1B}[3~", Key(.delete)),
            ("\u{1B}[2~", Key(.insert)), ("\u{1B}OP", Key(.function(1))), ("\u{1B}[15~", Key(.function(5))),
            ("\u{1B}[24~", Key(.function(12))), ("\u{1B}[[B", Key(.function(2))),
            ("\u{1B}x", Key(.character("x"), .alt)),
            ("\u{1B}가", Key(.character("가"), .alt)), ("\u{1B}\r", Key(.enter, .alt)), ("\u{1}", .control("a")),
            ("\u{1A}", .control("z")), ("\u{0}", Key(.character(" "), .control)), ("\u{1B}\u{1B}[A", Key(.up, .alt)),
            ("\u{1B}[97;5u", Key(.character("a"), .control)), ("\u{1B}[27;5;97~", Key(.character("a"), .control)),
            ("\u{1B}", Key(.escape)), ("\u{1B}[", Key(.character("["), .alt)), ("\u{1B}\u{1B}", Key(.escape, .alt)),
            ("\u{1B}[13;2u", Key(.enter, .shift)), ("\u{1B}[1;9A", Key(.up, .meta)),
            ("\u{1B}[97;9u", Key(.character("a"), .meta)),
            // xterm's modifyOtherKeys reports Shift with the character that it types.
            ("\u{1B}[27;2;63~", .character("?")), ("\u{1B}[27;2;65~", .character("A")),
            ("\u{1B}[27;4;65~", .character("A", .alt)), ("\u{1B}[97;2u", .character("A")),
            // urxvt's arrows and other keys with modifiers, and its keypad.
            ("\u{1B}Oa", Key(.up, .control)), ("\u{1B}Od", Key(.left, .control)), ("\u{1B}[b", Key(.down, .shift)),
            ("\u{1B}[3$", Key(.delete, .shift)), ("\u{1B}[5^", Key(.pageUp, .control)),
            ("\u{1B}[7@", Key(.home, [.control, .shift])), ("\u{1B}\u{1B}[8^", Key(.end, [.alt, .control])),
            ("\u{1B}\u{1B}Oc", Key(.right, [.alt, .control])), ("\u{1B}Oj", .character("*")),
            ("\u{1B}Oy", .character("9")),
            ("\u{1B}[27;2;32~", .character(" ", .shift)), ("\u{1B}[27;6;63~", .character("?", [.control, .shift])),
        ]
    )
    func keys(_ text: String, _ key: Key) {
        #expect(decode(text) == [.key(key)])
        #expect(key.modifiers.subtracting(.shift).isEmpty || key.text == nil, "no text with a modifier")
    }

    @Test("Mouse events, focus changes and replies are decoded")
    func others() {
        #expect(decode("\u{1B}[<0;3;2M") == [.mouse(MouseEvent(.down(.left), at: GridPoint(x: 2, y: 1)))])
        #expect(decode("\u{1B}[<2;300;200m") == [.mouse(MouseEvent(.up(.right), at: GridPoint(x: 299, y: 199)))])
        #expect(decode("\u{1B}[<64;1;1M") == [.mouse(MouseEvent(.wheelUp, at: .zero))])
        #expect(
            decode("\u{1B}[<85;1;1M") == [.mouse(MouseEvent(.wheelDown, at: .zero, modifiers: [.shift, .control]))]
        )
        #expect(decode("\u{1B}[<32;5;5M") == [.mouse(MouseEvent(.drag(.left), at: GridPoint(x: 4, y: 4)))])
        #expect(decode("\u{1B}[<35;5;5M") == [.mouse(MouseEvent(.move, at: GridPoint(x: 4, y: 4)))])
        #expect(decode("\u{1B}[M !!") == [.mouse(MouseEvent(.down(.left), at: .zero))])
        #expect(decode("\u{1B}[M#!!\u{1B}[MC!!") == [.up(.left), .move].map { .mouse(MouseEvent($0, at: .zero)) })
        // The buttons Back and Forward.
        #expect(decode("\u{1B}[<128;5;1M\u{1B}[<128;5;1m\u{1B}[<129;5;1M") == [])
        #expect(decode("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
        #expect(decode("\u{1B}[?62;4c") == [.reply(.deviceAttributes([62, 4]))])
        #expect(decode("\u{1B}[?2026;2$y") == [.reply(.mode(number: 2026, state: 2))])
        #expect(decode("\u{1B}_Gi=31;OK\u{1B}\\") == [.reply(.graphics("Gi=31;OK"))])
        #expect(decode("\u{1B}]11;rgb:0/0/0\u{7}") == [.reply(.operatingSystem("11;rgb:0/0/0"))])
        #expect(decode("\u{1B}[12;40R") == [.reply(.cursor(GridPoint(x: 39, y: 11)))])
        #expect(decode("\u{1B}[<0;0;0M\u{1B}[<99999999999999999999;1;1M\u{1B}[9999999q") == [])
    }

    @Test("A paste is one event, its line breaks are line feeds, and its keys are text")
    func paste() {
        #expect(
            decode("\u{1B}[200~a\r\nb\rc\u{1B}[A\u{1B}[201~x") == [
                .paste(Paste("a\nb\nc\u{1B}[A")), .key(Key(.character("x"))),
            ]
        )
        #expect(decode("\u{1B}[200~\u{1B}[20\u{1B}[201~") == [.paste(Paste("\u{1B}[20"))])
        #expect(decode("\u{1B}[200~\u{1B}[201~") == [.paste(Paste(""))])
    }

    @Test("A paste beyond the limit is truncated and marked so, and the keys after it are keys")
    func hugePaste() {
        var limits = InputDecoder.Limits()
        limits.pasteBytes = 1000
        var decoder = InputDecoder(limits: limits)
        let bytes = "\u{1B}[200~" + String(repeating: "x", count: 100_000) + "\u{1B}[201~k\u{1B}[200~hi\u{1B}[201~"
        let events = decoder.feed(bytes.utf8, now: .zero)
        #expect(
            events == [
                .paste(Paste(String(repeating: "x", count: 1000), completeness: .truncated)),
                .key(Key(.character("k"))), .paste(Paste("hi")),
            ]
        )
    }

    @Test("A paste without an end is reported after its time limit")
    func unfinishedPaste() {
        var decoder = InputDecoder()
        // Each piece extends the time.
        #expect(decoder.feed("\u{1B}[200~ha".utf8, now: .seconds(4)).isEmpty)
        #expect(decoder.feed("lf\u{1B}[20".utf8, now: .seconds(5)).isEmpty)
        #expect(decoder.deadline == .seconds(7))
        #expect(decoder.flush(now: .seconds(6)).isEmpty)
        #expect(decoder.flush(now: .seconds(7)) == [.paste(Paste("half", completeness: .unfinished))])
        #expect(decoder.deadline == nil)
        #expect(decoder.feed("a".utf8, now: .seconds(8)) == [.key(Key(.character("a")))])
    }

    @Test("A lone ESC is Escape after its time limit, and an ESC with a successor is not")
    func escape() {
        var decoder = InputDecoder()
        #expect(decoder.feed([0x1B], now: .zero).isEmpty)
        #expect(decoder.flush(now: .milliseconds(49)).isEmpty)
        #expect(decoder.flush(now: .milliseconds(50)) == [.key(Key(.escape))])
        #expect(decoder.feed([0x1B], now: .seconds(1)).isEmpty)
        #expect(decoder.feed("[A".utf8, now: .seconds(1) + .milliseconds(20)) == [.key(Key(.up))])
        #expect(decoder.deadline == nil)
    }

    @Test("Invalid UTF-8 becomes replacement characters, and the bytes after it are decoded")
    func invalid() {
        var decoder = InputDecoder()
        let events = decoder.feed([0xFF, 0x61, 0xE3, 0x81, 0x62, 0xC0, 0xED, 0xA0, 0x80, 0x63], now: .zero)
        let text = events.map { if case .key(let key) = $0 { key.text ?? "?" } else { "?" } }.joined()
        #expect(text.filter { $0 != "\u{FFFD}" } == "abc")
        #expect(text.first == "\u{FFFD}")
    }

    @Test("Any split of the bytes yields the same events")
    func splits() {
        let inputs = [
            "가🇰🇷a\u{1B}[1;5C\u{1B}OP\u{1B}x\u{1B}가\u{1B}[<0;3;2M\u{1B}[200~가\r나\u{1B}[20\u{1B}[201~\u{1B}[?2026;2$y\u{1B}]11;rgb:0/0/0\u{1B}\\z",
            "\u{1B}[M !!\u{1B}\u{1B}[A\u{1B}[[A\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P1$r\u{1B}\\\u{1B}Oxq",
        ]
        for input in inputs {
            let bytes = Array(input.utf8)
            var whole = InputDecoder()
            let expected = whole.feed(bytes, now: .zero)
            for first in 0...bytes.count {
                for second in first...bytes.count {
                    var decoder = InputDecoder()
                    var events = decoder.feed(bytes[..<first], now: .zero)
                    events += decoder.feed(bytes[first..<second], now: .zero)
                    events += decoder.feed(bytes[second...], now: .zero)
                    guard events == expected else {
                        Issue.record("split at \(first) and \(second): \(events)")
                        return
                    }
                }
            }
        }
    }

    @Test("The bytes of a character are one character after any delay", arguments: ["é", "가", "👧"])
    func slowCharacter(_ text: String) {
        let bytes = Array(text.utf8)
        for split in 1..<bytes.count {
            var decoder = InputDecoder()
            #expect(decoder.feed(bytes[..<split], now: .zero).isEmpty)
            #expect(decoder.deadline == nil)
            #expect(decoder.flush(now: .seconds(3600)).isEmpty)
            #expect(decoder.feed(bytes[split...], now: .seconds(3600)).map(\.text) == [text])
        }
        var broken = InputDecoder()
        #expect(broken.feed([bytes[0]], now: .zero).isEmpty)
        #expect(broken.feed("a".utf8, now: .seconds(2)).map(\.text) == ["\u{FFFD}", "a"])
        #expect(broken.feed([bytes[0]], now: .seconds(3)).isEmpty)
        #expect(broken.finish().map(\.text) == ["\u{FFFD}"])
    }

    @Test("Alt with every printable character is that key, typed alone and followed by text")
    func altPrintable() {
        for value in UInt8(0x20)..<0x7F {
            let character = Character(UnicodeScalar(value))
            var alone = InputDecoder()
            let events = alone.feed([0x1B, value], now: .zero) + alone.flush(now: .milliseconds(50))
            #expect(events == [.key(Key(.character(character), .alt))], "Alt-\(character)")
            // Alt-[ and Alt-O with text at once are the beginning of a sequence.
            if character == "[" || character == "O" { continue }
            #expect(
                decode("\u{1B}\(character)hi")
                    == [Key(.character(character), .alt), .character("h"), .character("i")]
                    .map(InputEvent.key),
                "Alt-\(character)hi"
            )
        }
    }

    @Test(
        "Keys of kitty's keyboard protocol are decoded",
        arguments: [
            ("\u{1B}[27u", Key(.escape)), ("\u{1B}[97;3u", Key(.character("a"), .alt)),
            ("\u{1B}[93;3u", Key(.character("]"), .alt)), ("\u{1B}[91;3u", Key(.character("["), .alt)),
            ("\u{1B}[97:65;4u", Key(.character("A"), .alt)),
            ("\u{1B}[97:65;6u", Key(.character("a"), [.control, .shift])),
            ("\u{1B}[12618::99;5u", .control("c")), ("\u{1B}[12618u", Key(.character("ㅊ"))),
            ("\u{1B}[13;2:1u", Key(.enter, .shift)), ("\u{1B}[9;5u", Key(.tab, .control)),
            ("\u{1B}[127;5u", Key(.backspace, .control)), ("\u{1B}[1;5:2C", Key(.right, .control)),
            ("\u{1B}[57414u", Key(.enter)), ("\u{1B}[57400u", .character("1")), ("\u{1B}[57419;2u", Key(.up, .shift)),
            ("\u{1B}[57376u", Key(.function(13))), ("\u{1B}[97;5;97u", .control("a")),
            ("\u{1B}[57413u", .character("+")),
        ]
    )
    func kitty(_ text: String, _ key: Key) {
        #expect(decode(text) == [.key(key)])
    }

    @Test("Releases and keys without a meaning are no events; the protocol's flags are a reply")
    func kittyOthers() {
        #expect(decode("\u{1B}[97;1:3u\u{1B}[1;1:3A\u{1B}[57358u\u{1B}[57441;2u") == [])
        #expect(decode("\u{1B}[?5u") == [.reply(.keyboard(flags: 5))])
    }

    @Test("With kitty's protocol a sequence may be slow, because Escape is a sequence")
    func slowSequence() {
        var decoder = InputDecoder()
        _ = decoder.feed("\u{1B}[?5u".utf8, now: .zero)
        #expect(decoder.feed([0x1B], now: .zero).isEmpty)
        #expect(decoder.flush(now: .milliseconds(400)).isEmpty)
        #expect(decoder.feed("[A".utf8, now: .milliseconds(400)) == [.key(Key(.up))])
    }

    @Test(
        "Alt with a character that begins a control string does not swallow the text behind it",
        arguments: ["]", "P", "_", "X", "^"]
    )
    func alt(_ letter: String) {
        for text in ["", "hello", "123 go", "Good morning", "1;2", "$", "G"] {
            let events = decode("\u{1B}\(letter)\(text)")
            // "1;" after Alt-] is the beginning of a reply.
            let expected = [Key(.character(Character(letter)), .alt)] + text.map { Key(.character($0)) }
            #expect(events == expected.map { .key($0) }, "Alt-\(letter) \(text)")
        }
        var decoder = InputDecoder()
        #expect(
            decoder.feed("\u{1B}\(letter)".utf8, now: .zero) + decoder.flush(now: .milliseconds(50)) == [
                .key(Key(.character(Character(letter)), .alt))
            ]
        )
        #expect(decoder.feed("a\u{1B}[A".utf8, now: .seconds(1)) == [.key(Key(.character("a"))), .key(Key(.up))])
    }

    @Test("A reply whose bytes are more than 50 ms apart is one reply")
    func slowReply() {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}_Gi=31;".utf8, now: .zero).isEmpty)
        #expect(decoder.flush(now: .milliseconds(300)).isEmpty)
        #expect(decoder.feed("OK\u{1B}\\".utf8, now: .milliseconds(300)) == [.reply(.graphics("Gi=31;OK"))])
    }

    @Test("A control string without an end stores no more than its limit")
    func bounded() {
        var decoder = InputDecoder()
        for _ in 0..<100 { _ = decoder.feed(("\u{1B}]52;c;" + String(repeating: "x", count: 10_000)).utf8, now: .zero) }
        #expect(decoder.finish().isEmpty)
        #expect(decoder.feed("a".utf8, now: .zero) == [.key(Key(.character("a")))])
    }
}

extension InputEvent {
    /// The text of a typed key; `nil` for other events.
    fileprivate var text: String? {
        if case .key(let key) = self { key.text } else { nil }
    }
}
