/// What a new todo is to hold, checked.
public struct TodoDraft: Hashable, Sendable {
    /// One line, trimmed, not empty, at most ``TodoText/titleLimit`` characters.
    public let title: String
    /// How pressing it is.
    public var priority: Priority?
    /// The project, one word without `+`.
    public private(set) var project: String?
    /// The contexts, one word each without `@`, no two alike.
    public private(set) var contexts: [String]
    /// The day by which it should be done.
    public var due: Day?
    /// Further text of any number of lines.
    public private(set) var note: String?

    /// Checks the texts and creates a draft.
    ///
    /// - Parameters:
    ///   - title: what is to be done; line breaks and tabs become spaces.
    ///   - priority: how pressing it is.
    ///   - project: one word, with or without `+`; `nil` or empty for none.
    ///   - contexts: one word each, with or without `@`; repeated ones are taken once.
    ///   - due: the day by which it should be done.
    ///   - note: further text; `nil` or blank for none.
    /// - Throws: ``TodoError`` where a text is empty, too long, or holds control characters.
    public init(
        title: String,
        priority: Priority? = nil,
        project: String? = nil,
        contexts: [String] = [],
        due: Day? = nil,
        note: String? = nil
    ) throws(TodoError) {
        self.title = try TodoText.title(title)
        self.priority = priority
        self.project = try TodoText.tag(project, field: "project", sigil: "+")
        self.contexts = try TodoText.tags(contexts, field: "context", sigil: "@")
        self.due = due
        self.note = try TodoText.note(note)
    }
}

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

/// What an edit changes about a todo; whatever is `nil` stays as it is.
public struct TodoChange: Hashable, Sendable {
    /// A new value, or none at all.
    public enum Update<Value: Hashable & Sendable>: Hashable, Sendable {
        /// Takes the value away.
        case clear
        /// Puts another in its place.
        case set(Value)
    }

    /// The new title.
    public var title: String?
    /// The new priority.
    public var priority: Update<Priority>?
    /// The new project.
    public var project: Update<String>?
    /// The new contexts; an empty list takes all of them away.
    public var contexts: [String]?
    /// The new due day.
    public var due: Update<Day>?
    /// The new note.
    public var note: Update<String>?

    /// Creates a change that changes nothing yet.
    public init() {}

    /// Whether it changes nothing.
    public var isEmpty: Bool { self == TodoChange() }

    /// Applies the change, all of it or, where a text is refused, nothing.
    ///
    /// - Parameter todo: the todo to change; its ``Todo/modified`` is the caller's to set.
    /// - Throws: ``TodoError`` as ``TodoDraft`` does.
    public func apply(to todo: inout Todo) throws(TodoError) {
        var changed = todo
        if let title { changed.title = try TodoText.title(title) }
        if let priority { changed.priority = priority.value }
        if let project { changed.project = try TodoText.tag(project.value, field: "project", sigil: "+") }
        if let contexts { changed.contexts = try TodoText.tags(contexts, field: "context", sigil: "@") }
        if let due { changed.due = due.value }
        if let note { changed.note = try TodoText.note(note.value) }
        todo = changed
    }
}

extension TodoChange.Update {
    /// The new value, `nil` where it is taken away.
    public var value: Value? {
        switch self {
        case .clear: nil
        case .set(let value): value
        }
    }
}
