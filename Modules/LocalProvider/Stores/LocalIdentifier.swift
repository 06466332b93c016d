/// An identifier as the stores compare it: byte by byte.
///
/// Swift's own comparison of strings takes different bytes for equal where Unicode calls them canonically equivalent;
/// file names and journals cannot, so no store does.
public struct LocalIdentifier: Hashable, Sendable {
    /// The most bytes an identifier may have in UTF-8.
    public static let lengthLimit = 4_096

    /// The identifier itself.
    public let text: String

    /// Checks an identifier.
    ///
    /// - Throws: ``LocalError/invalidIdentifier(identifier:detail:)`` where it is empty or too long.
    public init(_ text: String) throws(LocalError) {
        guard !text.isEmpty else {
            throw .invalidIdentifier(identifier: text, detail: "it is empty")
        }
        guard text.utf8.count <= Self.lengthLimit else {
            throw .invalidIdentifier(identifier: text, detail: "it has more than \(Self.lengthLimit) bytes")
        }
        self.text = text
    }

    /// For identifiers that have been checked before.
    init(unchecked text: String) {
        self.text = text
    }

    /// Whether both have the same bytes.
    public static func == (left: LocalIdentifier, right: LocalIdentifier) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Dictionary where Key == String {
    /// Adds the value of an identifier.
    ///
    /// - Throws: ``LocalError/invalidIdentifier(identifier:detail:)`` where a dictionary cannot tell it from one that is in it:
    ///   they are kept apart by their bytes, and one of them would be lost here without a word.
    mutating func insert(_ value: Value, for identifier: String) throws(LocalError) {
        guard updateValue(value, forKey: identifier) != nil else { return }
        let detail = "another has the same characters in other bytes, and a dictionary holds only one: read each alone"
        throw .invalidIdentifier(identifier: identifier, detail: detail)
    }
}
