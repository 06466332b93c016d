#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A condition of a query.
enum TodoQueryTerm: Hashable, Sendable {
    /// A field that is searched for text.
    enum TextField: String, Hashable, Sendable {
        case any, title, note
    }

    /// A field with labels.
    enum LabelField: String, Hashable, Sendable {
        case project, context, tag
    }

    /// A field with a day.
    enum DateField: String, Hashable, Sendable {
        case due, threshold = "t"
    }

    /// A field with a time.
    enum TimeField: String, Hashable, Sendable {
        case created, modified, completed = "done"
    }

    /// A field with the ID of a todo.
    enum NameField: String, Hashable, Sendable {
        case id, parent
    }

    /// A field that may be empty.
    enum OptionalField: String, Hashable, Sendable, CaseIterable {
        case due, threshold = "t", priority = "pri", project, context, tag, note, recurrence = "rec", parent
        case completed = "done"
    }

    /// A state of a todo.
    enum State: String, Hashable, Sendable, CaseIterable {
        case open, done, overdue, waiting, archived, recurring, subtask
    }

    /// The text in lower case.
    case text(TextField, String)
    /// The beginning of a label, in lower case.
    case label(LabelField, String)
    case priority(ClosedRange<UInt8>)
    /// A range of day numbers, with both ends.
    case date(DateField, ClosedRange<Int>)
    /// A range of times in seconds after the reference date, without its end.
    case time(TimeField, Range<Double>)
    case name(NameField, String)
    case presence(OptionalField, Bool)
    /// A state, on a day and at a time.
    case state(State, Day, TimeOfDay?)

    /// Whether a todo matches.
    func matches(_ todo: Todo) -> Bool {
        switch self {
        case .text(.any, let needle):
            return TodoSearchText.parts(of: todo).contains { TodoSearchText.contains(needle, in: $0) }
        case .text(.title, let needle): return TodoSearchText.contains(needle, in: todo.title)
        case .text(.note, let needle): return todo.note.map { TodoSearchText.contains(needle, in: $0) } ?? false
        case .label(let field, let start):
            return labels(field, todo).contains {
                $0.utf8.count >= start.utf8.count && $0.lowercased().hasPrefix(start)
            }
        case .priority(let ranks): return todo.priority.map { ranks.contains($0.rank) } ?? false
        case .date(let field, let days):
            return (field == .due ? todo.due : todo.threshold).map { days.contains($0.number) } ?? false
        case .time(let field, let times):
            return time(field, todo).map { times.contains($0.timeIntervalSinceReferenceDate) } ?? false
        case .name(.id, let start): return todo.id.description.hasPrefix(start)
        case .name(.parent, let start): return todo.parent?.description.hasPrefix(start) ?? false
        case .presence(let field, let isPresent): return has(field, todo) == isPresent
        case .state(let state, let today, let time): return Self.has(state, todo, today, time)
        }
    }

    private func labels(_ field: LabelField, _ todo: Todo) -> [String] {
        switch field {
        case .project: todo.projects
        case .context: todo.contexts
        case .tag: todo.tags
        }
    }

    private func time(_ field: TimeField, _ todo: Todo) -> Date? {
        switch field {
        case .created: todo.created
        case .modified: todo.modified
        case .completed: todo.completed
        }
    }

    private func has(_ field: OptionalField, _ todo: Todo) -> Bool {
        switch field {
        case .due: todo.due != nil
        case .threshold: todo.threshold != nil
        case .priority: todo.priority != nil
        case .project: !todo.projects.isEmpty
        case .context: !todo.contexts.isEmpty
        case .tag: !todo.tags.isEmpty
        case .note: todo.note != nil
        case .recurrence: todo.recurrence != nil
        case .parent: todo.parent != nil
        case .completed: todo.isDone
        }
    }

    private static func has(_ state: State, _ todo: Todo, _ today: Day, _ time: TimeOfDay?) -> Bool {
        switch state {
        case .open: !todo.isDone
        case .done: todo.isDone
        case .overdue: todo.isOverdue(on: today, at: time)
        case .waiting: todo.isWaiting(on: today)
        case .archived: todo.isArchived
        case .recurring: todo.recurrence != nil
        case .subtask: todo.parent != nil
        }
    }
}
