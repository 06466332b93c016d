import AppLanguage
import AppUI
import TerminalUI
import TodoCore

/// The texts of the todo list.
enum TodoListText {
    static let entry = LocalizedText(
        "What is to be done?  (A) +project @context due:fri",
        ko: "무엇을 할까요?  (A) +프로젝트 @상황 due:금요일"
    )
    static let find = LocalizedText("find: words, +project, @context, due<fri", ko: "찾기: 단어, +프로젝트, @상황, due<금요일")
    static let undoQuestion = LocalizedText("Undo?", ko: "실행 취소할까요?")
    static let nothingToArchive = LocalizedText("There is no completed todo to archive", ko: "보관할 완료된 할 일이 없습니다")

    /// Returns what is wrong with the file of the keys; `nil` if nothing is.
    static func keyProblem(_ problems: [KeyText]) -> LocalizedText? {
        guard let first = problems.first else { return nil }
        let count = problems.count - 1
        return LocalizedText(
            "keys.json: \(first.english)" + (count > 0 ? " (and \(count) more)" : ""),
            ko: "keys.json 파일: \(first.korean)" + (count > 0 ? " (외 \(count)건)" : "")
        )
    }

    static let templates = LocalizedText("Templates", ko: "템플릿")
    static let addTemplate = LocalizedText("add from a template", ko: "템플릿으로 추가")

    /// Returns how the first template is made.
    static func noTemplates(_ hint: LocalizedText) -> LocalizedText {
        LocalizedText("There are no templates: \(hint.english)", ko: "템플릿이 없습니다. \(hint.korean)")
    }

    static let backToList = LocalizedText("list", ko: "목록")
    static let sortBy = LocalizedText("Sort by", ko: "정렬 기준")
    static let groupBy = LocalizedText("Group by", ko: "묶는 기준")

    /// The labels of the choices in the command palette.
    static let sort = LocalizedText("sort by", ko: "정렬 기준")
    static let group = LocalizedText("group by", ko: "묶는 기준")

    /// The orders of the sort menu.
    static let sorts: [(title: LocalizedText, sort: TodoSort?)] = [
        (LocalizedText("urgency", ko: "급한 순서"), nil),
        (LocalizedText("due day", ko: "마감일"), TodoSort([TodoSort.Key(.due)])),
        (LocalizedText("priority", ko: "우선순위"), TodoSort([TodoSort.Key(.priority), TodoSort.Key(.due)])),
        (LocalizedText("project", ko: "프로젝트"), TodoSort([TodoSort.Key(.project), TodoSort.Key(.due)])),
        (LocalizedText("context", ko: "상황"), TodoSort([TodoSort.Key(.context), TodoSort.Key(.due)])),
        (LocalizedText("title", ko: "제목"), TodoSort([TodoSort.Key(.title)])),
        (LocalizedText("newest", ko: "새로 적은 순서"), TodoSort([TodoSort.Key(.created, isDescending: true)])),
        (LocalizedText("oldest", ko: "오래된 순서"), TodoSort([TodoSort.Key(.created)])),
        (LocalizedText("last changed", ko: "최근에 바뀐 순서"), TodoSort([TodoSort.Key(.modified, isDescending: true)])),
    ]

    /// Returns the order after the present one among the three usual orders: by urgency, due day and priority.
    static func order(after sort: TodoSort?) -> TodoSort? {
        let orders = sorts.prefix(3).map(\.sort)
        return orders[((orders.firstIndex(of: sort) ?? -1) + 1) % orders.count]
    }

    /// The groups of the group menu.
    static let groupings: [(title: LocalizedText, grouping: TodoGrouping?)] = [
        (LocalizedText("no groups", ko: "묶지 않음"), nil),
        (LocalizedText("project", ko: "프로젝트"), .project),
        (LocalizedText("context", ko: "상황"), .context),
        (LocalizedText("due day", ko: "마감일"), .due),
        (LocalizedText("tag", ko: "태그"), .tag),
        (LocalizedText("priority", ko: "우선순위"), .priority),
    ]

