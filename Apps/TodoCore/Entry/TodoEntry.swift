package import AppLanguage
import TextEscaping

/// A line that describes a todo, such as `(A) 우유 사기 +home @shop #cheap due:fri 15:00 rec:1w t:-2d`.
///
/// The words with a meaning:
///
/// - `(A)` at the beginning, or `pri:A`: the priority;
/// - `+home`: a project, and `project:home` the only one; `@shop`: a context; `#cheap`: a label. A letter must follow the sign, so that `+82` is text;
/// - `due:` with a date as ``DatePhrase`` parses it, which may have several words: `due:next fri 15:00`;
/// - `t:` with a date, or with a distance from the due day such as `t:-2d`: the threshold;
/// - `rec:` with a ``Recurrence``, which may have several words: `rec:every 2nd tue`;
/// - `parent:` with the ID of a todo, of which this one is a part;
/// - `after:` with the ID of a todo, for which this one waits; it may occur several times.
///
/// `none` removes a value, which is useful in an edit. All other words become the title, so that no typed text is lost;
/// unknown `key:value` words too. A word that looks like a field but has no valid value is text, too, and one of the
/// ``problems``.
public struct TodoEntry: Hashable, Sendable {
    /// A part of the line with its meaning.
    public struct Piece: Hashable, Sendable {
        /// What a part of a line means.
        public enum Kind: Hashable, Sendable {
            case text, priority, project, context, tag, due, threshold, recurrence, parent, after, problem
        }

        /// The meaning.
        public let kind: Kind
        /// The position in the line, in characters.
        public let range: Range<Int>
    }

    /// A word that looks like a field but has no valid value.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The word.
        public let text: String
        /// The position of the word in the line, in characters, counted from 1.
        public let column: Int
        /// What is wrong, and what would be right, in the languages of the screens.
        package let explanation: LocalizedText

        /// What is wrong, and what would be right.
        public var message: String { explanation.english }

        /// The message with the column.
        public var description: String { "column \(column): \(message)" }
    }

    /// The words without a meaning, separated by single spaces.
    public internal(set) var title = ""
    /// The priority.
    public internal(set) var priority: TodoChange.Update<Priority>?
    /// The projects.
    public internal(set) var projects: [String] = []
    /// Whether the projects replace those of the todo, as `project:home` says.
    public internal(set) var replacesProjects = false
    /// The contexts.
    public internal(set) var contexts: [String] = []
    /// The labels.
    public internal(set) var tags: [String] = []
    /// The due day.
    public package(set) var due: TodoChange.Update<Day>?
    /// The time of the due day.
    public internal(set) var dueTime: TimeOfDay?
    /// The threshold.
    public internal(set) var threshold: TodoChange.Update<Threshold>?
    /// The repetition.
    public internal(set) var recurrence: TodoChange.Update<Recurrence>?
    /// The parent, as an ID or the beginning of one.
    public internal(set) var parent: TodoChange.Update<String>?
    /// The todos for which it waits, as IDs or beginnings of IDs.
    public internal(set) var after: [String] = []
    /// Whether it no longer waits for other todos than ``after``, as `after:none` says.
    public internal(set) var removesDependencies = false
    /// Whether it names other todos.
    package var hasLinks: Bool { parent != nil || !after.isEmpty || removesDependencies }
    /// The parts of the line, in order.
    public internal(set) var pieces: [Piece] = []
    /// The words that look like fields but have no valid value.
    public internal(set) var problems: [Problem] = []

    /// The day before which a todo is hidden: a day, or a distance from the due day.
    public enum Threshold: Hashable, Sendable {
        /// A day.
        case day(Day)
        /// A number of days after the due day; before it if negative.
        case relative(Int)

        /// Returns the day; `nil` for a distance without a due day.
        public func day(due: Day?) -> Day? {
            switch self {
            case .day(let day): day
            case .relative(let days): due?.adding(days).inCalendar
            }
        }
    }

    /// Parses a line.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - today: the day that relative dates count from.
    ///   - firstWeekday: the day with which weeks begin, 0 for Monday to 6 for Sunday.
    ///   - labels: words with a sign that are labels also if no letter follows the sign, such as `+2024`.
    /// - Throws: ``TodoError/tooLong(field:limit:)`` for a line that no todo can hold. Nothing else is an error here.
    public init(parsing line: String, today: Day, firstWeekday: Int = 0, labels: Set<String> = []) throws(TodoError) {
        // The length is checked before the line is split.
        guard line.utf8.count <= TodoText.titleLimit * 32 else {
            throw .tooLong(field: "title", limit: TodoText.titleLimit)
        }
        var parser = TodoEntryParser(line: line, today: today, firstWeekday: firstWeekday, labels: labels)
        self = parser.parse()
    }

    /// Creates an entry whose title is a whole line, whatever its words look like.
    public init(literal line: String) throws(TodoError) {
        title = try TodoText.title(line)
        pieces = [Piece(kind: .text, range: 0..<line.count)]
    }

    /// Checks that a threshold such as `t:-2d` has a due day from which it counts.
    ///
    /// - Parameter present: the present due day, if the line has none.
    /// - Throws: ``TodoError/noDueDay``.
    package func checkThreshold(due present: Day?) throws(TodoError) {
        if let value = threshold?.value, value.day(due: anchor(present)) == nil { throw .noDueDay }
    }

    /// The due day that a todo has after the change.
    private func anchor(_ present: Day?) -> Day? { if let due { due.value } else { present } }

    /// Returns the change that the line describes: the fields that occur, and the title if there are other words. A threshold
    /// that counts from a missing due day is none of them; see ``checkThreshold(due:)``.
    ///
    /// - Parameters:
    ///   - present: the present due day, from which `t:-2d` counts if the line has none.
    ///   - parent: the parent, found by the caller.
    ///   - after: the todos for which it waits, found by the caller.
    /// - Returns: the change.
    public func change(due present: Day? = nil, parent: TodoID? = nil, after: [TodoID] = []) -> TodoChange {
        var change = TodoChange()
        if !title.isEmpty { change.title = title }
        change.priority = priority
        (change.addedProjects, change.addedContexts, change.addedTags) = (projects, contexts, tags)
        if replacesProjects { (change.projects, change.addedProjects) = (projects, []) }
        change.due = due
        if due?.value != nil { change.dueTime = .init(dueTime) }
        if let value = threshold?.value {
            change.threshold = value.day(due: anchor(present)).map { .set($0) }
        } else if threshold != nil {
            change.threshold = .clear
        }
        change.recurrence = recurrence
        if let found = self.parent { change.parent = found.value == nil ? .clear : parent.map { .set($0) } }
        (change.removesDependencies, change.addedDependencies) = (removesDependencies, after)
        return change
    }
}

extension TodoChange {
    /// Parses the line of a new todo as ``TodoEntry`` does. Words that look like fields but have no valid value are text.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - today: the day that relative dates such as `due:fri` count from.
    /// - Throws: ``TodoError`` if the title is empty or too long, or a text contains control characters.
    public init(quick line: String, today: Day) throws(TodoError) {
        try TodoText.checkLine(line)
        let entry = try TodoEntry(parsing: line, today: today)
        try entry.checkThreshold(due: nil)
        self = entry.change()
        _ = try Todo(id: Todo.noID, self, now: .distantPast)
    }
}
