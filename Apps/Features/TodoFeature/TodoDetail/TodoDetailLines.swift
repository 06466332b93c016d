import AppLanguage
import EssentialFoundation
import TerminalUI
import TodoCore

/// The detail of a todo as lines of a width, with what can be selected in them.
@MainActor
struct TodoDetailLines {
    /// A line that can be selected.
    enum Target: Sendable {
        /// Another todo, to which the user can jump, and which can be ticked.
        case todo(Todo)
        /// A change, before which the todo can be restored.
        case change(TodoLogEntry)

        /// Whether it is the same todo or change, in the state of another time.
        func isSame(as other: Target) -> Bool {
            switch (self, other) {
            case (.todo(let todo), .todo(let other)): todo.id == other.id
            case (.change(let entry), .change(let other)): entry.number == other.number
            default: false
            }
        }
    }

    private(set) var lines: [[StyledText]] = []
    private(set) var targets: [(line: Int, target: Target)] = []

    private var width = 0
    private var time: TimeOfDay?
    private var dates = DateStyle()
    private var language = AppLanguage.english
    private var styles = TodoStyles(theme: Theme())

    init() {}

    init(_ model: TodoDetailModel, width: Int, language: AppLanguage, styles: TodoStyles) {
        (self.width, self.language, self.styles) = (width, language, styles)
        (time, dates) = (model.time, model.dates)
        guard let family = model.family else {
            lines = [[StyledText(TodoDetailText.nothing(language), styles.theme.secondary)]]
            return
        }
        addHead(family.todo, today: model.today)
        addFields(family, today: model.today)
        addWork(family.todo, today: model.today)
        addNote(family.todo)
        let parts = family.subtasks
        addTodos(parts, TodoDetailText.subtasks(done: parts.count { $0.isDone }, of: parts.count), today: model.today)
        addTodos(family.waitsFor, TodoDetailText.waitsFor, today: model.today)
        addTodos(family.neededBy, TodoDetailText.neededBy, today: model.today)
        addTodos(family.parent.map { [$0] } ?? [], TodoDetailText.partOf, today: model.today)
        addHistory(model, of: family.todo.id)
    }

    private mutating func add(_ text: String, _ style: TextStyle = .plain) { lines.append([StyledText(text, style)]) }

    private mutating func addWrapped(_ text: String, _ style: TextStyle = .plain, indent: Int = 0) {
        for line in TextLayout.wrap(text, width: max(1, width - indent)) {
            add(String(repeating: " ", count: indent) + line, style)
        }
    }

    private mutating func addTitle(_ title: LocalizedText) {
        add("")
        add(title(language), styles.theme.title)
    }

    private mutating func addRow(_ name: LocalizedText, _ parts: [StyledText]) {
        let name = name(language)
        let space = String(repeating: " ", count: max(1, (width < 50 ? 10 : 14) - DisplayWidth.of(name)))
        lines.append([StyledText(name + space, styles.theme.secondary)] + parts)
    }

    private mutating func addHead(_ todo: Todo, today: Day) {
        var style = styles.theme.title
        if todo.isDone { style = TextStyle(attributes: [.dim, .strikethrough]) }
        let mark = todo.isDone ? "[x]" : "[ ]"
        let priority = todo.priority.map { "(\($0)) " } ?? ""
        for (index, line) in TextLayout.wrap(priority + todo.title, width: max(1, width - 4)).enumerated() {
            lines.append([StyledText(index == 0 ? mark : "   ", styles.theme.text), StyledText(line, style)])
        }
        add("")
    }

    private mutating func addFields(_ family: TodoFamily, today: Day) {
        let todo = family.todo
        if let due = todo.due {
            let isOverdue = todo.isOverdue(on: today, at: time)
            let sign = isOverdue ? "\(TodoStyles.overdueSign) " : ""
            let style = isOverdue ? styles.overdue : due == today ? styles.today : TextStyle.plain
            let day = sign + DayText.text(due, today: today, style: dates)(language)
            var parts = [StyledText(day, style)]
            if let time = todo.dueTime { parts.append(StyledText("\(time)", style)) }
            // A name such as "tomorrow" is followed by its date, where there is room.
            if (-1...6).contains(due.number - today.number), width >= 23 + parts.width {
                parts.insert(StyledText(DayText.digits(due, style: dates), styles.theme.secondary), at: 1)
            }
            addRow(TodoFieldText.name("due"), parts)
        }
        if let threshold = todo.threshold {
            let day = DayText.text(threshold, today: today, style: dates)(language)
            addRow(TodoFieldText.name("threshold"), [StyledText(day, .plain)])
        }
        if let recurrence = todo.recurrence {
            let text = DayText.text(recurrence, style: dates)(language)
            addRow(TodoFieldText.name("recurrence"), [StyledText(text, .plain)])
        }
        if !todo.projects.isEmpty {
            addRow(TodoFieldText.name("projects"), todo.projects.map { StyledText("+\($0)", styles.project) })
        }
        if !todo.contexts.isEmpty {
            addRow(TodoFieldText.name("contexts"), todo.contexts.map { StyledText("@\($0)", styles.context) })
        }
        if !todo.tags.isEmpty {
            addRow(TodoFieldText.name("tags"), todo.tags.map { StyledText("#\($0)", styles.tag) })
        }
        for link in todo.links {
            addRow(TodoDetailText.link, [StyledText(link, TextStyle(attributes: .underline))])
        }
        addRow(TodoDetailText.created, [StyledText(time(todo.created, today), styles.theme.secondary)])
        if let completed = todo.completed {
            addRow(TodoDetailText.completed, [StyledText(time(completed, today), styles.theme.secondary)])
        }
        addRow(TodoDetailText.id, [StyledText(todo.id.description, styles.theme.secondary)])
    }

