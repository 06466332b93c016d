import CalDAV
import EssentialFoundation
import ICalendar
import TodoCore

/// A task of a server: the text of its object, and the fields of a todo in it.
///
/// The text is edited and never rebuilt, so that everything that is not understood survives.
struct SyncObject {
    /// Why an object is left alone.
    enum Problem: Error, Hashable {
        /// It contains an event or another component.
        case noTask
        /// It is malformed; the text says where and why.
        case malformed(String)
    }

    private let document: ICalendarDocument
    let record: TodoRecord
    /// The UID as it is written.
    let uid: String
    let uuid: UUID
    /// Whether the text has an occurrence of a series that it does not have itself.
    private let isOccurrence: Bool
    /// Whether the letter of the priority is in the text, beside the number.
    let hasLetter: Bool
    /// The time of the last change; `nil` if the task has none.
    let modified: Date?

    /// Reads the text of an object.
    init(_ text: String, clock: TodoClock) throws(Problem) {
        // The server's limits are those of its replies, and an attachment is one line.
        document = ICalendarDocument(text, lineLimit: .max)
        if let problem = document.problems.first { throw .malformed("line \(problem.line): \(problem.message)") }
        guard document.root.components.contains(where: { $0.name == "VCALENDAR" }) else {
            throw .malformed("BEGIN:VCALENDAR is missing")
        }
        let tasks = document.root.descendants("VTODO")
        // Occurrences that differ from their series have a RECURRENCE-ID.
        guard let task = tasks.first(where: { $0.property("RECURRENCE-ID") == nil }) ?? tasks.first else {
            throw .noTask
        }
        do throws(TodoImportProblem) {
            var record = try ICalendarFormat.record(
                task,
                zones: document.root.descendants("VTIMEZONE"),
                clock: clock,
                needsTitle: false
            )
            // A series with occurrences that differ cannot be moved forward.
            if tasks.count > 1 {
                let rule = task.property("RRULE")?.value ?? "RECURRENCE-ID"
                record.extras[ICalendarFormat.ruleKey] = record.extras[ICalendarFormat.ruleKey] ?? rule
                record.change.recurrence = .clear
            }
            self.record = record
        } catch {
            throw .malformed("\(error)")
        }
        guard let uid = task.property("UID")?.value, !uid.isEmpty else { throw .malformed("UID is missing") }
        self.uid = uid
        uuid = ICalendarFormat.uuid(uid)
        isOccurrence = task.property("RECURRENCE-ID") != nil
        hasLetter = task.property("X-PAWKIT-PRIORITY") != nil
        modified = (task.property("LAST-MODIFIED") ?? task.property("DTSTAMP")).flatMap { ICalendarTime($0) }
            .map { Date(timeIntervalSince1970: Double($0.clockSeconds)) }
    }

    /// Returns the text with the fields that differ between two states of the todo.
    func text(from old: Todo, to new: Todo, oldParent: String?, parent: String?, clock: TodoClock) -> String {
        var document = document
        var isDone = false
        let zones = document.root.descendants("VTIMEZONE")
        let removesExceptions = !isOccurrence && ICalendarFormat.replacesRule(of: old, in: new)
        document.root.forEachComponent { calendar in
            calendar.forEachComponent { task in
                guard !isDone, task.name == "VTODO", task.property("UID")?.value == uid,
                    (task.property("RECURRENCE-ID") != nil) == isOccurrence
                else { return }
                ICalendarFormat.update(
                    &task,
                    from: old,
                    to: new,
                    oldParent: oldParent,
                    parent: parent,
                    zones: zones,
                    clock: clock
                )
                isDone = true
            }
            guard removesExceptions else { return }
            calendar.removeComponents { task in
                task.name == "VTODO" && task.property("UID")?.value == uid && task.property("RECURRENCE-ID") != nil
            }
        }
        return document.text
    }

    /// Returns the text of a new object.
    static func text(of todo: Todo, parent: String?, clock: TodoClock) -> String {
        ICalendarFormat.calendar([ICalendarFormat.newTask(todo, parent: parent, clock: clock)]).text
    }
}

/// The fields of a todo that a server has, compared and copied one by one.
enum SyncField: String, CaseIterable, Codable {
    case title, note, priority, projects, contexts, tags, due, threshold, recurrence, done, rule

    /// Whether all fields are the same in two todos.
    static func areEqual(_ left: Todo, _ right: Todo) -> Bool { allCases.allSatisfy { $0.isEqual(left, right) } }

    /// Whether a field is the same in two todos.
    func isEqual(_ left: Todo, _ right: Todo) -> Bool {
        switch self {
        case .title: left.title == right.title
        case .note: left.note == right.note
        case .priority: left.priority == right.priority
        case .projects: Set(left.projects) == Set(right.projects)
        case .contexts: Set(left.contexts) == Set(right.contexts)
        case .tags: Set(left.tags) == Set(right.tags)
        case .due: left.due == right.due && left.dueTime == right.dueTime
        case .threshold: left.threshold == right.threshold
        case .recurrence: left.recurrence == right.recurrence
        case .done: Self.second(left.completed) == Self.second(right.completed) && left.isArchived == right.isArchived
        case .rule: left.extras[ICalendarFormat.ruleKey] == right.extras[ICalendarFormat.ruleKey]
        }
    }

    /// Copies a field.
    func copy(from source: Todo, to todo: inout Todo) {
        switch self {
        case .title: todo.title = source.title
        case .note: todo.note = source.note
        case .priority: todo.priority = source.priority
        case .projects: todo.projects = source.projects
        case .contexts: todo.contexts = source.contexts
        case .tags: todo.tags = source.tags
        case .due: (todo.due, todo.dueTime, todo.monthDay) = (source.due, source.dueTime, source.monthDay)
        case .threshold:
            todo.threshold = source.threshold
            // Without a due day, the threshold repeats.
            if todo.due == nil { todo.monthDay = source.monthDay }
        case .recurrence: todo.recurrence = source.recurrence
        case .done: (todo.completed, todo.isArchived) = (source.completed, source.isArchived)
        case .rule: todo.extras[ICalendarFormat.ruleKey] = source.extras[ICalendarFormat.ruleKey]
        }
    }

    /// The labels of a field that is a set.
    var labels: WritableKeyPath<Todo, [String]>? {
        switch self {
        case .projects: \.projects
        case .contexts: \.contexts
        case .tags: \.tags
        default: nil
        }
    }

    /// iCalendar has whole seconds.
    private static func second(_ date: Date?) -> Int? { date.map { Int($0.timeIntervalSince1970.rounded(.down)) } }
}
