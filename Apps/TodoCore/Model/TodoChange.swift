/// The values of a new todo, or the changes of an edit. Properties that are `nil` change nothing.
public struct TodoChange: Hashable, Sendable {
    /// The change of an optional value.
    public enum Update<Value: Hashable & Sendable>: Hashable, Sendable {
        /// Removes the value.
        case clear
        /// Replaces the value.
        case set(Value)

        /// Creates the change to an optional value.
        public init(_ value: Value?) { self = value.map { .set($0) } ?? .clear }

        /// The new value; `nil` if it is removed.
        public var value: Value? { if case .set(let value) = self { value } else { nil } }
    }

    /// The new title: one line, at most ``TodoText/titleLimit`` characters.
    public var title: String?
    /// The new priority.
    public var priority: Update<Priority>?
    /// The new projects, one word each, with or without `+`; an empty list removes all.
    public var projects: [String]?
    /// The new contexts, one word each, with or without `@`; an empty list removes all.
    public var contexts: [String]?
    /// The new labels, one word each, with or without `#`; an empty list removes all.
    public var tags: [String]?
    /// The projects, contexts and labels that are added to those of the todo.
    public var addedProjects: [String] = []
    public var addedContexts: [String] = []
    public var addedTags: [String] = []
    /// The name of the new list; removing it makes the todo local.
    public var list: Update<String>?
    /// The projects, contexts and labels that are removed from those of the todo. One that it does not have is ignored.
    public var removedProjects: [String] = []
    public var removedContexts: [String] = []
    public var removedTags: [String] = []
    /// Whether it no longer waits for any other todo, before ``addedDependencies`` are added.
    public var removesDependencies = false
    /// The todos for which it waits in addition, and those for which it no longer waits. The store resolves them; see
    /// ``TodoStoring/perform(_:)``.
    public var addedDependencies: [TodoID] = []
    public var removedDependencies: [TodoID] = []
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
    /// The line that is added at the end of the note.
    public var addedNote: String?

    /// Creates an empty change.
    public init() {}

    /// Creates the change whose properties a closure sets.
    package init(_ set: (inout TodoChange) -> Void) { set(&self) }

    /// Creates the values of a new todo. Texts are validated and stored as a todo stores them.
    ///
    /// - Parameters:
    ///   - title: the task; line breaks and tabs become spaces.
    ///   - priority: the priority.
    ///   - projects: one word each, with or without `+`; repeated ones are ignored.
    ///   - contexts: one word each, with or without `@`; repeated ones are ignored.
    ///   - tags: one word each, with or without `#`; repeated ones are ignored.
    ///   - due: the day by which it is due.
    ///   - recurrence: the repetition.
    ///   - parent: the todo of which it is a part.
    ///   - note: further text; `nil` or blank for none.
    /// - Throws: ``TodoError`` if a text is empty, too long, or contains control characters.
    public init(
        title: String,
        priority: Priority? = nil,
        projects: [String] = [],
        contexts: [String] = [],
        tags: [String] = [],
        due: Day? = nil,
        recurrence: Recurrence? = nil,
        parent: TodoID? = nil,
        note: String? = nil
    ) throws(TodoError) {
        self.title = try TodoText.title(title)
        self.projects = try TodoText.tags(projects, field: "project", sigil: "+")
        self.contexts = try TodoText.tags(contexts, field: "context", sigil: "@")
        self.tags = try TodoText.tags(tags, field: "tag", sigil: "#")
        self.note = try TodoText.note(note).map { .set($0) }
        self.priority = priority.map { .set($0) }
        self.due = due.map { .set($0) }
        self.recurrence = recurrence.map { .set($0) }
        self.parent = parent.map { .set($0) }
    }

    /// Whether the change is empty.
    public var isEmpty: Bool { self == TodoChange() }

    /// Applies the change completely or, if a text is invalid, not at all.
    ///
    /// - Parameter todo: the todo. The caller sets its ``Todo/modified``.
    /// - Throws: ``TodoError`` if a text is empty, too long, or contains control characters, or if a new label begins with the
    ///   sign of another one.
    public func apply(to todo: inout Todo) throws(TodoError) { try apply(to: &todo, allowsSigns: false) }

