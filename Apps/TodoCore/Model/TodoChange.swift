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
