/// Text with styles and links, in parts.
///
///     var text = AttributedText("Read the ")
///     text.append("manual", link: "https://example.org/manual")
public struct AttributedText: Hashable, Sendable {
    /// The parts in order.
    public private(set) var parts: [Part] = []

    /// A part of the text with one style and link.
    public struct Part: Hashable, Sendable {
        /// The text.
        public var text: String
        /// The style; standard colours are those of the label. `nil` is the label's style.
        public var style: TextStyle?
        /// The address that the part links to.
        public var link: String?
    }

    /// Creates a text of one part without a style.
    public init(_ text: String = "") {
        if !text.isEmpty { parts = [Part(text: text)] }
    }

    /// Appends text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - style: The style; standard colours are those of the label.
    ///   - link: The address of a link. Addresses with characters other than printable ASCII, and longer than 2,000
    ///     characters, are not written to the terminal; the label still reports them.
    public mutating func append(_ text: String, style: TextStyle? = nil, link: String? = nil) {
        if !text.isEmpty { parts.append(Part(text: text, style: style, link: link)) }
    }

    /// The text without styles.
    public var text: String { parts.count == 1 ? parts[0].text : parts.map(\.text).joined() }

    /// The addresses of the links in order.
    public var links: [String] { parts.compactMap(\.link) }

    /// The characters of the text with the index of their part. A character that begins in one part, and that a combining mark
    /// of the next one continues, is of the first.
    var partOfCharacters: [(character: Character, part: Int)] {
        var part = 0
        var left = parts.first?.text.utf8.count ?? 0
        return text.map { character in
            while left <= 0 && part + 1 < parts.count {
                part += 1
                left += parts[part].text.utf8.count
            }
            left -= character.utf8.count
            return (character, part)
        }
    }
}

/// The address of a hyperlink in a cell (OSC 8), as a number. Equal addresses have equal numbers.
public struct LinkID: Hashable, Sendable {
    let value: UInt32

    /// No link.
    public static let none = LinkID(value: 0)

    /// Returns the number of an address: its FNV-1a hash, never 0.
    init(address: String) {
        var hash: UInt32 = 2_166_136_261
        for byte in address.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        value = hash == 0 ? 1 : hash
    }

    init(value: UInt32) { self.value = value }

    /// Returns whether an address can be written to a terminal: printable ASCII without spaces, up to 2,000 characters.
    static func isWritable(_ address: String) -> Bool {
        !address.isEmpty && address.utf8.count <= 2000 && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