    /// Applies the change as ``apply(to:)`` does. Files may contain labels that begin with a sign.
    func apply(to todo: inout Todo, allowsSigns: Bool) throws(TodoError) {
        // All texts are validated before the first change.
        let title = try self.title.map { text throws(TodoError) in try TodoText.title(text) }
        func labels(
            _ present: [String],
            _ new: [String]?,
            _ added: [String],
            _ removed: [String],
            _ field: String,
            _ sigil: Character
        ) throws(TodoError) -> [String]? {
            guard new != nil || !added.isEmpty || !removed.isEmpty else { return nil }
            let all = try TodoText.tags((new ?? present) + added, field: field, sigil: sigil)
            let rest = try TodoText.tags(removed, field: field, sigil: sigil)
            if !allowsSigns { try TodoText.checkSigns(all, except: present, field: field) }
            return all.filter { !rest.contains($0) }
        }
        let projects = try labels(todo.projects, projects, addedProjects, removedProjects, "project", "+")
        let contexts = try labels(todo.contexts, contexts, addedContexts, removedContexts, "context", "@")
        let tags = try labels(todo.tags, tags, addedTags, removedTags, "tag", "#")
        var note = note
        if let text = note?.value { note = .init(try TodoText.note(text)) }
        if let addedNote {
            let old = note == nil ? todo.note : note?.value
            note = .init(try TodoText.note((old.map { $0 + "\n" } ?? "") + addedNote))
        }
        if let title { todo.title = title }
        if let priority { todo.priority = priority.value }
        if let projects { todo.projects = projects }
        if let contexts { todo.contexts = contexts }
        if let tags { todo.tags = tags }
        if removesDependencies { todo.dependencies = [] }
        if let list { todo.list = list.value }
        if let due {
            if todo.due != due.value { todo.monthDay = nil }
            todo.due = due.value
            if due.value == nil { todo.dueTime = nil }
        }
        if let dueTime { todo.dueTime = todo.due == nil ? nil : dueTime.value }
        if let threshold {
            if todo.due == nil, todo.threshold != threshold.value { todo.monthDay = nil }
            todo.threshold = threshold.value
        }
        if let recurrence {
            todo.recurrence = recurrence.value
            todo.extras[ICalendarFormat.ruleKey] = nil
        }
        if let parent {
            todo.parent = parent.value
            // The link to a parent that is not in the store is replaced, too.
            todo.extras["parent"] = nil
        }
        if let note { todo.note = note.value }
    }

    /// Returns the change with the properties of another one, which take precedence.
    public func merging(_ other: TodoChange) -> TodoChange {
        var merged = self
        merged.title = other.title ?? title
        merged.priority = other.priority ?? priority
        if other.projects != nil { (merged.projects, merged.addedProjects) = (other.projects, []) }
        if other.contexts != nil { (merged.contexts, merged.addedContexts) = (other.contexts, []) }
        if other.tags != nil { (merged.tags, merged.addedTags) = (other.tags, []) }
        merged.addedProjects += other.addedProjects
        merged.addedContexts += other.addedContexts
        merged.addedTags += other.addedTags
        merged.list = other.list ?? list
        merged.removedProjects += other.removedProjects
        merged.removedContexts += other.removedContexts
        merged.removedTags += other.removedTags
        merged.removesDependencies = removesDependencies || other.removesDependencies
        merged.addedDependencies += other.addedDependencies
        merged.removedDependencies += other.removedDependencies
        merged.due = other.due ?? due
        merged.dueTime = other.dueTime ?? dueTime
        merged.threshold = other.threshold ?? threshold
        merged.recurrence = other.recurrence ?? recurrence
        merged.parent = other.parent ?? parent
        merged.note = other.note ?? note
        merged.addedNote = other.addedNote ?? addedNote
        return merged
    }
}
