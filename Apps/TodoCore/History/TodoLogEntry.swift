/// A change in the history of a store.
public struct TodoLogEntry: Hashable, Sendable {
    /// A todo before and after the change.
    public struct Version: Hashable, Sendable {
        /// The ID.
        public let id: TodoID
        /// The todo before the change; `nil` if the change added it.
        public let before: Todo?
        /// The todo after the change; `nil` if the change deleted it.
        public let after: Todo?

        /// Creates a version.
        package init(id: TodoID, before: Todo?, after: Todo?) {
            (self.id, self.before, self.after) = (id, before, after)
        }

        /// The fields that the change changed.
        public var differences: [TodoDifference] { TodoDifference.between(before, after) }
    }

    /// The position in the history.
    public let number: Int
    /// A short description of the change, such as `add "Buy milk"`.
    public let summary: String
    /// The time; `nil` for changes of the first version of the program.
    public let date: Date?
    /// The process that made the change, such as `Dog[4711]`; `nil` for changes of the first version.
    public let process: String?
    /// Whether the change is undone, and can be redone.
    public let isUndone: Bool
    /// The todos of the change, by ID.
    public let versions: [Version]

    /// Creates an entry, for a store that is not ``TodoStore``.
    package init(number: Int, summary: String, date: Date?, process: String?, isUndone: Bool, versions: [Version]) {
        (self.number, self.summary, self.date, self.process) = (number, summary, date, process)
        self.isUndone = isUndone
        self.versions = versions.sorted { $0.id.description < $1.id.description }
    }

    init(_ number: Int, _ step: TodoHistory.Step, _ versions: [Version], isUndone: Bool) {
        self.init(
            number: number,
            summary: step.summary,
            date: step.date,
            process: step.process,
            isUndone: isUndone,
            versions: versions
        )
    }
}

/// A field that differs between two versions of a todo.
public struct TodoDifference: Hashable, Sendable {
    /// The name of the field, as in the JSON of `todo list --json`.
    public let field: String
    /// The value before, as text; `nil` if it was empty.
    public let before: String?
    /// The value after, as text; `nil` if it is empty.
    public let after: String?

    /// Returns the fields that differ, without the time of the last change.
    public static func between(_ before: Todo?, _ after: Todo?) -> [TodoDifference] {
        let (old, new) = (before.map(values) ?? [], after.map(values) ?? [])
        let names = (old.isEmpty ? new : old).map(\.name)
        return names.enumerated().compactMap { index, name in
            let (first, second) = (old.isEmpty ? nil : old[index].value, new.isEmpty ? nil : new[index].value)
            return first == second ? nil : TodoDifference(field: name, before: first, after: second)
        }
    }

    private static func values(_ todo: Todo) -> [(name: String, value: String?)] {
        func list(_ values: [String]) -> String? { values.isEmpty ? nil : values.joined(separator: " ") }
        return [
            ("title", todo.title), ("priority", todo.priority?.description),
            ("projects", list(todo.projects)), ("contexts", list(todo.contexts)), ("tags", list(todo.tags)),
            ("list", todo.list), ("due", todo.due.map { "\($0)" + (todo.dueTime.map { " \($0)" } ?? "") }),
            ("threshold", todo.threshold?.description), ("recurrence", todo.recurrence?.description),
            ("parent", todo.parent?.description), ("dependencies", list(todo.dependencies.map { $0.text })),
            ("note", todo.note), ("started", todo.started.map(Timestamp.extended)),
            ("spent", todo.spent > 0 ? "\(Int(todo.spent.rounded())) s" : nil),
            ("done", todo.isDone ? "yes" : nil), ("archived", todo.isArchived ? "yes" : nil),
        ]
    }
}