    /// Returns the order and the groups of the list; `nil` for the usual ones.
    static func contents(_ request: TodoListRequest) -> LocalizedText? {
        let sort = request.sort.flatMap { sort in sorts.first { $0.sort == sort }?.title }
        let grouping = request.grouping.flatMap { grouping in groupings.first { $0.grouping == grouping }?.title }
        let parts = [
            sort.map { LocalizedText("by \($0.english)", ko: "\($0.korean) 정렬") },
            grouping.map { LocalizedText("groups: \($0.english)", ko: "\($0.korean)별") },
            request.filter.status == .all ? LocalizedText("with completed", ko: "완료 포함") : nil,
        ].compactMap(\.self)
        guard !parts.isEmpty else { return nil }
        let korean = parts.map(\.korean).joined(separator: " · ")
        return LocalizedText(parts.map(\.english).joined(separator: " · "), ko: korean)
    }

    /// The names of the keys that the lines of a list without todos name.
    struct EmptyKeys {
        let new: String, all: String, done: String, find: String, palette: String, scopes: String
    }

    /// The lines of a list without todos.
    ///
    /// - Parameters:
    ///   - isFiltered: whether a filter is set, or one of the lists is shown.
    ///   - context: the name of the context.
    ///   - later: the number of open todos that are hidden until a later day.
    ///   - done: the number of completed todos that are not shown.
    ///   - keys: the names of keys.
    /// - Returns: the lines, the most important first.
    static func empty(isFiltered: Bool, context: String?, later: Int, done: Int, keys: EmptyKeys) -> [LocalizedText] {
        if isFiltered {
            return [
                LocalizedText("Nothing found. \(keys.all) shows all.", ko: "찾은 것이 없습니다. \(keys.all) 키로 모두 봅니다.")
            ]
        }
        if let context {
            return [
                LocalizedText(
                    "Nothing to do in the context \(context). \(keys.scopes) leaves it.",
                    ko: "작업 범위 \(context)에는 할 일이 없습니다. \(keys.scopes) 키로 벗어납니다."
                )
            ]
        }
        if later > 0 {
            return [
                LocalizedText(
                    later == 1
                        ? "1 todo is hidden until later; \(keys.done) shows it"
                        : "\(later) todos are hidden until later; \(keys.done) shows them",
                    ko: "할 일 \(later)개가 나중까지 숨겨져 있습니다. \(keys.done) 키로 봅니다."
                )
            ]
        }
        if done > 0 {
            return [
                LocalizedText(
                    "Nothing to do. \(keys.done) shows the \(done) completed, \(keys.new) adds a todo.",
                    ko: "할 일이 없습니다. \(keys.done) 키로 완료한 일 \(done)개를 보고, \(keys.new) 키로 추가합니다."
                )
            ]
        }
        return [
            LocalizedText("Nothing to do yet. Three things to try:", ko: "아직 할 일이 없습니다. 이렇게 시작해 보세요."),
            LocalizedText(
                "\(keys.new)  type a todo on one line: (A) Buy milk +home @shop due:fri",
                ko: "\(keys.new)  한 줄로 쓰기: (A) 우유 사기 +집 @가게 due:금요일"
            ),
            LocalizedText("\(keys.find)  find todos later: +home due<fri", ko: "\(keys.find)  나중에 찾기: +집 due<금요일"),
            LocalizedText("\(keys.palette)  search all commands by name", ko: "\(keys.palette)  모든 명령을 이름으로 찾기"),
        ]
    }

    /// Returns the numbers of todos: open ones, those of them that are hidden until a later day apart, and completed ones.
    static func counts(open: Int, later: Int, done: Int) -> LocalizedText {
        guard later > 0 else { return LocalizedText("\(open) open, \(done) done", ko: "남은 일 \(open), 완료 \(done)") }
        return LocalizedText(
            "\(open) open, \(later) later, \(done) done",
            ko: "남은 일 \(open), 나중에 \(later), 완료 \(done)"
        )
    }

    /// Returns the number of todos that the filter finds.
    static func found(_ count: Int, open: Int) -> LocalizedText {
        LocalizedText("\(count) found, \(open) open", ko: "찾음 \(count), 남은 일 \(open)")
    }

