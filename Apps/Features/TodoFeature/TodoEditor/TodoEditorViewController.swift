import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI
import TodoCore

/// A form over the list with a field for each value of a todo.
@MainActor
final class TodoEditorViewController: ViewController, TodoEditorPresentable, ViewControllable, KeyHinting {
    weak var listener: (any TodoEditorPresentableListener)?
    /// What completes the names and IDs in the fields.
    var completions: EntryCompletions?

    private let language: AppLanguage
    private let keyMap: KeyMap
    private var typed = TodoForm()
    private let panel = EditorPanel()

    private lazy var form = Form(style: .page, margin: 1) {
        row(TodoEditorText.todo, TodoEditorText.todoHint, \.title, limit: TodoText.titleLimit)
        row(TodoEditorText.priority, TodoEditorText.priorityHint, \.priority)
        row(TodoEditorText.due, TodoEditorText.dueHint, \.due)
        row(TodoEditorText.project, TodoEditorText.projectHint, \.project, key: "+")
        row(TodoEditorText.contexts, TodoEditorText.contextsHint, \.contexts, key: "@")
        row(TodoEditorText.tags, TodoEditorText.contextsHint, \.tags, key: "#")
        row(TodoEditorText.recurrence, TodoEditorText.recurrenceHint, \.recurrence)
        row(TodoEditorText.threshold, TodoEditorText.dueHint, \.threshold)
        row(TodoEditorText.parent, TodoEditorText.todosHint, \.parent, key: "parent:")
        row(TodoEditorText.after, TodoEditorText.todosHint, \.after, key: "after:")
        Row(TodoEditorText.note(language)) {
            NoteField(language: language, text: Binding(self, \.typed.note, fallback: "")) { [weak self] in
                self?.changed()
            }
        }
        Text(role: .text, lines: 1, reservesLines: true) { "" }
        HStack(spacing: 2) {
            Action(CommonText.save(language), kind: .primary) { [weak self] in self?.save() }
            Action(CommonText.cancel(language)) { [weak self] in self?.listener?.didChooseCancel() }
        }
    }

    init(appearance: Appearance, keyMap: KeyMap) {
        language = appearance.language
        self.keyMap = keyMap
        super.init()
        title = TodoEditorText.title(language)
    }

    var keyHints: [KeyHint] { keyMap.hints(TodoEditorAction.self) }

    override func viewDidLoad() {
        super.viewDidLoad()
        panel.show(form)
        let pane = Pane(panel, title: TodoEditorText.title(language))
        pane.surface = \.panel
        view.addSubview(pane)
        form.onProblem { [weak self] in self?.show(problem: $0) }
        pane.ndl.makeConstraints { make in
            make.centerX.equalTo(view)
            make.centerY.equalTo(view).priority(600)
            make.width.lessThanOrEqualTo(66)
            make.width.lessThanOrEqualTo(view)
            make.width.equalTo(view).priority(700)
            make.top.greaterThanOrEqualTo(view)
            // The line of keys stays visible.
            make.bottom.lessThanOrEqualTo(view).offset(-1)
        }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        form.focusFirst()
    }

    override func keyDown(_ key: Key) -> Bool {
        switch keyMap.action(key, of: TodoEditorAction.self) {
        case .save: save()
        case .cancel: listener?.didChooseCancel()
        case nil: return false
        }
        return true
    }

    func show(_ fields: TodoForm) {
        typed = fields
        form.refresh()
    }

    func show(problem: LocalizedText?) { panel.show(problem: problem?(language)) }

    func confirmDiscard() {
        let (title, message) = (TodoEditorText.discardQuestion, TodoEditorText.notSaved)
        DiscardQuestion().ask(over: self, title: title, message: message, language: language) { [weak self] in
            self?.listener?.didConfirmDiscard()
        }
    }

    func confirmOverwrite(_ message: LocalizedText) {
        let alert = AlertController(title: TodoListText.overwriteQuestion(language), message: message(language))
        alert.addAction(CommonText.editOn(language), kind: .cancel)
        alert.addAction(TodoListText.overwrite(language), kind: .destructive) { [weak self] in
            self?.listener?.didConfirmOverwrite()
        }
        present(alert)
    }

    private func row(
        _ name: LocalizedText,
        _ hint: LocalizedText,
        _ field: any WritableKeyPath<TodoForm, String> & Sendable,
        key: String? = nil,
        limit: Int = 10_000
    ) -> Row {
        Row(name(language)) {
            Field(
                hint(language),
                limit: limit,
                text: Binding(self, (\TodoEditorViewController.typed).appending(path: field), fallback: ""),
                onSubmit: { [weak self] in self?.save() },
                onChange: { [weak self] in self?.changed() },
                completions: key.map { key in { [weak self] in self?.completions?.list($0, caret: $1, of: key) } }
            )
        }
    }

    private func changed() { listener?.didChange(typed) }