    /// Adds since when the todo is in progress, and the time spent in whole minutes.
    private mutating func addWork(_ todo: Todo, today: Day) {
        let started = todo.isActive ? todo.started : nil
        if let started { addRow(TodoDetailText.working, [StyledText(time(started, today), styles.today)]) }
        let spent = todo.timeSpent(at: Zone.system.date(today, time ?? .midnight))
        guard started != nil || spent > 0 else { return }
        addRow(TodoDetailText.spent, [StyledText(DayText.duration(spent)(language), styles.theme.text)])
    }

    private mutating func addNote(_ todo: Todo) {
        guard let note = todo.note else { return }
        addTitle(TodoEditorText.note)
        for line in note.split(separator: "\n", omittingEmptySubsequences: false) { addWrapped(String(line)) }
    }

    private mutating func addTodos(_ todos: [Todo], _ title: LocalizedText, today: Day) {
        guard !todos.isEmpty else { return }
        addTitle(title)
        for todo in todos {
            targets.append((lines.count, .todo(todo)))
            var parts = [
                StyledText(todo.isDone ? "[x]" : "[ ]", .plain),
                StyledText(todo.title, todo.isDone ? TextStyle(attributes: [.dim, .strikethrough]) : .plain),
            ]
            if let due = todo.due {
                let isOverdue = todo.isOverdue(on: today, at: time)
                let day = DayText.text(due, today: today, style: dates)(language)
                let text = (isOverdue ? "\(TodoStyles.overdueSign) " : "") + day
                parts.append(StyledText(text, isOverdue ? styles.overdue : styles.day))
            }
            lines.append(parts)
        }
    }

    private mutating func addHistory(_ model: TodoDetailModel, of id: TodoID) {
        guard let history = model.history, !history.isEmpty else { return }
        let differences = TodoDifferenceText(model: model, language: language)
        addTitle(TodoDetailText.history)
        for entry in history {
            targets.append((lines.count, .change(entry)))
            let when = entry.date.map { time($0, model.today) } ?? "-"
            lines.append([
                StyledText(when, .plain),
                StyledText(TodoStepText.text(entry.summary)(language), styles.theme.secondary),
            ])
            // A todo that was added differs in every field.
            let version = entry.versions.first { $0.id == id && $0.before != nil && $0.after != nil }
            for line in version.map(differences.lines) ?? [] { addWrapped(line, styles.theme.secondary, indent: 2) }
        }
    }

    private func time(_ date: Date, _ today: Day) -> String {
        DayText.text(date, today: today, style: dates)(language)
    }
}

/// The texts of the detail.
enum TodoDetailText {
    static let title = LocalizedText("Details", ko: "자세히")
    static let screen = LocalizedText("the details", ko: "자세히 화면")
    static let nothing = LocalizedText("No todo is selected.", ko: "선택된 할 일이 없습니다.")
    static let tick = LocalizedText("done", ko: "완료")
    static let use = LocalizedText("open or restore", ko: "열기 또는 복원")
    static let text = LocalizedText("edit as text", ko: "텍스트로 편집")
    static let work = LocalizedText("start or stop work", ko: "작업 시작·중지")
    static let working = LocalizedText("working", ko: "진행 중")
    static let spent = LocalizedText("spent", ko: "걸린 시간")
    static let waitsFor = TodoEditorText.after
    static let neededBy = LocalizedText("Awaited by", ko: "이 일을 기다리는 할 일")
    static let partOf = TodoEditorText.parent
    static let link = LocalizedText("link", ko: "링크")
    static let created = LocalizedText("created", ko: "적은 때")
    static let completed = LocalizedText("completed", ko: "끝낸 때")
    static let id = LocalizedText("ID", ko: "아이디")
    static let history = LocalizedText("History", ko: "기록")
    static let none = LocalizedText("none", ko: "없음")
    static let yes = LocalizedText("yes", ko: "예")
    static let no = LocalizedText("no", ko: "아니요")
    static let changed = LocalizedText("changed", ko: "바뀜")
    static let restore = LocalizedText("Restore", ko: "복원")
    static let restoreQuestion = LocalizedText("Restore?", ko: "복원할까요?")

    /// Returns the numbers of subtasks.
    static func subtasks(done: Int, of count: Int) -> LocalizedText {
        LocalizedText("Subtasks (\(done) of \(count) done)", ko: "하위 작업 (\(count)개 중 \(done)개 완료)")
    }

    /// Returns what a restoration does.
    static func restoreMessage(_ entry: TodoLogEntry) -> LocalizedText {
        let text = TodoStepText.text(entry.summary)
        return LocalizedText(
            "The todo returns to its state before: \(text.english). The restoration can be undone.",
            ko: "할 일을 이 변경 전으로 되돌립니다: \(text.korean). 복원은 실행 취소할 수 있습니다."
        )
    }
}
