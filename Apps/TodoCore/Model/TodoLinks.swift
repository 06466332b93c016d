extension Todo {
    /// The web addresses in the title and the note, each once, in their order.
    public var links: [String] {
        var links: [String] = []
        Self.append(linksIn: title, to: &links)
        if let note { Self.append(linksIn: note, to: &links) }
        return links
    }

    private static func append(linksIn text: String, to links: inout [String]) {
        // Most texts have none.
        guard text.utf8.contains(UInt8(ascii: ":")) else { return }
        for word in TodoText.words(text[...]) where word.utf8.contains(UInt8(ascii: ":")) {
            guard let link = link(in: word), !links.contains(link) else { continue }
            links.append(link)
        }
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
