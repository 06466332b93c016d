/// The text and caret of a text control, counted in grapheme clusters: a Hangul syllable or a family emoji is one step.
struct EditableText: Hashable, Sendable {
    private(set) var characters: [Character]
    /// The number of clusters before the caret.
    private(set) var cursor: Int

    init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    var text: String { String(characters) }

    /// Inserts text at the caret. Scalars that combine with their neighbours form one cluster with them.
    mutating func insert(_ text: String) {
        let head = String(characters[..<cursor]) + text
        characters = Array(head + String(characters[cursor...]))
        cursor = min(characters.count, head.count)
    }

    mutating func move(to index: Int) {
        cursor = max(0, min(characters.count, index))
    }

    mutating func delete(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<characters.count)
        characters.removeSubrange(range)
        cursor = range.lowerBound
        // The clusters before and after the deleted range may combine.
        let head = String(characters[..<cursor])
        characters = Array(String(characters))
        cursor = min(characters.count, head.count)
    }

    /// The start of the word before the caret.
    var wordStart: Int {
        var index = cursor
        while index > 0 && characters[index - 1].isWhitespace { index -= 1 }
        while index > 0 && !characters[index - 1].isWhitespace { index -= 1 }
        return index
    }

    /// The end of the word after the caret.
    var wordEnd: Int {
        var index = cursor
        while index < characters.count && characters[index].isWhitespace { index += 1 }
        while index < characters.count && !characters[index].isWhitespace { index += 1 }
        return index
    }

    /// Performs a key's editing command; returns false for a key that edits nothing.
    mutating func apply(_ key: Key) -> Bool {
        switch (key.code, key.modifiers) {
        case (.left, []), (.character("b"), .control): move(to: cursor - 1)
        case (.right, []), (.character("f"), .control): move(to: cursor + 1)
        case (.left, .control), (.left, .alt), (.character("b"), .alt): move(to: wordStart)
        case (.right, .control), (.right, .alt), (.character("f"), .alt): move(to: wordEnd)
        case (.home, []), (.character("a"), .control): move(to: 0)
        case (.end, []), (.character("e"), .control): move(to: characters.count)
        case (.backspace, []): delete(cursor - 1..<cursor)
        case (.delete, []), (.character("d"), .control): delete(cursor..<cursor + 1)
        case (.character("w"), .control), (.backspace, .alt), (.backspace, .control): delete(wordStart..<cursor)
        case (.character("u"), .control): delete(0..<cursor)
        case (.character("k"), .control): delete(cursor..<characters.count)
        default: return false
        }
        return true
    }
}
