package import AppLanguage
import TextEscaping

/// The values of a todo as text, as a form shows and edits them.
package struct TodoForm: Hashable, Sendable {
    package var title = ""
    package var priority = ""
    /// The projects, separated by spaces.
    package var project = ""
    /// The contexts, separated by spaces.
    package var contexts = ""
    /// The labels, separated by spaces.
    package var tags = ""
    package var due = ""
    package var recurrence = ""
    package var threshold = ""
    /// The name of the list; empty for a local todo.
    package var list = ""
    /// The ID of the parent.
    package var parent = ""
    /// The IDs of the todos for which it waits, separated by spaces.
    package var after = ""
    package var note = ""

    /// Creates an empty form.
    package init() {}

    /// Creates the form of a todo.
    ///
    /// - Parameters:
    ///   - todo: the todo.
    ///   - todos: the todos that ``after`` can name.
    package init(_ todo: Todo, among todos: [Todo] = []) {
        title = todo.title
        priority = todo.priority?.description ?? ""
        // A single project is shown without its sign; see ``setProjects(_:)``.
        project = todo.projects.count > 1 ? todo.projects.map { "+" + $0 }.joined(separator: " ") : todo.project ?? ""
        contexts = todo.contexts.joined(separator: " ")
        tags = todo.tags.joined(separator: " ")
        recurrence = todo.recurrence?.description ?? ""
        threshold = todo.threshold?.description ?? ""
        due = todo.due.map { "\($0)" + (todo.dueTime.map { " \($0)" } ?? "") } ?? ""
        list = todo.list ?? ""
        parent = todo.parent?.description ?? ""
        after = Self.blockers(of: todo, among: todos).map(\.description).joined(separator: " ")
        note = todo.note ?? ""
    }

    private static func blockers(of todo: Todo, among todos: [Todo]) -> [TodoID] {
        guard !todo.dependencies.isEmpty else { return [] }
        return todos.filter { $0.uuid.map(todo.dependencies.contains) == true }.map(\.id)
    }

    /// Computes the change that makes `todo` equal to the form. Fields that still have the todo's text change nothing.
    ///
    /// - Parameters:
    ///   - todo: the todo that was shown in the form.
    ///   - today: the day that relative dates such as `fri` count from.
    ///   - firstWeekday: the day with which weeks begin, 0 for Monday to 6 for Sunday.
    ///   - todos: the todos that ``parent`` and ``after`` can name.
    /// - Returns: the change. The caller checks that there is the ``list``.
    /// - Throws: ``TodoFieldError`` for the first invalid field.
    package func change(
        from todo: Todo,
        today: Day,
        firstWeekday: Int = 0,
        among todos: [Todo] = []
    ) throws(TodoFieldError) -> TodoChange {
        let before = TodoForm(todo, among: todos)
        var change = TodoChange()
        if title != before.title { change.title = title }
        if priority != before.priority { change.priority = try Self.priority(priority) }
        if project != before.project { try setProjects(&change) }
        if contexts != before.contexts {
            change.contexts = contexts.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        if due != before.due {
            let phrase = try Self.date(due, today, firstWeekday)
            change.due = .init(phrase?.day)
            let time = phrase?.time
            if time != todo.dueTime { change.dueTime = .init(time) }
        }
        if tags != before.tags { change.tags = tags.split(whereSeparator: \.isWhitespace).map(String.init) }
        if recurrence != before.recurrence { change.recurrence = try Self.recurrence(recurrence) }
        if threshold != before.threshold {
            let phrase = try Self.date(threshold, today, firstWeekday)
            guard phrase?.time == nil else { throw TodoFieldError(Self.noTime) }
            change.threshold = .init(phrase?.day)
        }
        if list != before.list { change.list = list.isBlank ? .clear : .set(list.trimmed) }
        if parent != before.parent { change.parent = .init(try Self.ids(parent, todos).first) }
        if after != before.after {
            let (old, new) = (Self.blockers(of: todo, among: todos), try Self.ids(after, todos))
            change.addedDependencies = new.filter { !old.contains($0) }
            change.removedDependencies = old.filter { !new.contains($0) }
        }
        if note != before.note { change.note = note.isBlank ? .clear : .set(note) }
        var copy = todo
        do {
            try change.apply(to: &copy)
            try Self.checkLinks(change, of: todo, todos)
        } catch {
            throw TodoFieldError(error.text)
        }
        return change
    }

    private static func ids(_ text: String, _ todos: [Todo]) throws(TodoFieldError) -> [TodoID] {
        let all = todos.map(\.id)
        var ids: [TodoID] = []
        do throws(TodoError) {
            for name in text.split(whereSeparator: \.isWhitespace) { ids.append(try TodoID.named(name, among: all)) }
        } catch {
            throw TodoFieldError(error.text)
        }
        return ids
    }

    /// Checks that no link of a change makes a cycle.
    private static func checkLinks(_ change: TodoChange, of todo: Todo, _ todos: [Todo]) throws(TodoError) {
        var parents: [TodoID: TodoID] = [:]
        if change.parent != nil { for other in todos { parents[other.id] = other.parent } }
        var (ancestor, seen) = (change.parent?.value, Set<TodoID>())
        while let id = ancestor, seen.insert(id).inserted {
            guard id != todo.id else { throw .parentCycle(id: id) }
            ancestor = parents[id]
        }
        guard !change.addedDependencies.isEmpty else { return }
        let graph = TodoDependencyGraph(todos)
        for id in change.addedDependencies {
            guard id != todo.id else { throw .dependencyCycle(path: [id, id]) }
            guard let own = todo.uuid, let uuid = todos.first(where: { $0.id == id })?.uuid else { continue }
            if let path = graph.path(from: uuid, to: own) { throw .dependencyCycle(path: [todo.id] + path.map(\.id)) }
        }
    }

    private func setProjects(_ change: inout TodoChange) throws(TodoFieldError) {
        let words = project.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count > 1 else {
            change.projects = words
            return
        }
        // Of several words, each must show that it is a project: `two words` is more likely a mistake.
        guard words.allSatisfy({ $0.hasPrefix("+") }) else {
            throw TodoFieldError(TodoError.notOneWord(field: "project", text: project.trimmed).text)
        }
        change.projects = words
    }

    /// Parses a priority. A blank text removes the priority.
    package static func priority(_ text: String) throws(TodoFieldError) -> TodoChange.Update<Priority> {
        if text.isBlank { return .clear }
        guard let priority = Priority(text) else {
            throw TodoFieldError(
                LocalizedText(
                    "\(text.quoted()) is not a priority; write a letter from A to Z",
                    ko: "\(text.quoted().with(.topic)) 우선순위가 아닙니다. A부터 Z까지의 글자를 적어 주세요"
                )
            )
        }
        return .set(priority)
    }

    /// Parses a repetition. A blank text removes it.
    package static func recurrence(_ text: String) throws(TodoFieldError) -> TodoChange.Update<Recurrence> {
        if text.isBlank { return .clear }
        guard let recurrence = Recurrence(text.trimmed) else {
            throw TodoFieldError(
                LocalizedText(
                    "\(text.quoted()) is not a recurrence; write \(Recurrence.validForms)",
                    ko: "\(text.quoted().with(.topic)) 반복이 아닙니다. "
                        + "매일, 2주마다, 매주 월,목, 매월 15일, 매월 둘째 화요일, 매달 말일이나 3d, 2w, 1m, 1y처럼 적어 주세요"
                )
            )
        }
        return .set(recurrence)
    }

    /// The message for a threshold with a time.
    package static let noTime = LocalizedText("write a day without a time", ko: "시각 없이 날짜만 적어 주세요")

    /// Parses a day; `nil` for a blank text.
    private static func date(_ text: String, _ today: Day, _ firstWeekday: Int) throws(TodoFieldError) -> DatePhrase? {
        if text.isBlank { return nil }
        do {
            return try DatePhrase(parsing: text, today: today, firstWeekday: firstWeekday)
        } catch {
            throw TodoFieldError(error.text)
        }
    }
}

/// An invalid field of a ``TodoForm``.
package struct TodoFieldError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, and what would be right, in the languages of the screens.
    package let text: LocalizedText

    /// Creates an error with a message in every language.
    package init(_ text: LocalizedText) { self.text = text }

    /// Creates an error of a command, whose messages are English.
    package init(message: String) { self.init(LocalizedText(verbatim: message)) }

    /// What is wrong, and what would be right.
    package var message: String { text.english }

    package var description: String { message }
}

extension String {
    /// Whether the text consists of white space only.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// The text without white space at its start and end.
    package var trimmed: String {
        let tail = drop(while: \.isWhitespace)
        return String(tail[..<(tail.lastIndex { !$0.isWhitespace }.map(tail.index(after:)) ?? tail.startIndex)])
    }
}
