/// Decodes a terminal's input incrementally.
///
/// The bytes may be split anywhere, even within a UTF-8 sequence, an escape sequence or a paste. Time matters only
/// where bytes are ambiguous: an ESC without a successor is the key Escape, and an unfinished paste or control string
/// ends after a time limit. The bytes of a character have no time limit. Times are durations since any fixed origin. No
/// input causes a failure, and the memory used is bounded.
///
/// `ESC ]`, `ESC P` and `ESC _` begin a control string but are also Alt-], Alt-P and Alt-_. They begin a string only if
/// the bytes after them match the beginning of a reply that terminals send.
///
/// With kitty's keyboard protocol the key Escape is a sequence. After the terminal has reported that the protocol is in
/// use, an ESC byte waits longer for its successor, so that a slow connection does not break a sequence.
package struct InputDecoder: Sendable {
    /// The limits for waiting and memory.
    package struct Limits: Sendable {
        /// The time after which an ESC or the beginning of a sequence is reported as a key.
        package var escape: Duration = .milliseconds(50)
        /// The same time if the terminal reports the key Escape as a sequence.
        package var unambiguousEscape: Duration = .seconds(1)
        /// The time after which an unfinished control string ends.
        package var string: Duration = .seconds(2)
        /// The time without input after which an unfinished paste is reported.
        package var paste: Duration = .seconds(2)
        /// The maximum number of bytes of a paste.
        package var pasteBytes = 8 << 20
        /// The maximum number of bytes of a control sequence or string; longer ones are discarded.
        package var sequenceBytes = 4096

        /// Creates the default limits: 50 ms, 1 s, 2 s, 2 s, 8 MiB, 4 KiB.
        package init() {}
    }

    /// The time at which ``flush(now:)`` has an event without further input; otherwise `nil`.
    package private(set) var deadline: Duration?

    let limits: Limits
    private var state = State.ground
    private var sequence: [UInt8] = []
    private var pasted: [UInt8] = []
    private var endMatched = 0
    private var pasteOverflowed = false
    private var ended: [InputEvent] = []
    /// Whether the terminal has reported that it sends the key Escape as a sequence.
    private var escapeIsSequence = false

    private enum State {
        case ground
        case utf8(remaining: Int)
        case escape(alt: Bool)
        case controlSequence(alt: Bool)
        /// SS3: a final byte follows.
        case singleShift(alt: Bool)
        /// The three bytes of an X10 mouse report.
        case legacyMouse
        /// After ESC and an introducer, while the bytes match the beginning of a reply only in part.
        case stringPrefix(introducer: UInt8, alt: Bool)
        case string(introducer: UInt8, sawEscape: Bool)
        case paste
    }

    /// Creates a decoder.
    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Decodes bytes that arrived at `now` and returns the events that they complete.
    package mutating func feed(_ bytes: some Sequence<UInt8>, now: Duration) -> [InputEvent] {
        ended.removeAll(keepingCapacity: true)
        for byte in bytes { decode(byte) }
        switch state {
        case .ground, .utf8: deadline = nil
        case .paste: deadline = now + limits.paste
        case .string: deadline = now + limits.string
        case .escape, .controlSequence, .singleShift, .legacyMouse, .stringPrefix:
            deadline = now + (escapeIsSequence ? limits.unambiguousEscape : limits.escape)
        }
        return ended
    }

    /// Returns the events of unfinished input if the deadline has passed.
    package mutating func flush(now: Duration) -> [InputEvent] {
        guard let deadline, now >= deadline else { return [] }
        return finish()
    }

    /// Returns the events of unfinished input at once, for example at the end of the input.
    package mutating func finish() -> [InputEvent] {
        ended.removeAll(keepingCapacity: true)
        switch state {
        case .ground, .string, .legacyMouse: break
        case .utf8: emitText()
        case .escape(let alt): emit(.escape, alt ? .alt : [])
        case .controlSequence: if sequence.isEmpty { emit(.character("["), .alt) }
        case .singleShift: emit(.character("O"), .alt)
        case .stringPrefix(let introducer, _): replayString(introducer)
        case .paste: endPaste(.unfinished)
        }
        reset()
        deadline = nil
        return ended
    }

    private mutating func reset() {
        state = .ground
        sequence.removeAll(keepingCapacity: true)
    }

    private mutating func emit(_ code: Key.Code, _ modifiers: Key.Modifiers = []) {
        ended.append(.key(Key(code, modifiers)))
    }
}

