extension TodoDraft {
    /// Reads a draft from one line, as todo.txt writes it: `(A) Buy milk +home @shop due:fri`.
    ///
    /// A word counts only where it is meant beyond doubt: a leading `(A)`, `+word`, `@word` and `due:DATE` with a date
    /// that can be read. Everything else stays in the title, so that nothing typed is lost.
    ///
    /// - Parameters:
    ///   - line: what somebody typed.
    ///   - today: the day from which `due:fri` and the like count.
    /// - Throws: ``TodoError`` as ``init(title:priority:project:contexts:due:note:)`` does.
    public init(quick line: String, today: Day) throws(TodoError) {
        var title: [Substring] = []
        var priority: Priority?
        var project: String?
        var contexts: [String] = []
        var due: Day?
        // A line far too long is refused by its length, before it is taken apart.
        guard line.utf8.count <= TodoText.titleLimit * 32 else {
            throw .tooLong(field: "title", limit: TodoText.titleLimit)
        }
        for (index, word) in line.split(whereSeparator: \.isWhitespace).enumerated() {
            if index == 0, word.count == 3, word.first == "(", word.last == ")",
                let rank = Priority(word.dropFirst().prefix(1))
            {
                priority = rank
            } else if project == nil, Self.isTag(word, sigil: "+") {
                project = String(word.dropFirst())
            } else if Self.isTag(word, sigil: "@") {
                contexts.append(String(word.dropFirst()))
            } else if due == nil, word.lowercased().hasPrefix("due:"), let day = Day(word.dropFirst(4), today: today) {
                due = day
            } else {
                title.append(word)
            }
        }
        try self.init(
            title: title.joined(separator: " "),
            priority: priority,
            project: project,
            contexts: contexts,
            due: due
        )
    }

    /// Whether a word is a tag: its sigil before a letter, so that `+82` and `@3pm` stay text.
    private static func isTag(_ word: Substring, sigil: Character) -> Bool {
        word.first == sigil && word.dropFirst().first?.isLetter == true && word.count <= TodoText.tagLimit
    }
}