    /// Returns the number of marked todos.
    static func marked(_ count: Int) -> LocalizedText { LocalizedText("\(count) selected", ko: "\(count)개 선택") }

    static let saving = LocalizedText("saving", ko: "저장 중")

    /// Returns the heading of a group.
    static func heading(_ name: String?, today: Day, _ dates: DateStyle) -> LocalizedText {
        guard let name else { return LocalizedText("none", ko: "없음") }
        guard let day = Day(iso: name) else { return LocalizedText(verbatim: name) }
        let text = DayText.text(day, today: today, style: dates)
        guard day < today else { return text }
        let korean = "\(TodoStyles.overdueSign) \(text.korean)"
        return LocalizedText("\(TodoStyles.overdueSign) \(text.english)", ko: korean)
    }

    /// Returns the message about a new todo that the list does not show. The keys that show it are first, and its title last,
    /// which a narrow line cuts.
    static func hidden(_ title: String, keys: String) -> LocalizedText {
        LocalizedText(
            "\(keys) shows it: saved, but this list hides \"\(title)\"",
            ko: "\(keys) 키로 보기: 저장했지만 이 목록에는 안 보이는 \"\(title)\""
        )
    }

    /// Returns what is wrong with a filter, which is then read as words.
    static func invalidQuery(_ error: TodoQueryError) -> LocalizedText {
        LocalizedText("\(error)", ko: "단어로 찾습니다. \(error.column)번째 글자: \(error.text.korean)")
    }

    /// Returns the message about text that the entry field did not accept.
    static func truncated(count: Int, limit: Int) -> LocalizedText {
        let text = CommonText.notInserted(count)
        return LocalizedText(
            "\(text.english): a title has at most \(limit). Put the rest into the note",
            ko: "\(text.korean). 제목은 최대 \(limit)자입니다. 나머지는 메모에 적어 주세요"
        )
    }

    /// The change of a summary as a noun: `deleting "walk"`.
    static func change(_ summary: String) -> LocalizedText {
        let text = TodoStepText.text(summary)
        let nouns = [
            "add": "adding", "edit": "editing", "complete": "completing", "reopen": "reopening", "remove": "deleting",
            "archive": "archiving", "restore": "restoring", "import": "importing", "undo": "undoing",
        ]
        // The undo of an undo has two verbs.
        let words = text.english.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard let verb = words.first, let noun = nouns[verb] else { return text }
        let rest = words.dropFirst().enumerated().map { verb == "undo" && $0 == 0 ? nouns[$1] ?? $1 : $1 }
        return LocalizedText(([noun] + rest).joined(separator: " "), ko: text.korean)
    }

    /// Returns the question before a change is undone after which another one was made.
    static func undoAfter(_ summary: String, later: String) -> LocalizedText {
        let (first, second) = (change(summary), change(later))
        return LocalizedText(
            "A later change exists: \(second.english). Undo \(first.english) and leave the later change as it is?",
            ko: "그 뒤에 \(second.korean.with(.subject)) 있었습니다. 나중 변경은 두고 \(first.korean.with(.object)) 되돌릴까요?"
        )
    }

    /// Returns the question before a change of another process is undone.
    static func undoElsewhere(_ summary: String) -> LocalizedText {
        madeElsewhere(summary).followed(by: LocalizedText("Undo it?", ko: "되돌릴까요?"))
    }

    /// Returns that the last change was not made on this screen.
    static func madeElsewhere(_ summary: String) -> LocalizedText {
        let text = change(summary)
        return LocalizedText(
            "The last change was not made on this screen: \(text.english).",
            ko: "마지막 변경은 이 화면에서 한 것이 아닙니다: \(text.korean)."
        )
    }

    /// Returns why a change of a todo that was deleted since is not undone.
    static func undoOfDeleted(_ summary: String) -> LocalizedText {
        let text = change(summary)
        return LocalizedText(
            "\(text.english) cannot be undone: the todo was deleted since",
            ko: "\(text.korean): 그 뒤에 할 일이 삭제되어 되돌릴 수 없습니다"
        )
    }