extension InputDecoder {
    private mutating func decode(_ byte: UInt8) {
        switch state {
        case .ground: begin(byte, alt: false)
        case .utf8(let remaining): continueText(byte, remaining)
        case .escape(let alt): afterEscape(byte, alt: alt)
        case .controlSequence(let alt): continueSequence(byte, alt: alt)
        case .singleShift(let alt):
            reset()
            if let key = KeyTable.singleShift(byte) {
                emit(key.code, alt ? key.modifiers.union(.alt) : key.modifiers)
            } else {
                emit(.character("O"), .alt)
                begin(byte, alt: false)
            }
        case .legacyMouse:
            sequence.append(byte)
            if sequence.count == 3 {
                if let event = KeyTable.legacyMouse(sequence) { ended.append(.mouse(event)) }
                reset()
            }
        case .stringPrefix(let introducer, let alt): continueStringPrefix(byte, introducer, alt: alt)
        case .string(let introducer, let sawEscape): continueString(byte, introducer, sawEscape)
        case .paste: continuePaste(byte)
        }
    }

    private mutating func begin(_ byte: UInt8, alt: Bool) {
        let modifiers: Key.Modifiers = alt ? .alt : []
        switch byte {
        case 0x1B: state = .escape(alt: alt)
        case 0x00...0x1F, 0x7F:
            reset()
            let key = KeyTable.control(byte)
            emit(key.code, key.modifiers.union(modifiers))
        case 0x20..<0x7F:
            reset()
            emit(.character(Character(UnicodeScalar(byte))), modifiers)
        case 0xC2...0xDF: beginText(byte, 1, alt)
        case 0xE0...0xEF: beginText(byte, 2, alt)
        case 0xF0...0xF4: beginText(byte, 3, alt)
        default:
            reset()
            emit(.character("\u{FFFD}"), modifiers)
        }
    }

    private mutating func beginText(_ byte: UInt8, _ remaining: Int, _ alt: Bool) {
        // The first element records whether Alt is held.
        sequence = [alt ? 1 : 0, byte]
        state = .utf8(remaining: remaining)
    }

    private mutating func continueText(_ byte: UInt8, _ remaining: Int) {
        guard byte & 0xC0 == 0x80 else {
            emitText()
            begin(byte, alt: false)
            return
        }
        sequence.append(byte)
        if remaining == 1 { emitText() } else { state = .utf8(remaining: remaining - 1) }
    }

    private mutating func emitText() {
        let alt = sequence.first == 1
        for character in String(decoding: sequence.dropFirst(), as: UTF8.self) {
            emit(.character(character), alt ? .alt : [])
        }
        reset()
    }

    private mutating func afterEscape(_ byte: UInt8, alt: Bool) {
        switch byte {
        case UInt8(ascii: "["): state = .controlSequence(alt: alt)
        case UInt8(ascii: "O"): state = .singleShift(alt: alt)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"):
            state = .stringPrefix(introducer: byte, alt: alt)
        case 0x1B where !alt: state = .escape(alt: true)
        case 0x1B: emit(.escape, .alt)
        default: begin(byte, alt: true)
        }
    }

    private mutating func continueSequence(_ byte: UInt8, alt: Bool) {
        switch byte {
        case 0x1B:
            reset()
            state = .escape(alt: false)
        case UInt8(ascii: "M") where sequence.isEmpty:
            state = .legacyMouse
        case UInt8(ascii: "[") where sequence.isEmpty:
            // The Linux console's F1 to F5: CSI [ A.
            sequence.append(byte)
        // urxvt ends a key with Shift by the dollar sign, which in replies follows several numbers.
        case 0x40...0x7E,
            UInt8(ascii: "$") where !sequence.isEmpty && sequence.allSatisfy { (0x30...0x39).contains($0) }:
            let parameters = sequence
            reset()
            if parameters == Array("200".utf8) && byte == UInt8(ascii: "~") {
                state = .paste
            } else if let event = KeyTable.controlSequence(parameters, final: byte, alt: alt) {
                if case .reply(.keyboard(let flags)) = event { escapeIsSequence = flags & 1 == 1 }
                ended.append(event)
            }
        case 0x20..<0x40:
            sequence.append(byte)
            if sequence.count > limits.sequenceBytes { reset() }
        default: reset()
        }
    }

