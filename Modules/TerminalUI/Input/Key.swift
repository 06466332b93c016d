/// A key as the terminal reports it.
public struct Key: Hashable, Sendable, CustomStringConvertible {
    /// Which key.
    public var code: Code
    /// What was held down with it, as far as the terminal tells.
    public var modifiers: Modifiers

    /// A key with modifiers.
    public init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// The kinds of keys.
    public enum Code: Hashable, Sendable {
        /// Typed text, one scalar at a time; Shift shows in the letter alone.
        case character(Character)
        /// Return or Enter.
        case enter
        /// Tab; backwards it comes as `tab` with `shift`.
        case tab
        /// Escape alone.
        case escape
        /// The key that deletes backwards.
        case backspace
        /// The key that deletes forwards.
        case delete
        /// Insert.
        case insert
        /// The arrow up.
        case up
        /// The arrow down.
        case down
        /// The arrow left.
        case left
        /// The arrow right.
        case right
        /// Home.
        case home
        /// End.
        case end
        /// Page up.
        case pageUp
        /// Page down.
        case pageDown
        /// F1 to F20.
        case function(Int)
    }

    /// The keys held down with another.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// The set of these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Shift, where it does not show in the character.
        public static let shift = Modifiers(rawValue: 1)
        /// Alt or Option.
        public static let alt = Modifiers(rawValue: 2)
        /// Control.
        public static let control = Modifiers(rawValue: 4)
        /// Super, Command or Meta.
        public static let meta = Modifiers(rawValue: 8)
    }

    /// A key that types a character.
    public static func character(_ character: Character, _ modifiers: Modifiers = []) -> Key {
        Key(.character(character), modifiers)
    }

    /// Control and a letter.
    public static func control(_ character: Character) -> Key {
        Key(.character(character), .control)
    }

    /// The text that the key types, if it does: no modifier but Shift.
    public var text: String? {
        guard case .character(let character) = code, modifiers.subtracting(.shift).isEmpty else { return nil }
        return String(character)
    }

    /// The key in words, its modifiers first: `ctrl-c`, `shift-up`, `alt-space`.
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
