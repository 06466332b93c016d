package import AppLanguage
import TextEscaping

/// A line that describes a todo, such as `(A) 우유 사기 +home @shop #cheap due:fri 15:00 rec:1w t:-2d`.
///
/// The words with a meaning:
///
/// - `(A)` at the beginning, or `pri:A`: the priority;
/// - `+home`: a project; `@shop`: a context; `#cheap`: a label. A letter must follow the sign, so that `+82` is text;
/// - `due:` with a date as ``DatePhrase`` parses it, which may have several words: `due:next fri 15:00`;
/// - `t:` with a date, or with a distance from the due day such as `t:-2d`: the threshold;
/// - `rec:` with a ``Recurrence``;
/// - `parent:` with the ID of a todo.
///
/// `none` removes a value, which is useful in an edit. All other words become the title, so that no typed text is lost;
/// unknown `key:value` words too. A word that looks like a field but has no valid value is text, too, and one of the
/// ``problems``.
public struct TodoEntry: Hashable, Sendable {
    /// A part of the line with its meaning.
    public struct Piece: Hashable, Sendable {
        /// What a part of a line means.
        public enum Kind: Hashable, Sendable {
            case text, priority, project, context, tag, due, threshold, recurrence, parent, problem
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
    /// The contexts.
    public internal(set) var contexts: [String] = []
    /// The labels.
    public internal(set) var tags: [String] = []
    /// The due day.
    public internal(set) var due: TodoChange.Update<Day>?
    /// The time of the due day.
    public internal(set) var dueTime: TimeOfDay?
    /// The threshold.
    public internal(set) var threshold: TodoChange.Update<Threshold>?
    /// The repetition.
    public internal(set) var recurrence: TodoChange.Update<Recurrence>?
    /// The parent, as an ID or the beginning of one.
    public internal(set) var parent: TodoChange.Update<String>?
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
            case .relative(let days): due?.adding(days)
            }
        }
    }

    /// Parses a line.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - today: the day that relative dates count from.
    /// - Throws: ``TodoError/tooLong(field:limit:)`` for a line that no todo can hold. Nothing else is an error here.
    public init(parsing line: String, today: Day) throws(TodoError) {
        // The length is checked before the line is split.
        guard line.utf8.count <= TodoText.titleLimit * 32 else {
            throw .tooLong(field: "title", limit: TodoText.titleLimit)
        }
        var parser = TodoEntryParser(line: line, today: today)
        self = parser.parse()
    }

    /// Creates an entry whose title is a whole line, whatever its words look like.
    public init(literal line: String) throws(TodoError) {
        title = try TodoText.title(line)
        pieces = [Piece(kind: .text, range: 0..<line.count)]
    }

    /// Returns the todo that the line describes.
    ///
    /// - Parameters:
    ///   - parent: the parent, found by the caller.
    ///   - note: further text.
    /// - Returns: the draft.
    /// - Throws: ``TodoError`` as ``TodoDraft`` does.
    public func draft(parent: TodoID? = nil, note: String? = nil) throws(TodoError) -> TodoDraft {
        var draft = try TodoDraft(
            title: title,
            priority: priority?.value,
            projects: projects,
            contexts: contexts,
            tags: tags,
            due: due?.value,
            note: note
        )
        draft.dueTime = dueTime
        draft.threshold = threshold?.value?.day(due: due?.value)
        draft.recurrence = recurrence?.value
        draft.parent = parent
        return draft
    }

    /// Returns the change that the line describes: the fields that occur, and the title if there are other words.
    ///
    /// - Parameters:
    ///   - present: the present due day, from which `t:-2d` counts if the line has none.
    ///   - parent: the parent, found by the caller.
    /// - Returns: the change.
    public func change(due present: Day?, parent: TodoID? = nil) -> TodoChange {
        var change = TodoChange()
        if !title.isEmpty { change.title = title }
        change.priority = priority
        if !projects.isEmpty { change.projects = projects }
        if !contexts.isEmpty { change.contexts = contexts }
        if !tags.isEmpty { change.tags = tags }
        change.due = due
        if due?.value != nil { change.dueTime = dueTime.map { .set($0) } ?? .clear }
        if let threshold {
            change.threshold = threshold.value?.day(due: due?.value ?? present).map { .set($0) } ?? .clear
        }
        change.recurrence = recurrence
        if let found = self.parent { change.parent = found.value == nil ? .clear : parent.map { .set($0) } }
        return change
    }
}

extension TodoDraft {
    /// Parses a line as ``TodoEntry`` does. Words that look like fields but have no valid value are text.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - today: the day that relative dates such as `due:fri` count from.
    /// - Throws: ``TodoError`` as ``init(title:priority:project:projects:contexts:tags:due:note:)`` does.
    public init(quick line: String, today: Day) throws(TodoError) {
        try TodoText.checkLine(line)
        self = try TodoEntry(parsing: line, today: today).draft()
    }
}
