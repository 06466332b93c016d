/// A priority: a letter from A, the highest, to Z, as in todo.txt.
public struct Priority: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The index of the letter, 0 for A to 25 for Z.
    public let rank: UInt8

    /// Creates a priority from a letter in either case; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let bytes = text.utf8
        guard bytes.count == 1, let byte = bytes.first else { return nil }
        let upper = byte & 0xDF
        guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(upper) else { return nil }
        rank = upper - UInt8(ascii: "A")
    }

    /// The letter, in upper case.
    public var description: String { String(UnicodeScalar(UInt8(ascii: "A") + rank)) }

    /// Higher priorities come first: A is less than B.
    public static func < (left: Priority, right: Priority) -> Bool { left.rank < right.rank }
}

extension Priority: TextCodable {
    public static func explanation(ofInvalid text: String) -> String {
        "a priority is a letter from A to Z, not \"\(text)\""
    }
}