    static let done = LocalizedText("Done", ko: "완료")
    static let reopened = LocalizedText("Open again", ko: "다시 열림")
    static let started = LocalizedText("In progress", ko: "작업 시작")
    static let stopped = LocalizedText("Stopped", ko: "작업 중지")
    static let deleted = LocalizedText("Deleted", ko: "삭제함")
    static let changed = LocalizedText("Changed", ko: "바꿈")
    static let restored = LocalizedText("Restored", ko: "복원함")
    static let outdented = LocalizedText("One level up", ko: "한 단계 위로")
    static let undone = LocalizedText("Undone", ko: "되돌림")
    static let redone = LocalizedText("Redone", ko: "다시 실행함")

    /// Returns a text with its todos: `Done: walk`, or `Done: 2 todos`.
    static func of(_ todos: [Todo], _ text: LocalizedText) -> LocalizedText { text.labelling(object(todos)) }

    static let nothingToStart = LocalizedText(
        "A completed todo is not started; open it again first",
        ko: "완료한 할 일은 시작할 수 없습니다. 먼저 다시 여세요"
    )

    static let alreadyStarted = LocalizedText("The work has already begun", ko: "이미 시작한 작업입니다")
    static let alreadyStopped = LocalizedText("The work has already stopped", ko: "이미 중지한 작업입니다")

    static let doneLine = LocalizedText("it is completed already", ko: "이미 완료된 할 일입니다")

    /// Returns the result of adding the lines of a paste.
    static func added(_ count: Int, refused: [(line: Int, problem: LocalizedText)]) -> LocalizedText {
        guard let first = refused.first else { return LocalizedText("\(count) added", ko: "\(count)개 추가함") }
        return LocalizedText(
            "\(count) added, \(refused.count) not; line \(first.line): \(first.problem.english)",
            ko: "\(count)개 추가, \(refused.count)개 실패. \(first.line)번째 줄: \(first.problem.korean)"
        )
    }

    private static func todos(_ count: Int) -> String { count == 1 ? "1 todo" : "\(count) todos" }

    /// Returns the question before the lines of a paste are added, without those that are completed.
    static func addQuestion(_ count: Int, completed: Int) -> LocalizedText {
        let question = LocalizedText("Add \(todos(count))?", ko: "할 일 \(count)개를 추가할까요?")
        guard completed > 0 else { return question }
        return question.followed(
            by: LocalizedText(
                completed == 1 ? "1 completed one is left out." : "\(completed) completed ones are left out.",
                ko: "완료한 \(completed)개는 뺍니다."
            )
        )
    }

    static let nothingChanged = LocalizedText("Nothing was changed", ko: "바뀐 것이 없습니다")

    /// Distances of a threshold from the due day.
    static let distances = [
        (text: "-1d", meaning: LocalizedText("1 day before it is due", ko: "마감 1일 전")),
        (text: "-2d", meaning: LocalizedText("2 days before it is due", ko: "마감 2일 전")),
        (text: "-1w", meaning: LocalizedText("1 week before it is due", ko: "마감 1주 전")),
    ]

    static let eachLine = LocalizedText("One todo a line", ko: "한 줄에 하나씩")
    static let oneLine = LocalizedText("As one line", ko: "한 줄로")

    /// Returns the title of the field for a change of the marked todos.
    static func bulk(_ count: Int) -> LocalizedText {
        LocalizedText("Change \(todos(count))", ko: "할 일 \(count)개 바꾸기")
    }

    static let bulkHint = LocalizedText("+project @context due:fri pri:A", ko: "+프로젝트 @상황 due:금요일 pri:A")
    static let change = LocalizedText("Change", ko: "바꾸기")
    static let restoredLine = LocalizedText(
        "typed before the program was ended: Enter saves it",
        ko: "프로그램이 끝나기 전에 입력한 내용입니다. Enter로 저장합니다"
    )

    /// Returns why a line was not saved, and the line.
    static func notSaved(_ line: String, _ problem: LocalizedText) -> LocalizedText {
        LocalizedText("not saved: \(line): \(problem.english)", ko: "저장하지 못했습니다. \(line): \(problem.korean)")
    }

