/// The meaning of control characters and sequences (ECMA-48 and xterm's control sequences).
enum KeyTable {
    /// Returns the key of a C0 control character or DEL.
    static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x0D, 0x0A: Key(.enter)
        case 0x09: Key(.tab)
        case 0x7F, 0x08: Key(.backspace)
        case 0x00: Key(.character(" "), .control)
        case 0x01...0x1A: Key(.character(Character(UnicodeScalar(byte + 0x60))), .control)
        default: Key(.character(Character(UnicodeScalar(byte + 0x40))), .control)
        }
    }

    /// Returns the key of an SS3 sequence's final byte: application cursor keys, F1 to F4, the keypad's Enter.
    static func singleShift(_ byte: UInt8) -> Key.Code? {
        byte == UInt8(ascii: "M") ? .enter : letter(byte)
    }

    /// Returns the event of a control sequence; `nil` for unknown sequences.
    static func controlSequence(_ parameters: [UInt8], final: UInt8, alt: Bool) -> InputEvent? {
        if parameters.first == UInt8(ascii: "<") {
            return mouse(parameters.dropFirst(), final: final).map(InputEvent.mouse)
        }
        if parameters.first == UInt8(ascii: "?") {
            return reply(parameters.dropFirst(), final: final).map(InputEvent.reply)
        }
        if parameters.first == UInt8(ascii: "[") {
            let number = Int(final) - Int(UInt8(ascii: "A")) + 1
            return (1...5).contains(number) ? .key(Key(.function(number))) : nil
        }
        guard let numbers = numbers(parameters) else { return nil }
        var modifiers = modifiers(numbers.count > 1 ? numbers[1] : 1)
        if alt { modifiers.insert(.alt) }
        switch final {
        case UInt8(ascii: "I") where parameters.isEmpty: return .focus(true)
        case UInt8(ascii: "O") where parameters.isEmpty: return .focus(false)
        case UInt8(ascii: "Z"): return .key(Key(.tab, modifiers.union(.shift)))
        case UInt8(ascii: "R") where numbers.count == 2 && numbers[0] > 1:
            return .reply(.cursor(Point(x: numbers[1] - 1, y: numbers[0] - 1)))
        case UInt8(ascii: "~"): return tilde(numbers, modifiers).map(InputEvent.key)
        case UInt8(ascii: "u"): return unicode(numbers, modifiers).map(InputEvent.key)
        default: return letter(final).map { .key(Key($0, modifiers)) }
        }
    }

    /// Returns the reply in an operating system command or application program command.
    static func string(_ introducer: UInt8, _ bytes: [UInt8]) -> TerminalReply? {
        let text = String(decoding: bytes, as: UTF8.self)
        if introducer == UInt8(ascii: "_") && text.hasPrefix("G") { return .graphics(text) }
        return introducer == UInt8(ascii: "]") ? .operatingSystem(text) : nil
    }

    /// Returns the event of an X10 mouse report, which terminals without SGR reports send.
    static func legacyMouse(_ bytes: [UInt8]) -> MouseEvent? {
        guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
        let code = Int(bytes[0]) - 32
        let location = Point(x: Int(bytes[1]) - 33, y: Int(bytes[2]) - 33)
        guard location.x >= 0 && location.y >= 0 else { return nil }
        let released = code & 3 == 3 && code & 64 == 0
        return mouse(code: released ? code & ~3 : code, at: location, released: released)
    }
}

