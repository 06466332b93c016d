/// Turns the terminal's bytes into events, incrementally.
///
/// Bytes may come split anywhere, within a UTF-8 sequence, an escape sequence or a paste: the events are the same. Time
/// decides only what bytes cannot: an ESC after which nothing comes is the key Escape, and a paste or a control string
/// whose end does not come is given up. Times are durations since an origin of the caller's choice, so a test can let
/// them pass. No input makes it fail, and what it keeps is bounded.
public struct InputDecoder: Sendable {
    /// The limits of what is waited for and kept.
    public struct Limits: Sendable {
        /// How long after an ESC a sequence may go on before the key Escape is told.
        public var escape: Duration = .milliseconds(50)
        /// How long a paste may be silent before what has come of it is told.
        public var paste: Duration = .seconds(2)
        /// The most bytes of one paste that are kept.
        public var pasteBytes = 8 << 20
        /// The most bytes of a control sequence or string; a longer one is thrown away.
        public var sequenceBytes = 4096

        /// The usual limits: 50 ms, 2 s, 8 MiB, 4 KiB.
        public init() {}
    }

    /// When `flush` has something to tell though no byte came; nil where nothing is awaited.
    public private(set) var deadline: Duration?

    let limits: Limits
    private var state = State.ground
    private var sequence: [UInt8] = []
    private var pasted: [UInt8] = []
    private var endMatched = 0
    private var pasteOverflowed = false
    private var ended: [InputEvent] = []

    private enum State {
        case ground
        case utf8(remaining: Int)
        case escape(alt: Bool)
        case controlSequence(alt: Bool)
        /// SS3: one final byte follows.
        case singleShift(alt: Bool)
        /// The three bytes of an X10 mouse report.
        case legacyMouse
        case string(introducer: UInt8, sawEscape: Bool)
        case paste
    }

    /// A decoder at the beginning of the input.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Takes bytes that came at `now` and returns the events that they complete.
    public mutating func feed(_ bytes: some Sequence<UInt8>, now: Duration) -> [InputEvent] {
        ended.removeAll(keepingCapacity: true)
        for byte in bytes { take(byte) }
        switch state {
        case .ground: deadline = nil
        case .paste: deadline = now + limits.paste
        case .utf8, .escape, .controlSequence, .singleShift, .legacyMouse, .string: deadline = now + limits.escape
        }
        return ended
    }

    /// Tells what is left when the deadline has passed, or at the end of the input; nothing before the deadline.
    public mutating func flush(now: Duration) -> [InputEvent] {
        guard let deadline, now >= deadline else { return [] }
        return finish()
    }

    /// Tells what is left, whatever the time: the input has ended.
    public mutating func finish() -> [InputEvent] {
        ended.removeAll(keepingCapacity: true)
        switch state {
        case .ground, .string, .legacyMouse: break
        case .utf8: emitText()
        case .escape(let alt): emit(.escape, alt ? .alt : [])
        case .controlSequence: if sequence.isEmpty { emit(.character("["), .alt) }
        case .singleShift: emit(.character("O"), .alt)
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
    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: begin(byte, alt: false)
        case .utf8(let remaining): continueText(byte, remaining)
        case .escape(let alt): afterEscape(byte, alt: alt)
        case .controlSequence(let alt): continueSequence(byte, alt: alt)
        case .singleShift(let alt):
            reset()
            if let key = KeyTable.singleShift(byte) {
                ended.append(.key(Key(key, alt ? .alt : [])))
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
        // The first element tells whether Alt came before.
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
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            state = .string(introducer: byte, sawEscape: false)
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
        case 0x40...0x7E:
            let parameters = sequence
            reset()
            if parameters == Array("200".utf8) && byte == UInt8(ascii: "~") {
                state = .paste
            } else if let event = KeyTable.controlSequence(parameters, final: byte, alt: alt) {
                ended.append(event)
            }
        case 0x20..<0x40:
            sequence.append(byte)
            if sequence.count > limits.sequenceBytes { reset() }
        default: reset()
        }
    }

    private mutating func continueString(_ byte: UInt8, _ introducer: UInt8, _ sawEscape: Bool) {
        let bell = introducer == UInt8(ascii: "]") && byte == 0x07
        if bell || (sawEscape && byte == UInt8(ascii: "\\")) {
            if let reply = KeyTable.string(introducer, sequence) { ended.append(.reply(reply)) }
            reset()
        } else if sawEscape {
            // The string was broken off by another sequence.
            reset()
            afterEscape(byte, alt: false)
        } else if byte == 0x1B {
            state = .string(introducer: introducer, sawEscape: true)
        } else if sequence.count < limits.sequenceBytes {
            sequence.append(byte)
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
            keep(InputDecoder.pasteEnd[..<endMatched])
            endMatched = 0
            // Only the first byte of the end can begin it anew.
            if byte == InputDecoder.pasteEnd[0] {
                endMatched = 1
                return
            }
        }
        keep(CollectionOfOne(byte))
    }

    private mutating func keep(_ bytes: some Collection<UInt8>) {
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
