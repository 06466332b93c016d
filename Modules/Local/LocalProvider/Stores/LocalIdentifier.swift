/// An identifier as the stores compare it: byte by byte.
///
/// Two Swift strings are equal if they are canonically equivalent in Unicode, even with different bytes. File names and
/// journals do not compare that way, so no store does.
public struct LocalIdentifier: Hashable, Sendable {
    /// The maximum number of bytes of an identifier in UTF-8.
    public static let lengthLimit = 4_096

    /// The identifier.
    public let text: String

    /// Creates an identifier.
    ///
    /// - Throws: ``LocalError/invalidIdentifier(identifier:detail:)`` if it is empty or longer than ``lengthLimit`` bytes.
    public init(_ text: String) throws(LocalError) {
        guard !text.isEmpty else { throw .invalidIdentifier(identifier: text, detail: "it is empty") }
        guard text.utf8.count <= Self.lengthLimit else {
            throw .invalidIdentifier(identifier: text, detail: "it has more than \(Self.lengthLimit) bytes")
        }
        self.text = text
    }

    /// Creates an identifier from a text that was checked before.
    init(unchecked text: String) { self.text = text }

    /// Returns whether both have the same bytes.
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
    /// - Throws: ``LocalError/invalidIdentifier(identifier:detail:)`` if the dictionary has a canonically equivalent
    ///   identifier, whose value stays: stores distinguish the two by their bytes, and a dictionary would lose one
    ///   of them.
    mutating func insert(_ value: Value, for identifier: String) throws(LocalError) {
        guard let present = updateValue(value, forKey: identifier) else { return }
        self[identifier] = present
        let detail =
            "another identifier has the same characters in other bytes, and a dictionary holds only one of them: "
            + "read each value alone"
        throw .invalidIdentifier(identifier: identifier, detail: detail)
    }
}