extension KeyTable {
    private static func letter(_ byte: UInt8) -> Key.Code? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "P"): .function(1)
        case UInt8(ascii: "Q"): .function(2)
        case UInt8(ascii: "R"): .function(3)
        case UInt8(ascii: "S"): .function(4)
        default: nil
        }
    }

    private static func tilde(_ numbers: [Int], _ modifiers: Key.Modifiers) -> Key? {
        switch numbers.first ?? 0 {
        case 1, 7: Key(.home, modifiers)
        case 2: Key(.insert, modifiers)
        case 3: Key(.delete, modifiers)
        case 4, 8: Key(.end, modifiers)
        case 5: Key(.pageUp, modifiers)
        case 6: Key(.pageDown, modifiers)
        case let number where number >= 11 && number <= 15: Key(.function(number - 10), modifiers)
        case let number where number >= 17 && number <= 21: Key(.function(number - 11), modifiers)
        case let number where number >= 23 && number <= 26: Key(.function(number - 12), modifiers)
        case 28, 29: Key(.function((numbers.first ?? 0) - 13), modifiers)
        case let number where number >= 31 && number <= 34: Key(.function(number - 14), modifiers)
        // xterm's modifyOtherKeys: CSI 27 ; modifiers ; code ~
        case 27 where numbers.count == 3: unicode([numbers[2]], modifiers)
        default: nil
        }
    }

    /// Returns the key of `CSI code ; modifiers u`, which terminals with extended keys send.
    private static func unicode(_ numbers: [Int], _ modifiers: Key.Modifiers) -> Key? {
        guard let code = numbers.first, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else {
            return nil
        }
        switch scalar.value {
        case 27: return Key(.escape, modifiers)
        case 0..<0x20, 0x7F:
            let key = control(UInt8(scalar.value))
            return Key(key.code, key.modifiers.union(modifiers))
        default: return Key(.character(Character(scalar)), modifiers)
        }
    }

    private static func modifiers(_ parameter: Int) -> Key.Modifiers {
        guard parameter > 1 && parameter <= 256 else { return [] }
        let bits = parameter - 1
        var result = Key.Modifiers(rawValue: UInt8(bits & 7))
        if bits & 0b10_1000 != 0 { result.insert(.meta) }
        return result
    }

    private static func mouse(_ parameters: ArraySlice<UInt8>, final: UInt8) -> MouseEvent? {
        guard final == UInt8(ascii: "M") || final == UInt8(ascii: "m") else { return nil }
        guard let values = numbers(Array(parameters)), values.count == 3, values[1] > 0, values[2] > 0 else {
            return nil
        }
        return mouse(
            code: values[0],
            at: Point(x: values[1] - 1, y: values[2] - 1),
            released: final == UInt8(ascii: "m")
        )
    }

    private static func mouse(code: Int, at location: Point, released: Bool) -> MouseEvent? {
        var modifiers: Key.Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        if code & 64 != 0 {
            let wheel: [MouseEvent.Kind] = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight]
            return MouseEvent(wheel[code & 3], at: location, modifiers: modifiers)
        }
        let buttons: [MouseEvent.Button] = [.left, .middle, .right]
        let moves = code & 32 != 0
        guard code & 3 < 3 else { return moves ? MouseEvent(.move, at: location, modifiers: modifiers) : nil }
        let button = buttons[code & 3]
        let kind: MouseEvent.Kind = moves ? .drag(button) : released ? .up(button) : .down(button)
        return MouseEvent(kind, at: location, modifiers: modifiers)
    }

    private static func reply(_ parameters: ArraySlice<UInt8>, final: UInt8) -> TerminalReply? {
        if final == UInt8(ascii: "c") { return numbers(Array(parameters)).map(TerminalReply.deviceAttributes) }
        guard final == UInt8(ascii: "y"), parameters.last == UInt8(ascii: "$") else { return nil }
        guard let values = numbers(Array(parameters.dropLast())), values.count == 2 else { return nil }
        return .mode(number: values[0], state: values[1])
    }

    /// Parses numbers between semicolons; ignores sub-parameters after a colon; an empty number is zero; `nil` if
    /// malformed.
    private static func numbers(_ bytes: [UInt8]) -> [Int]? {
        guard !bytes.isEmpty else { return [] }
        var result: [Int] = []
        for part in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            var value = 0
            for byte in part.prefix(while: { $0 != UInt8(ascii: ":") }) {
                guard byte >= 0x30 && byte <= 0x39, value < 1_000_000 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            result.append(value)
        }
        return result
    }
}