    static let onlyFields = LocalizedText(
        "write fields only, such as +home due:fri pri:none; several todos keep their titles",
        ko: "+집 due:금요일 pri:none 같은 필드만 적어 주세요. 제목은 바뀌지 않습니다"
    )
    static let completeQuestion = LocalizedText("Complete it all the same?", ko: "그래도 완료할까요?")
    static let complete = LocalizedText("Complete", ko: "완료")
    static let onlyIt = LocalizedText("Only it", ko: "이것만")
    static let withSubtasks = LocalizedText("With subtasks", ko: "하위 작업도")

    /// Returns what is open around todos that are to be completed.
    static func openWork(blockers: [Todo], subtasks: [Todo]) -> LocalizedText {
        func names(_ todos: [Todo]) -> String {
            todos.prefix(3).map(\.title).joined(separator: ", ") + (todos.count > 3 ? ", …" : "")
        }
        var parts: [LocalizedText] = []
        if !blockers.isEmpty {
            let names = names(blockers)
            parts.append(LocalizedText("It waits for: \(names).", ko: "먼저 끝나야 할 일: \(names)."))
        }
        if !subtasks.isEmpty {
            let (count, names) = (subtasks.count, names(subtasks))
            parts.append(LocalizedText("Open subtasks (\(count)): \(names).", ko: "끝나지 않은 하위 작업 \(count)개: \(names)."))
        }
        let korean = parts.map(\.korean).joined(separator: "\n")
        return LocalizedText(parts.map(\.english).joined(separator: "\n"), ko: korean)
    }

    static let overwriteQuestion = LocalizedText("Save over it?", ko: "덮어쓸까요?")
    static let overwrite = LocalizedText("Save mine", ko: "내 것으로 저장")
    static let theirs = LocalizedText("Leave theirs", ko: "그대로 두기")

    /// Returns the question before a change is saved over that of another process.
    static func changedElsewhere(_ fields: [String]) -> LocalizedText {
        let names = fields.map { TodoFieldText.name($0) }
        return LocalizedText(
            "Another process has changed meanwhile: \(names.map(\.english).joined(separator: ", ")).",
            ko: "그사이 다른 프로세스가 바꾸었습니다: \(names.map(\.korean).joined(separator: ", "))."
        )
    }

    static let nothingAbove = LocalizedText("There is no todo above it on its level", ko: "같은 단계의 할 일이 위에 없습니다")
    static let noSubtask = LocalizedText("It is not a subtask", ko: "하위 작업이 아닙니다")
    static let noLevels = LocalizedText(
        "Subtasks are below their todos only in the order of urgency and without groups",
        ko: "하위 작업은 급한 순서로, 묶지 않을 때에만 아래에 표시됩니다"
    )

    /// Returns the result of making todos subtasks of another one.
    static func indented(_ todos: [Todo], below parent: Todo) -> LocalizedText {
        let what = object(todos)
        return LocalizedText(
            "\(what.english) is now part of \(parent.title)",
            ko: "\(parent.title)의 하위 작업: \(what.korean)"
        )
    }

    static func archived(_ count: Int) -> LocalizedText {
        LocalizedText("\(count) archived", ko: "\(count)개를 보관했습니다")
    }

    /// Returns what an action applies to: the title of a todo, or the number of several.
    static func object(_ todos: [Todo]) -> LocalizedText {
        if todos.count == 1, let todo = todos.first { return LocalizedText(verbatim: todo.title) }
        return LocalizedText("\(todos.count) todos", ko: "할 일 \(todos.count)개")
    }

    /// Returns a change as the list of the changes under way names it, such as `complete "walk"`.
    static func activity(_ verb: LocalizedText, _ titles: [String]) -> LocalizedText {
        if titles.count == 1 {
            let korean = "\"\(titles[0])\" \(verb.korean)"
            return LocalizedText("\(verb.english) \"\(titles[0])\"", ko: korean)
        }
        return LocalizedText("\(verb.english) \(titles.count) todos", ko: "할 일 \(titles.count)개 \(verb.korean)")
    }
}
