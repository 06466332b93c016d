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
