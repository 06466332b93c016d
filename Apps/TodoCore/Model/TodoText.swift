import TextEscaping

/// The validation of a todo's texts.
public enum TodoText {
    /// The maximum number of characters of a title.
    public static let titleLimit = 1_000
    /// The maximum number of characters of a note.
    public static let noteLimit = 100_000
    /// The maximum number of characters of a project or a context.
    public static let tagLimit = 100
    /// The maximum number of projects of a todo, and that of its contexts and of its labels.
    public static let tagCountLimit = 1_000

    /// Validates a title and returns its stored form: trimmed, on one line.
    static func title(_ text: String) throws(TodoError) -> String {
        if isPlain(text, limit: titleLimit) { return text }
        // The cheap check is first, because iterating over the characters of many megabytes is slow.
        try checkLength(of: text, limit: titleLimit, field: "title")
        let oneLine = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        try checkControls(in: oneLine, field: "title")
        let trimmed = trim(oneLine)
        guard !trimmed.isEmpty else { throw .emptyTitle }
        return trimmed
    }

    /// Validates a typed line before it is parsed, so that an error names the column in the line.
    package static func checkLine(_ line: String) throws(TodoError) {
        // A longer line is an error in any case.
        guard line.utf8.count <= titleLimit * 32 else { return }
        // Every line break becomes a space.
        try checkControls(
            in: line,
            allowing: ["\t", "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}"],
            field: "line"
        )
    }

    /// Validates a note. A blank one becomes `nil`. Line breaks and tabs are allowed.
    static func note(_ text: String?) throws(TodoError) -> String? {
        guard let text else { return nil }
        try checkLength(of: text, limit: noteLimit, field: "note")
        let lines = String(text.map { $0 == "\r\n" ? "\n" : $0 })
        try checkControls(in: lines, allowing: ["\n", "\t"], field: "note")
        let trimmed = trim(lines)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Validates a project or a context: one word, without its sigil. An empty one becomes `nil`.
    static func tag(_ text: String?, field: String, sigil: Character) throws(TodoError) -> String? {
        guard let text else { return nil }
        if isPlain(text, limit: tagLimit), text.first != sigil, !text.utf8.contains(UInt8(ascii: " ")) { return text }
        try checkLength(of: text, limit: tagLimit, field: field)
        try checkControls(in: text, field: field)
        let word = trim(text.first == sigil ? String(text.dropFirst()) : text)
        guard !word.contains(where: \.isWhitespace) else { throw .notOneWord(field: field, text: word) }
        return word.isEmpty ? nil : word
    }

    /// Validates several tags and removes repeated ones.
    static func tags(_ texts: [String], field: String, sigil: Character) throws(TodoError) -> [String] {
        var tags: [String] = []
        var known: Set<String> = []
        for text in texts {
            guard let word = try tag(text, field: field, sigil: sigil) else { continue }
            // A few are searched in less time than hashed.
            let isFew = tags.count < 16
            guard isFew ? !tags.contains(word) : known.insert(word).inserted else { continue }
            guard tags.count < tagCountLimit else { throw .tooMany(field: field, limit: tagCountLimit) }
            tags.append(word)
            if isFew, tags.count == 16 { known = Set(tags) }
        }
        return tags
    }

    /// Checks that no label begins with the sign of another one, as which other formats would read it.
    ///
    /// - Parameters:
    ///   - tags: valid labels, without their own sign.
    ///   - present: labels that the todo has already.
    ///   - field: the name of the field.
    /// - Throws: ``TodoError/signInName(field:text:)``.
    static func checkSigns(_ tags: [String], except present: [String], field: String) throws(TodoError) {
        for tag in tags where "+@#".utf8.contains(tag.utf8.first ?? 0) && !present.contains(tag) {
            throw .signInName(field: field, text: tag)
        }
    }

    /// Returns what is between white space. Most texts have spaces alone, which are found in a fraction of the time.
    static func words(_ text: Substring) -> [Substring] {
        isPlain(String(text), limit: .max)
            ? text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
            : text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map(Substring.init)
    }

    /// Whether a text is printable ASCII and Hangul without spaces around it, as most are: no character of it needs a further
    /// look.
    static func isPlain(_ text: String, limit: Int) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, let last = bytes.last else { return false }
        let space = UInt8(ascii: " ")
        guard bytes.count <= limit, first != space, last != space else { return false }
        var before: UInt8 = 0
        return bytes.allSatisfy { byte in
            defer { before = byte }
            switch byte {
            // The syllables begin with EA B0 to ED 9E.
            case 0x80..<0xC0: return before != 0xEA || byte >= 0xB0
            case 0xEA...0xED: return true
            default: return byte >= space && byte < 0x7F
            }
        }
    }

    private static func checkLength(of text: String, limit: Int, field: String) throws(TodoError) {
        // A character has at least one byte, so only a text with more bytes than the limit is counted.
        guard text.utf8.count > limit else { return }
        // Counting stops just after the limit. A character of many combining marks counts by its bytes.
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
        let scalars = text.unicodeScalars
        guard let place = scalars.firstIndex(where: { $0.isControl && !allowed.contains($0) }) else { return }
        let lines = text[..<place].split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let column = (lines.last?.count ?? 0) + 1
        throw .controlCharacter(field: field, scalar: scalars[place], line: max(1, lines.count), column: column)
    }

    private static func trim(_ text: String) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }
}
