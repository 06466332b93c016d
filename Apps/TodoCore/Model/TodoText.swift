/// The rules that a todo's texts keep, wherever they come from.
public enum TodoText {
    /// The most characters a title may have.
    public static let titleLimit = 1_000
    /// The most characters a note may have.
    public static let noteLimit = 100_000
    /// The most characters a project or a context may have.
    public static let tagLimit = 100

    /// Checks a title and returns it as it is kept: trimmed, on one line.
    static func title(_ text: String) throws(TodoError) -> String {
        // The cheap measure first: a text of many megabytes is not walked character by character.
        try checkLength(of: text, limit: titleLimit, field: "title")
        let oneLine = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        try checkControls(in: oneLine, field: "title")
        let trimmed = trim(oneLine)
        guard !trimmed.isEmpty else { throw .emptyTitle }
        return trimmed
    }

    /// Checks a note; blank ones become `nil`, and its line breaks and tabs stay.
    static func note(_ text: String?) throws(TodoError) -> String? {
        guard let text else { return nil }
        try checkLength(of: text, limit: noteLimit, field: "note")
        let lines = String(text.map { $0 == "\r\n" ? "\n" : $0 })
        try checkControls(in: lines, allowing: ["\n", "\t"], field: "note")
        let trimmed = trim(lines)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Checks a project or a context: one word, its sigil taken off; empty ones become `nil`.
    static func tag(_ text: String?, field: String, sigil: Character) throws(TodoError) -> String? {
        guard let text else { return nil }
        try checkLength(of: text, limit: tagLimit, field: field)
        try checkControls(in: text, field: field)
        let word = trim(text.first == sigil ? String(text.dropFirst()) : text)
        guard !word.contains(where: \.isWhitespace) else { throw .notOneWord(field: field, text: word) }
        return word.isEmpty ? nil : word
    }

    /// Checks several tags and drops repeated ones.
    static func tags(_ texts: [String], field: String, sigil: Character) throws(TodoError) -> [String] {
        var kept: [String] = []
        for text in texts {
            guard let word = try tag(text, field: field, sigil: sigil), !kept.contains(word) else { continue }
            kept.append(word)
        }
        return kept
    }

    private static func checkLength(of text: String, limit: Int, field: String) throws(TodoError) {
        // A character may take several bytes, so only a text with more bytes than the limit needs counting.
        guard text.utf8.count > limit else { return }
        // Counting stops just past the limit; a single character of endless combining marks counts by its bytes.
        let isTooLong =
            text.utf8.count > limit * 32
            || text.index(text.startIndex, offsetBy: limit + 1, limitedBy: text.endIndex) != nil
        if isTooLong { throw .tooLong(field: field, limit: limit) }
    }

    private static func checkControls(
        in text: String,
        allowing allowed: Set<UnicodeScalar> = [],
        field: String
    ) throws(TodoError) {
        for scalar in text.unicodeScalars where isControl(scalar) && !allowed.contains(scalar) {
            throw .controlCharacter(field: field, scalar: scalar)
        }
    }

    /// C0, DEL, C1, and the marks that turn the direction of the text around them.
    private static func isControl(_ scalar: UnicodeScalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func trim(_ text: String) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }
}
