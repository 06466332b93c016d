/// A short name for a todo, such as `k7f2`. It is stable and never assigned to another todo of the same store.
///
/// It is a serial number, permuted and written in Crockford's base 32, which has no letters that look alike. Because a
/// unique prefix is enough to name a todo, plain serial numbers would turn a typing error, or the number of a deleted
/// todo, into the prefix of another todo.
public struct TodoID: Hashable, Sendable, CustomStringConvertible {
    /// The characters as their places in the alphabet, five bits each from the left, and their number in the last four bits.
    let bits: UInt64

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
        self.bits = mixed << (64 - bits) | bits / 5
    }

    private static let lengths = 4...12
    private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

    /// The number of characters.
    private var count: Int { Int(bits & 15) }

    /// The text, in lower case.
    public var description: String {
        String(unsafeUninitializedCapacity: count) { text in
            for place in 0..<count { text[place] = Self.alphabet.utf8Start[Int(bits >> (59 - 5 * place) & 31)] }
            return count
        }
    }

    /// The serial number of an ID of four or five characters; `nil` for a longer one.
    var serial: UInt64? {
        guard count <= 5 else { return nil }
        let bits = UInt64(5 * count)
        let mask: UInt64 = (1 << bits) - 1
        func unshifted(_ value: UInt64) -> UInt64 { value ^ value >> (bits / 2) ^ value >> (bits / 2 * 2) }
        func inverse(_ factor: UInt64) -> UInt64 {
            // Newton's method: each step doubles the number of right bits, of which an odd number has three.
            (0..<5).reduce(factor) { inverse, _ in inverse &* (2 &- factor &* inverse) }
        }
        let mixed = self.bits >> (64 - bits)
        let middle = unshifted((unshifted(mixed) &* inverse(0x85EB_CA6B)) & mask)
        let rest = ((middle &- 0x5_1D35) &* inverse(0x9E37_79B1)) & mask
        return bits == 20 ? rest : rest + (1 << 20)
    }

    /// Parses a complete ID in its stored form; `nil` if it has other characters, fewer than four or more than twelve.
    public init?(_ text: some StringProtocol) {
        guard let bits = Self.bits(ofPrefix: text) else { return nil }
        self.init(bits: bits)
    }

    /// Creates an ID from its bits; `nil` if no ID has them.
    init?(bits: UInt64) {
        self.bits = bits
        let unused: UInt64 = ((1 << 60 - 1) >> UInt64(5 * count)) << 4
        guard Self.lengths.contains(count), bits & unused == 0 else { return nil }
    }

    /// Returns the bits of a text that may be the beginning of an ID, which are not greater than those of the IDs that begin
    /// with it; `nil` if none can.
    static func bits(ofPrefix text: some StringProtocol) -> UInt64? {
        let bytes = text.utf8
        guard bytes.count <= lengths.upperBound else { return nil }
        var bits = UInt64(bytes.count)
        var shift = 64
        for byte in bytes {
            guard let place = place(ofLetter: byte) else { return nil }
            shift -= 5
            bits |= UInt64(place) << shift
        }
        return bits
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

    /// Returns the place of a byte in the alphabet, which has no `i`, `l`, `o` and `u`.
    private static func place(ofLetter byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "h"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "j")...UInt8(ascii: "k"): byte - UInt8(ascii: "j") + 18
        case UInt8(ascii: "m")...UInt8(ascii: "n"): byte - UInt8(ascii: "m") + 20
        case UInt8(ascii: "p")...UInt8(ascii: "t"): byte - UInt8(ascii: "p") + 22
        case UInt8(ascii: "v")...UInt8(ascii: "z"): byte - UInt8(ascii: "v") + 27
        default: nil
        }
    }
}

extension TodoID: Comparable {
    /// The order of the texts.
    public static func < (left: TodoID, right: TodoID) -> Bool { left.bits < right.bits }
}

extension TodoID: TextCodable {
    public static func explanation(ofInvalid text: String) -> String {
        "\"\(text)\" is not the name of a todo"
    }
}
