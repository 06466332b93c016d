/// A short name for a todo, such as `k7f2`. It is stable and never assigned to another todo of the same store.
///
/// It is a serial number, permuted and written in Crockford's base 32, which has no letters that look alike. Because a
/// unique prefix is enough to name a todo, plain serial numbers would turn a typing error, or the number of a deleted
/// todo, into the prefix of another todo.
public struct TodoID: Hashable, Sendable, CustomStringConvertible {
    /// The text, in lower case.
    public let description: String

    /// Creates the ID of a serial number, counted from 0.
    ///
    /// The first 2^20 IDs have four characters. Each further character allows 32 times as many.
    public init(serial: UInt64) {
        var rest = serial
        var bits: UInt64 = 20
        while bits < 60, rest >= 1 << bits {
            rest -= 1 << bits
            bits += 5
        }
        let mask: UInt64 = (1 << bits) - 1
        // Each step is one to one modulo 2^bits: an odd factor, and a shift of at least half the bits.
        var mixed = (rest &* 0x9E37_79B1 &+ 0x5_1D35) & mask
        mixed ^= mixed >> (bits / 2)
        mixed = (mixed &* 0x85EB_CA6B) & mask
        mixed ^= mixed >> (bits / 2)
        var text = ""
        var shift = bits
        while shift > 0 {
            shift -= 5
            text.unicodeScalars.append(UnicodeScalar(Self.alphabet[Int((mixed >> shift) & 31)]))
        }
        description = text
    }

    /// The serial number of an ID of four or five characters; `nil` for a longer one.
    var serial: UInt64? {
        let bits = UInt64(5 * description.utf8.count)
        guard bits <= 25 else { return nil }
        let mask: UInt64 = (1 << bits) - 1
        func unshifted(_ value: UInt64) -> UInt64 { value ^ value >> (bits / 2) ^ value >> (bits / 2 * 2) }
        func inverse(_ factor: UInt64) -> UInt64 {
            // Newton's method: each step doubles the number of right bits, of which an odd number has three.
            (0..<5).reduce(factor) { inverse, _ in inverse &* (2 &- factor &* inverse) }
        }
        let mixed = description.utf8.reduce(0) { $0 << 5 | UInt64(Self.alphabet.firstIndex(of: $1) ?? 0) }
        let middle = unshifted((unshifted(mixed) &* inverse(0x85EB_CA6B)) & mask)
        let rest = ((middle &- 0x5_1D35) &* inverse(0x9E37_79B1)) & mask
        return bits == 20 ? rest : rest + (1 << 20)
    }

    /// Parses a complete ID in its stored form; `nil` if it has other characters or fewer than four.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count >= 4, text.utf8.allSatisfy(Self.isLetter) else { return nil }
        description = String(text)
    }

    /// Returns typed text in the form of IDs: in lower case, with `0` for `o` and `1` for `i` and `l`.
    public static func normalised(_ typed: some StringProtocol) -> String {
        String(
            typed.lowercased().map { character in
                switch character {
                case "o": "0"
                case "i", "l": "1"
                default: character
                }
            }
        )
    }

    /// Returns the ID that typed text names.
    ///
    /// - Parameters:
    ///   - typed: an ID or a unique prefix of one, in any case. A complete ID takes precedence over a prefix.
    ///   - ids: the IDs that can be named.
    /// - Returns: the ID.
    /// - Throws: ``TodoError/notFound(name:)``, or ``TodoError/ambiguous(name:candidates:)`` with at most twenty candidates.
    public static func named(
        _ typed: some StringProtocol,
        among ids: some Sequence<TodoID>
    ) throws(TodoError) -> TodoID {
        let name = normalised(typed)
        var candidates: Set<TodoID> = []
        for id in ids where !name.isEmpty && id.description.hasPrefix(name) {
            if id.description == name { return id }
            candidates.insert(id)
        }
        guard let first = candidates.first else { throw .notFound(name: String(typed)) }
        guard candidates.count == 1 else {
            let sorted = candidates.sorted { $0.description < $1.description }
            throw .ambiguous(name: String(typed), candidates: Array(sorted.prefix(20)))
        }
        return first
    }

    /// Whether a byte is of the alphabet: no `i`, `l`, `o` and `u`.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "i"), UInt8(ascii: "l"), UInt8(ascii: "o"), UInt8(ascii: "u"): false
        default: (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
    }

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}

extension TodoID: TextCodable {
    public static func explanation(ofInvalid text: String) -> String {
        "\"\(text)\" is not the name of a todo"
    }
}
