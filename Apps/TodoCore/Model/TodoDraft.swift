/// The validated values of a new todo.
public struct TodoDraft: Hashable, Sendable {
    /// One line, trimmed, not empty, at most ``TodoText/titleLimit`` characters.
    public let title: String
    /// The priority.
    public var priority: Priority?
    /// The project, one word without `+`.
    public private(set) var project: String?
    /// The contexts, one word each without `@`, each contained once.
    public private(set) var contexts: [String]
    /// The day by which it is due.
    public var due: Day?
    /// Further text of any number of lines.
    public private(set) var note: String?

    /// Validates the texts and creates a draft.
    ///
    /// - Parameters:
    ///   - title: the task; line breaks and tabs become spaces.
    ///   - priority: the priority.
    ///   - project: one word, with or without `+`; `nil` or empty for none.
    ///   - contexts: one word each, with or without `@`; repeated ones are ignored.
    ///   - due: the day by which it is due.
    ///   - note: further text; `nil` or blank for none.
    /// - Throws: ``TodoError`` if a text is empty, too long, or contains control characters.
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
    /// Parses a line in the form of todo.txt, such as `(A) Buy milk +home @shop due:fri`.
    ///
    /// Only unambiguous words are parsed: a leading `(A)`, `+word`, `@word`, and `due:DATE` with a valid date. All other
    /// words become the title, so that no typed text is lost.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - today: the day that relative dates such as `due:fri` count from.
    /// - Throws: ``TodoError`` as ``init(title:priority:project:contexts:due:note:)`` does.
    public init(quick line: String, today: Day) throws(TodoError) {
        var title: [Substring] = []
        var priority: Priority?
        var project: String?
        var contexts: [String] = []
        var due: Day?
        // The length is checked before the line is split.
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

    /// Whether a word is a tag: its sigil is followed by a letter, so that `+82` and `@3pm` remain text.
    private static func isTag(_ word: Substring, sigil: Character) -> Bool {
        word.first == sigil && word.dropFirst().first?.isLetter == true && word.count <= TodoText.tagLimit
    }
}

/// The changes of an edit. Properties that are `nil` change nothing.
public struct TodoChange: Hashable, Sendable {
    /// The change of an optional value.
    public enum Update<Value: Hashable & Sendable>: Hashable, Sendable {
        /// Removes the value.
        case clear
        /// Replaces the value.
        case set(Value)
    }

    /// The new title.
    public var title: String?
    /// The new priority.
    public var priority: Update<Priority>?
    /// The new project.
    public var project: Update<String>?
    /// The new contexts; an empty list removes all.
    public var contexts: [String]?
    /// The new due day.
    public var due: Update<Day>?
    /// The new note.
    public var note: Update<String>?

    /// Creates an empty change.
    public init() {}

    /// Whether the change is empty.
    public var isEmpty: Bool { self == TodoChange() }

    /// Applies the change completely or, if a text is invalid, not at all.
    ///
    /// - Parameter todo: the todo. The caller sets its ``Todo/modified``.
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
    /// The new value; `nil` if it is removed.
    public var value: Value? {
        switch self {
        case .clear: nil
        case .set(let value): value
        }
    }
}
