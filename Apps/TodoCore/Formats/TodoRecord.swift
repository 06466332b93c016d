/// A todo as a file of another program contains it: the fields that the format can express.
public struct TodoRecord: Hashable, Sendable {
    /// How precisely a format states the time of completion. An import does not change what the format does not state.
    public enum CompletionPrecision: Hashable, Sendable { case time, day, unknown }

    /// The line of the file on which it begins, counted from 1.
    public var line: Int
    /// The ID across programs.
    public var uuid: UUID?
    /// The fields, with a title. Fields that are `nil` cannot be expressed by the format, and are not changed.
    public var change = TodoChange()
    /// Whether the format states the white space between the words of a title. An import does not change it otherwise.
    var statesSpaces = true
    /// The time of completion; `nil` if the format does not have it.
    public var completed: TodoChange.Update<Date>?
    /// How precisely the format states ``completed``.
    public var completedPrecision = CompletionPrecision.time
    /// Whether it is archived.
    public var isArchived: Bool?
    /// The time since which it is in progress; `nil` if the format does not have it.
    public var started: TodoChange.Update<Date>?
    /// The day of the month on which it repeats, if that of its due day is an earlier one; `nil` if the format does not have it.
    var monthDay: TodoChange.Update<Int>?
    /// The time of creation, for a todo that is new.
    public var created: Date?
    /// Fields of the other program, which an export to the same format writes again; an empty text removes one.
    public var extras: [String: String] = [:]
    /// The todo with all its fields, from the app's own format, which an import restores.
    var whole: Todo?
    /// The todos that must be done before it.
    public var dependencies: [UUID]?
    /// The parent, by its UUID.
    public var parentUUID: UUID?
    /// The parent, by its index among the records of the file.
    public var parentIndex: Int?

    init(line: Int, title: String) {
        self.line = line
        change.title = title
    }

    /// Returns a new todo with the fields, without an ID.
    ///
    /// - Throws: ``TodoError`` if a todo cannot hold them.
    func todo(now: Date) throws(TodoError) -> Todo {
        var todo = Todo(id: Todo.noID, title: "", now: created ?? now)
        try apply(to: &todo)
        if todo.title.isEmpty { throw .emptyTitle }
        return todo
    }

    /// Sets the fields of a todo to those of the record, without its links to other todos of the file.
    package func apply(to todo: inout Todo) throws(TodoError) {
        let (title, present) = (todo.title, todo.recurrence)
        // A format without the day of the month writes it in the rule.
        let isSameRule =
            todo.recurrenceWithMonthDay.map { change.recurrence == .set($0) } ?? false
            && (change.due?.value ?? change.threshold?.value) == (todo.due ?? todo.threshold)
        try change.apply(to: &todo, allowsSigns: true)
        if isSameRule { todo.recurrence = present }
        if !statesSpaces, !title.isEmpty, title != todo.title,
            TodoText.words(title[...]) == TodoText.words(todo.title[...])
        {
            todo.title = title
        }
        if let monthDay { todo.monthDay = monthDay.value }
        if let completed { todo.completed = completed.value }
        if let isArchived { todo.isArchived = isArchived }
        if let started { todo.started = started.value }
        if let dependencies { todo.dependencies = dependencies }
    }
}

extension Todo {
    /// The repetition as a rule that contains ``monthDay``: `1m:31` for `+1m` on the 31st; `nil` without such a day.
    var recurrenceWithMonthDay: Recurrence? {
        guard let monthDay, let recurrence, recurrence.isStrict, recurrence.days == nil else { return nil }
        let months: Int? =
            switch recurrence.unit {
            case .month: recurrence.count
            case .year: 12 * recurrence.count
            case .day, .week: nil
            }
        guard let months, var rule = Recurrence(every: months, on: .monthDay(monthDay)) else { return nil }
        rule.skipsShortMonths = recurrence.skipsShortMonths
        (rule.until, rule.remaining) = (recurrence.until, recurrence.remaining)
        return rule
    }
}

/// What an import does with todos that exist.
public enum TodoImportMode: Hashable, Sendable {
    /// Changes them: the fields of the file take precedence.
    case update
    /// Adds every todo of the file as a new one.
    case new
}

/// The result of one record of an import.
public struct TodoImportOutcome: Hashable, Sendable {
    /// What happened to a record.
    public enum Kind: String, Hashable, Sendable { case added, changed, unchanged }

    /// The line of the file.
    public let line: Int
    /// What happened.
    public let kind: Kind
    /// The titles of the todos for which it does not wait although the file says so, because they wait for it.
    public var cutDependencies: [String] = []
    /// Whether it stays completed although it is open in the file, because another todo of its repetition follows it.
    public var staysDone = false
    private let old: Todo?
    private let new: Todo

    /// Creates the outcome of a todo, which was `old` before the import; `nil` for a new one.
    package init(line: Int, old: Todo?, new: Todo) {
        (self.line, self.old, self.new) = (line, old, new)
        kind = old == nil ? .added : old == new || TodoDifference.between(old, new).isEmpty ? .unchanged : .changed
    }

    /// The todo.
    public var id: TodoID { new.id }
    /// The title.
    public var title: String { new.title }
    /// The fields that changed. A todo that only stores a line or an object of the other program has none.
    public var fields: [String] { TodoDifference.between(old, new).map(\.field) }
}

/// A part of a file that is no todo.
public struct TodoImportProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// The position in the line in characters, counted from 1.
    public let column: Int
    /// What is wrong, and what would be right.
    public let message: String

    /// Creates a problem.
    public init(line: Int, column: Int = 1, message: String) {
        (self.line, self.column, self.message) = (line, column, message)
    }

    /// The message with the position.
    public var description: String { "line \(line), column \(column): \(message)" }
}

/// The todos of a file, and the invalid parts.
public struct TodoImportFile: Sendable {
    /// The todos.
    public var records: [TodoRecord] = []
    /// The parts that are no todos.
    public var problems: [TodoImportProblem] = []
    /// What the file contains instead of todos; `nil` if there is nothing to say.
    public var contents: String?
}