    private mutating func continueStringPrefix(_ byte: UInt8, _ introducer: UInt8, alt: Bool) {
        sequence.append(byte)
        switch ReplyPrefix(introducer, sequence) {
        case .partial: break
        case .complete: state = .string(introducer: introducer, sawEscape: false)
        case .mismatch: replayString(introducer)
        }
    }

    /// Decodes the bytes of a string that is not a reply as the keys they are: Alt with the introducer, then text.
    private mutating func replayString(_ introducer: UInt8) {
        let bytes = sequence
        reset()
        emit(.character(Character(UnicodeScalar(introducer))), .alt)
        for byte in bytes { decode(byte) }
    }

    private mutating func continueString(_ byte: UInt8, _ introducer: UInt8, _ sawEscape: Bool) {
        let bell = introducer == UInt8(ascii: "]") && byte == 0x07
        if bell || (sawEscape && byte == UInt8(ascii: "\\")) {
            if let reply = KeyTable.string(introducer, sequence) { ended.append(.reply(reply)) }
            reset()
        } else if sawEscape {
            // Another sequence interrupts the string.
            reset()
            afterEscape(byte, alt: false)
        } else if byte == 0x1B {
            state = .string(introducer: introducer, sawEscape: true)
        } else if sequence.count < limits.sequenceBytes {
            sequence.append(byte)
        }
    }

    /// Whether bytes after a string introducer are the beginning of a reply: OSC is 4, 10, 11, 12 or 52, ";" and what
    /// replies to these queries begin with, DCS is optional digits and ";", one of "$+>!" and "r" or "|", APC is "G", a
    /// letter and "=".
    private enum ReplyPrefix {
        case partial, complete, mismatch

        init(_ introducer: UInt8, _ bytes: [UInt8]) {
            guard bytes.count <= 16 else { self = .mismatch; return }
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            switch introducer {
            case UInt8(ascii: "]"):
                let replies = ["4;", "10;rgb", "11;rgb", "12;rgb", "52;"].map { Array($0.utf8) }
                if replies.contains(where: { bytes.starts(with: $0) }) {
                    self = .complete
                } else {
                    self = replies.contains { $0.starts(with: bytes) } ? .partial : .mismatch
                }
            case UInt8(ascii: "P"):
                let rest = bytes.drop { digits.contains($0) || $0 == UInt8(ascii: ";") }
                guard let mark = rest.first else { self = .partial; return }
                guard "$+>!".utf8.contains(mark) else { self = .mismatch; return }
                guard let final = rest.dropFirst().first else { self = .partial; return }
                self = "r|".utf8.contains(final) ? .complete : .mismatch
            default:
                guard bytes[0] == UInt8(ascii: "G") else { self = .mismatch; return }
                guard bytes.count > 1 else { self = .partial; return }
                let isKey = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[1] | 0x20)
                guard isKey else { self = .mismatch; return }
                self = bytes.count < 3 ? .partial : bytes[2] == UInt8(ascii: "=") ? .complete : .mismatch
            }
        }
    }
}

extension InputDecoder {
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func continuePaste(_ byte: UInt8) {
        if byte == InputDecoder.pasteEnd[endMatched] {
            endMatched += 1
            if endMatched == InputDecoder.pasteEnd.count { endPaste(pasteOverflowed ? .truncated : .whole) }
            return
        }
        if endMatched > 0 {
            appendToPaste(InputDecoder.pasteEnd[..<endMatched])
            endMatched = 0
            // Only the first byte of the end marker can begin another marker.
            if byte == InputDecoder.pasteEnd[0] {
                endMatched = 1
                return
            }
        }
        appendToPaste(CollectionOfOne(byte))
    }

    private mutating func appendToPaste(_ bytes: some Collection<UInt8>) {
        if pasted.count + bytes.count <= limits.pasteBytes && !pasteOverflowed {
            pasted.append(contentsOf: bytes)
        } else {
            pasteOverflowed = true
        }
    }

    private mutating func endPaste(_ completeness: Paste.Completeness) {
        var lines: [UInt8] = []
        lines.reserveCapacity(pasted.count)
        var previous = UInt8(0)
        for byte in pasted {
            // Terminals send line breaks as CR.
            if byte == 0x0D {
                lines.append(0x0A)
            } else if byte != 0x0A || previous != 0x0D {
                lines.append(byte)
            }
            previous = byte
        }
        ended.append(.paste(Paste(String(decoding: lines, as: UTF8.self), completeness: completeness)))
        pasted = []
        endMatched = 0
        pasteOverflowed = false
        reset()
    }
}
