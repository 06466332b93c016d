extension Todo {
    /// The web addresses in the title and the note, each once, in their order.
    public var links: [String] {
        var links: [String] = []
        for text in [title, note ?? ""] where text.utf8.contains(UInt8(ascii: ":")) {
            for word in TodoText.words(text[...]) where word.utf8.contains(UInt8(ascii: ":")) {
                guard let link = Self.link(in: word), !links.contains(link) else { continue }
                links.append(link)
            }
        }
        return links
    }

    private static let schemes = ["https://", "http://", "mailto:"]

    /// Returns the address in a word, without the brackets and the punctuation around it.
    private static func link(in word: Substring) -> String? {
        let bare = word.drop { "(<[\"'".contains($0) }
        let lowercase = bare.lowercased()
        guard let scheme = schemes.first(where: lowercase.hasPrefix) else { return nil }
        var end = bare.endIndex
        while end > bare.startIndex {
            let last = bare.index(before: end)
            guard ".,;:!?)>]\"'".contains(bare[last]) else { break }
            // A bracket that the address opened belongs to it.
            if bare[last] == ")", bare[..<last].contains("(") { break }
            end = last
        }
        let link = bare[..<end]
        return link.count > scheme.count ? String(link) : nil
    }
}
