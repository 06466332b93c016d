#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The validated values of a new todo.
public struct TodoDraft: Hashable, Sendable {
    /// One line, trimmed, not empty, at most ``TodoText/titleLimit`` characters.
    public let title: String
    /// The priority.
    public var priority: Priority?
    /// The projects, one word each without `+`, each contained once.
    public private(set) var projects: [String]
    /// The contexts, one word each without `@`, each contained once.
    public private(set) var contexts: [String]
    /// The labels, one word each without `#`, each contained once.
    public private(set) var tags: [String]
    /// The day by which it is due.
    public var due: Day?
    /// The time of the due day.
    public var dueTime: TimeOfDay?
    /// The day before which it is hidden.
    public var threshold: Day?
    /// The repetition.
    public var recurrence: Recurrence?
    /// The todo of which it is a part.
    public var parent: TodoID?
    /// Further text of any number of lines.
    public private(set) var note: String?

    /// The first project.
    public var project: String? { projects.first }

    /// Validates the texts and creates a draft.
    ///
    /// - Parameters:
    ///   - title: the task; line breaks and tabs become spaces.
    ///   - priority: the priority.
    ///   - project: one word, with or without `+`; `nil` or empty for none.
    ///   - projects: further projects.
    ///   - contexts: one word each, with or without `@`; repeated ones are ignored.
    ///   - tags: one word each, with or without `#`; repeated ones are ignored.
    ///   - due: the day by which it is due.
    ///   - note: further text; `nil` or blank for none.
    /// - Throws: ``TodoError`` if a text is empty, too long, or contains control characters.
    public init(
        title: String,
        priority: Priority? = nil,
        project: String? = nil,
        projects: [String] = [],
        contexts: [String] = [],
        tags: [String] = [],
        due: Day? = nil,
        note: String? = nil
    ) throws(TodoError) {
        self.title = try TodoText.title(title)
        self.priority = priority
        self.projects = try TodoText.tags((project.map { [$0] } ?? []) + projects, field: "project", sigil: "+")
        self.contexts = try TodoText.tags(contexts, field: "context", sigil: "@")
        self.tags = try TodoText.tags(tags, field: "tag", sigil: "#")
        self.due = due
        self.note = try TodoText.note(note)
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
    /// The new project, which replaces all.
    public var project: Update<String>?
    /// The new projects; an empty list removes all. It takes precedence over ``project``.
    public var projects: [String]?
    /// The new contexts; an empty list removes all.
    public var contexts: [String]?
    /// The new labels; an empty list removes all.
    public var tags: [String]?
    /// The new due day. Without a new ``dueTime``, removing the day also removes the time.
    public var due: Update<Day>?
    /// The new time of the due day.
    public var dueTime: Update<TimeOfDay>?
    /// The new threshold.
    public var threshold: Update<Day>?
    /// The new repetition.
    public var recurrence: Update<Recurrence>?
    /// The new parent.
    public var parent: Update<TodoID>?
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
        if let all = projects ?? project.map({ [$0.value ?? ""] }) {
            changed.projects = try TodoText.tags(all, field: "project", sigil: "+")
        }
        if let contexts { changed.contexts = try TodoText.tags(contexts, field: "context", sigil: "@") }
        if let tags { changed.tags = try TodoText.tags(tags, field: "tag", sigil: "#") }
        if let due {
            changed.due = due.value
            if due.value == nil { changed.dueTime = nil }
        }
        if let dueTime { changed.dueTime = changed.due == nil ? nil : dueTime.value }
        if let threshold { changed.threshold = threshold.value }
        if let recurrence { changed.recurrence = recurrence.value }
        if let parent { changed.parent = parent.value }
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
