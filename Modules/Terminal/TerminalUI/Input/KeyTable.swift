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

    /// Returns the key of an SS3 sequence's final byte: application cursor keys, F1 to F4, the keypad, and urxvt's arrows
    /// with Control.
    static func singleShift(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "M"): Key(.enter)
        case UInt8(ascii: "a")...UInt8(ascii: "d"): letter(byte - 0x20).map { Key($0, .control) }
        // From the asterisk to the digit 9, in the order of ASCII.
        case UInt8(ascii: "j")...UInt8(ascii: "y"): Key(.character(Character(UnicodeScalar(byte - 0x40))))
        default: letter(byte).map { Key($0) }
        }
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
        guard let fields = fields(parameters) else { return nil }
        let numbers = fields.map { $0.first ?? 0 }
        // kitty's protocol reports a release as the event type 3.
        if fields.count > 1, fields[1].count > 1, fields[1][1] == 3 { return nil }
        var modifiers = modifiers(numbers.count > 1 ? numbers[1] : 1)
        if alt { modifiers.insert(.alt) }
        switch final {
        case UInt8(ascii: "I") where parameters.isEmpty: return .focus(true)
        case UInt8(ascii: "O") where parameters.isEmpty: return .focus(false)
        case UInt8(ascii: "Z"): return .key(Key(.tab, modifiers.union(.shift)))
        case UInt8(ascii: "R") where numbers.count == 2 && numbers[0] > 1:
            return .reply(.cursor(GridPoint(x: numbers[1] - 1, y: numbers[0] - 1)))
        // xterm's window operation 16: CSI 6 ; height ; width t
        case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 6:
            return .reply(.cellSize(GridSize(width: numbers[2], height: numbers[1])))
        case UInt8(ascii: "~"): return tilde(numbers, modifiers).map(InputEvent.key)
        // urxvt's keys with Shift, Control and both.
        case UInt8(ascii: "$") where numbers.count == 1:
            return tilde(numbers, modifiers.union(.shift)).map(InputEvent.key)
        case UInt8(ascii: "^") where numbers.count == 1:
            return tilde(numbers, modifiers.union(.control)).map(InputEvent.key)
        case UInt8(ascii: "@") where numbers.count == 1:
            return tilde(numbers, modifiers.union([.control, .shift])).map(InputEvent.key)
        case UInt8(ascii: "a")...UInt8(ascii: "d") where parameters.isEmpty:
            return letter(final - 0x20).map { .key(Key($0, modifiers.union(.shift))) }
        case UInt8(ascii: "u"): return unicode(fields.first ?? [], modifiers).map(InputEvent.key)
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
        let location = GridPoint(x: Int(bytes[1]) - 33, y: Int(bytes[2]) - 33)
        guard location.x >= 0 && location.y >= 0 else { return nil }
        // Without a button, a movement has the same two bits as a release.
        let released = code & 3 == 3 && code & 96 == 0
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

    /// Returns the key of `CSI code : shifted : base ; modifiers u`, which terminals with extended keys send (kitty's
    /// "Comprehensive keyboard handling in terminals").
    private static func unicode(_ codes: [Int], _ modifiers: Key.Modifiers) -> Key? {
        guard let code = codes.first, let scalar = scalar(code) else { return nil }
        switch scalar.value {
        case 27: return Key(.escape, modifiers)
        case 0..<0x20, 0x7F:
            let key = control(UInt8(scalar.value))
            return Key(key.code, key.modifiers.union(modifiers))
        case 0xE000...0xF8FF: return KeypadTable.key(scalar.value).map { Key($0, modifiers) }
        default: break
        }
        let isShortcut = !modifiers.isDisjoint(with: [.control, .alt, .meta])
        // In a layout without Latin letters, such as Hangul, the shortcut is that of the key in the base layout.
        if isShortcut, !scalar.isASCII, codes.count > 2, let base = Self.scalar(codes[2]), base.isASCII, base != "\0" {
            return Key(.character(Character(base)), modifiers)
        }
        // Shift is part of the character, except with Control.
        guard modifiers.contains(.shift), !modifiers.contains(.control), scalar != " " else {
            return Key(.character(Character(scalar)), modifiers)
        }
        let reported = codes.count > 1 && codes[1] > 0 ? Self.scalar(codes[1]) : nil
        // xterm reports the character that is typed, which a letter in lower case is not.
        let typed = reported.map { Character($0) } ?? Character(folding: Character(scalar)) { $0.uppercased() }
        return Key(.character(typed), modifiers.subtracting(.shift))
    }

    private static func scalar(_ code: Int) -> Unicode.Scalar? {
        UInt32(exactly: code).flatMap(Unicode.Scalar.init)
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
            at: GridPoint(x: values[1] - 1, y: values[2] - 1),
            released: final == UInt8(ascii: "m")
        )
    }

    private static func mouse(code: Int, at location: GridPoint, released: Bool) -> MouseEvent? {
        // The buttons Back and Forward, which nothing uses.
        guard code & 128 == 0 else { return nil }
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
        if final == UInt8(ascii: "u") { return numbers(Array(parameters))?.first.map(TerminalReply.keyboard) }
        guard final == UInt8(ascii: "y"), parameters.last == UInt8(ascii: "$") else { return nil }
        guard let values = numbers(Array(parameters.dropLast())), values.count == 2 else { return nil }
        return .mode(number: values[0], state: values[1])
    }

    /// Parses numbers between semicolons; ignores sub-parameters after a colon; an empty number is zero; `nil` if
    /// malformed.
    private static func numbers(_ bytes: [UInt8]) -> [Int]? {
        fields(bytes).map { $0.map { $0.first ?? 0 } }
    }

    /// Parses numbers between semicolons, each with its sub-parameters after colons; an empty number is zero; `nil` if
    /// malformed.
    private static func fields(_ bytes: [UInt8]) -> [[Int]]? {
        guard !bytes.isEmpty else { return [] }
        var result: [[Int]] = []
        for field in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            var numbers: [Int] = []
            for part in field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
                var value = 0
                for byte in part {
                    guard byte >= 0x30 && byte <= 0x39, value < 1_000_000 else { return nil }
                    value = value * 10 + Int(byte - 0x30)
                }
                numbers.append(value)
            }
            result.append(numbers)
        }
        return result
    }
}

/// The keys that kitty's protocol reports as scalars of the private use area: keypad keys and F13 to F35.
enum KeypadTable {
    /// Returns the key of a scalar; `nil` for keys without a meaning here, such as Caps Lock and modifier keys.
    static func key(_ scalar: UInt32) -> Key.Code? {
        switch scalar {
        case 57_376...57_398: .function(Int(scalar) - 57_376 + 13)
        case 57_399...57_408: .character(Character(Unicode.Scalar(UInt8(scalar - 57_399 + 0x30))))
        case 57_414: .enter
        // Decimal point, divide, multiply, subtract, add; equal, separator.
        case 57_409...57_413: .character(Array("./*-+")[Int(scalar) - 57_409])
        case 57_415: .character("=")
        case 57_416: .character(",")
        case 57_417: .left
        case 57_418: .right
        case 57_419: .up
        case 57_420: .down
        case 57_421: .pageUp
        case 57_422: .pageDown
        case 57_423: .home
        case 57_424: .end
        case 57_425: .insert
        case 57_426: .delete
        default: nil
        }
    }
}
