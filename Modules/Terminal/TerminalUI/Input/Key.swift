/// A key press as the terminal reports it.
public struct Key: Hashable, Sendable, CustomStringConvertible {
    /// The key.
    public var code: Code
    /// The modifiers, as far as the terminal reports them.
    public var modifiers: Modifiers

    /// Creates a key press.
    public init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// A key without modifiers.
    public enum Code: Hashable, Sendable {
        /// A typed character. Shift is part of the character.
        case character(Character)
        /// Return or Enter.
        case enter
        /// Tab; with `shift` it is the backtab.
        case tab
        /// Escape.
        case escape
        /// The key that deletes backwards.
        case backspace
        /// The key that deletes forwards.
        case delete
        /// Insert.
        case insert
        /// Arrow up.
        case up
        /// Arrow down.
        case down
        /// Arrow left.
        case left
        /// Arrow right.
        case right
        /// Home.
        case home
        /// End.
        case end
        /// Page up.
        case pageUp
        /// Page down.
        case pageDown
        /// F1 to F35.
        case function(Int)
    }

    /// The modifier keys of a key press.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Shift, unless it is part of the character.
        public static let shift = Modifiers(rawValue: 1)
        /// Alt or Option.
        public static let alt = Modifiers(rawValue: 2)
        /// Control.
        public static let control = Modifiers(rawValue: 4)
        /// Super, Command or Meta.
        public static let meta = Modifiers(rawValue: 8)
    }

    /// Returns a key press of a character.
    public static func character(_ character: Character, _ modifiers: Modifiers = []) -> Key {
        Key(.character(character), modifiers)
    }

    /// Returns a key press of Control and a letter.
    public static func control(_ character: Character) -> Key { Key(.character(character), .control) }

    /// The text that the key types; `nil` for other keys and with modifiers except Shift.
    public var text: String? {
        guard case .character(let character) = code, modifiers.subtracting(.shift).isEmpty else { return nil }
        // C1 control characters, which a terminal does not send for a key, are not inserted into text.
        if character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) { return nil }
        return String(character)
    }

    /// The key press in words, modifiers first: `ctrl-c`, `shift-up`, `alt-space`.
    public var description: String {
        var name = ""
        if modifiers.contains(.control) { name += "ctrl-" }
        if modifiers.contains(.alt) { name += "alt-" }
        if modifiers.contains(.meta) { name += "meta-" }
        if modifiers.contains(.shift) { name += "shift-" }
        switch code {
        case .character(" "): return name + "space"
        case .character(let character): return name + Glyph(character).text
        case .function(let number): return name + "f\(number)"
        default: return name + "\(code)"
        }
    }
}

extension Key {
    /// Parses a key as ``description`` writes it, such as `ctrl-s`, `shift-up`, `space`, `f5` or `a`; `nil` for another text. The
    /// case of the words is ignored, and that of a letter behind `ctrl-`; `shift-n` is `N`, as a terminal reports it. `esc`,
    /// `pgup` and `pgdn` are keys, too.
    public init?(_ description: String) {
        var rest = description[...]
        var modifiers: Modifiers = []
        let prefixes = [("ctrl-", Modifiers.control), ("alt-", .alt), ("meta-", .meta), ("shift-", .shift)]
        while let (prefix, modifier) = prefixes.first(where: {
            rest.lowercased().hasPrefix($0.0) && rest.count > $0.0.count
        }) {
            modifiers.insert(modifier)
            rest = rest.dropFirst(prefix.count)
        }
        let names: [String: Code] = [
            "space": .character(" "), "enter": .enter, "tab": .tab, "escape": .escape, "esc": .escape,
            "backspace": .backspace, "delete": .delete, "insert": .insert, "up": .up, "down": .down, "left": .left,
            "right": .right, "home": .home, "end": .end, "pageup": .pageUp, "pgup": .pageUp, "pagedown": .pageDown,
            "pgdn": .pageDown,
        ]
        let word = rest.lowercased()
        if let code = names[word] {
            self.init(code, modifiers)
        } else if rest.count == 1, let character = rest.first, !character.isWhitespace {
            guard let key = Key(named: character, modifiers) else { return nil }
            self = key
        } else if word.first == "f", let number = Int(word.dropFirst()), (1...35).contains(number) {
            self.init(.function(number), modifiers)
        } else {
            return nil
        }
    }

    /// Creates the key press that a terminal reports for a character and modifiers; `nil` if it reports none.
    private init?(named character: Character, _ modifiers: Modifiers) {
        guard !modifiers.contains(.control) else {
            self.init(.character(Character(folding: character) { $0.lowercased() }), modifiers)
            return
        }
        let upper = Character(folding: character) { $0.uppercased() }
        // Shift is part of the character. Which one it types with a digit or a sign is known to the keyboard alone.
        guard !modifiers.contains(.shift) || upper.isUppercase else { return nil }
        self.init(.character(modifiers.contains(.shift) ? upper : character), modifiers.subtracting(.shift))
    }

    /// The key that most terminals report instead, as Tab for Control-I; `nil` for most keys. Kitty's protocol distinguishes
    /// the two.
    var indistinct: Key? {
        guard modifiers.contains(.control), case .character(let character) = code else { return nil }
        switch character {
        case "h": return Key(.backspace)
        case "i": return Key(.tab)
        case "j", "m": return Key(.enter)
        case "[": return Key(.escape)
        default: return nil
        }
    }

    /// Creates the key that sends a scalar.
    package init(typed scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x1B: self.init(.escape)
        case 0..<0x20, 0x7F: self = KeyTable.control(UInt8(scalar.value))
        default: self.init(.character(Character(scalar)))
        }
    }
}

extension Character {
    /// Creates the other case of a character; the character itself if that is not one character.
    init(folding character: Character, _ fold: (Character) -> String) {
        let folded = fold(character)
        self = folded.count == 1 ? folded.first ?? character : character
    }
}