    private func save() { listener?.didChooseSave(typed) }
}

/// The form, which scrolls where the rows do not suffice, above what is wrong. It is as high as both.
@MainActor
private final class EditorPanel: View {
    private let scroll = ScrollView()
    /// What is wrong, in sight whatever field is visible.
    private let problem = Label("", role: .error, numberOfLines: 0)

    override init() {
        super.init()
        problem.layoutNode.collapsesWhenHidden = true
        addSubview(scroll)
        addSubview(problem)
        scroll.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(self)
            make.bottom.equalTo(problem.ndl.top)
        }
        problem.ndl.makeConstraints { make in
            // The width of a hidden label is 0.
            make.left.equalTo(self).offset(2)
            make.right.lessThanOrEqualTo(self).offset(-2)
            make.bottom.equalTo(self)
        }
        show(problem: nil)
    }

    /// Shows what is wrong; `nil` if nothing is.
    func show(problem text: String?) {
        problem.text = text ?? ""
        problem.isHidden = text == nil
    }

    /// Places the form.
    func show(_ form: Form) {
        scroll.contentView.addSubview(form)
        form.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(scroll.contentView)
            make.bottom.lessThanOrEqualTo(scroll.contentView)
        }
        scroll.ndl.makeConstraints { $0.height.equalTo(form).priority(700) }
    }
}

/// The note of a todo: several lines of text.
@MainActor
private struct NoteField: FormElement {
    let language: AppLanguage
    let text: Binding<String>
    let onChange: @MainActor () -> Void

    func makeView(in form: Form) -> View {
        let field = TextView(placeholder: TodoEditorText.noteHint(language))
        field.maximumLength = TodoText.noteLimit
        field.onChange = { [text, onChange] in
            text.set($0)
            onChange()
        }
        field.onTruncate = { [weak form] in
            form?.onTruncate?($0, TodoText.noteLimit)
        }
        form.onRefresh { [weak field, text] in
            // Setting the same text again would move the caret.
            if let field, field.text != text.get() { field.text = text.get() }
        }
        field.ndl.makeConstraints { $0.height.equalTo(3) }
        return field
    }
}

/// The texts of the editor.
enum TodoEditorText {
    static let title = LocalizedText("Edit", ko: "편집")
    static let editHint = LocalizedText("edit", ko: "편집")
    static let todo = LocalizedText("Title", ko: "제목")
    static let todoHint = LocalizedText("what is to be done", ko: "할 일")
    static let priority = LocalizedText("Priority", ko: "우선순위")
    static let priorityHint = LocalizedText("A to Z", ko: "A부터 Z까지")
    static let due = LocalizedText("Due", ko: "마감일")
    static let dueHint = LocalizedText("2026-03-09, today, tomorrow, fri, 3d, 2w", ko: "2026-03-09, 오늘, 내일, 금요일, 3일 뒤")
    static let project = LocalizedText("Project", ko: "프로젝트")
    static let projectHint = LocalizedText("one word", ko: "한 단어")
    static let contexts = LocalizedText("Contexts", ko: "상황")
    static let contextsHint = LocalizedText("words separated by spaces", ko: "빈칸으로 나눈 단어")
    static let tags = LocalizedText("Tags", ko: "태그")
    static let recurrence = LocalizedText("Repeats", ko: "반복")
    static let recurrenceHint = LocalizedText("daily, 2w, every mon,thu", ko: "매일, 2w, 매주 월,목")
    static let threshold = LocalizedText("Hidden until", ko: "숨김 기한")
    static let parent = LocalizedText("Part of", ko: TodoFieldText.name("parent").korean)
    static let after = LocalizedText("Waits for", ko: TodoFieldText.name("dependencies").korean)
    static let todosHint = LocalizedText("a part of its title, or its ID", ko: "제목의 일부나 아이디")
    static let note = LocalizedText("Note", ko: "메모")
    static let noteHint = LocalizedText("further text", ko: "자세한 내용")
    static let saveHint = LocalizedText("save", ko: "저장")
    static let screen = LocalizedText("the editor", ko: "편집 화면")
    static let saving = LocalizedText("saving", ko: "저장 중")
    static let discardQuestion = LocalizedText("Discard the changes?", ko: "변경을 버릴까요?")
    static let notSaved = LocalizedText("The changed text is not saved.", ko: "바꾼 내용이 저장되지 않았습니다.")
    static let deleted = LocalizedText(
        "not saved: the todo was deleted meanwhile; copy the text or press Escape",
        ko: "저장하지 못했습니다. 그사이 할 일이 삭제되었습니다. 내용을 복사하거나 Esc를 누르세요"
    )

    /// Returns why a change was not saved.
    static func failed(_ error: LocalizedText) -> LocalizedText {
        LocalizedText("not saved: \(error.english)", ko: "저장하지 못했습니다. \(error.korean)")
    }
}
