import And
import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI
import TodoCore

/// The field for new todos, the list, and the number of todos.
@MainActor
final class TodoListViewController: ViewController, TodoListPresentable, TodoListViewControllable, KeyHinting {
    weak var listener: (any TodoListPresentableListener)?

    private let entry = TextField(placeholder: "What is to be done?  (A) +project @context due:fri").and {
        $0.maximumLength = TodoText.titleLimit
    }
    private let find = TextField(placeholder: "find: words, +project, @context").and { $0.isHidden = true }
    private let list = ListView()
    private let summary = Label("", role: .secondary)
    private var items: ListItems<Todo>?
    private var model: TodoListModel?

    init(appearance: Appearance) {
        super.init()
        title = appearance.title
    }

    var keyHints: [KeyHint] {
        [
            KeyHint("n", LocalizedText("new", ko: "새 할 일")), KeyHint(" ", LocalizedText("done", ko: "완료")),
            KeyHint("e", LocalizedText("edit", ko: "편집")), KeyHint("d", LocalizedText("delete", ko: "삭제")),
            KeyHint("u", LocalizedText("undo", ko: "실행 취소")), KeyHint("/", LocalizedText("find", ko: "찾기")),
            KeyHint("r", LocalizedText("redo", ko: "다시 실행"), isRare: true),
            KeyHint("c", LocalizedText("show completed", ko: "완료한 일 보기"), isRare: true),
            KeyHint("a", LocalizedText("archive", ko: "보관"), isRare: true),
            KeyHint(Key(.escape), LocalizedText("all", ko: "모두"), isRare: true),
        ]
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        for child in [list, entry, find, summary] as [View] { view.addSubview(child) }
        layOut()
        connect()
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        list.becomeFirstResponder()
    }

    // MARK: - TodoListPresentable

    func show(_ model: TodoListModel) {
        self.model = model
        items?.apply(model.todos)
        list.emptyText =
            !model.isLoaded
            ? ""
            : model.filter.query.isEmpty
                ? "Nothing to do. Press n for a new todo." : "Nothing found. Escape shows all."
        let counts =
            model.filter.query.isEmpty
            ? "\(model.openCount) open, \(model.doneCount) done"
            : "\(model.todos.count) found, \(model.openCount) open"
        summary.text = model.activity ?? (model.isLoaded ? counts : "")
    }

    var entryText: String { entry.text }

    func clearEntry() {
        entry.text = ""
    }

    func fillEntry(_ line: String) {
        entry.text = line
        entry.becomeFirstResponder()
    }

    func restoreEntry(_ line: String) {
        if entry.text.isEmpty { entry.text = line }
    }

    func confirmUndo(_ message: String) {
        let alert = AlertController(title: "Undo?", message: message)
        alert.addAction("Cancel", kind: .cancel)
        alert.addAction("Undo", kind: .primary) { [weak self] in self?.listener?.didConfirmUndo() }
        present(alert)
    }

    // MARK: - TodoListViewControllable

    func presentChild(_ child: any ViewControllable) {
        guard let controller = child as? ViewController else { return }
        present(controller)
    }

    func dismissChild(_ child: any ViewControllable) {
        guard presented === child else { return }
        dismiss()
        list.becomeFirstResponder()
    }

    // MARK: - Set-up

    private func layOut() {
        entry.ndl.makeConstraints { make in
            make.top.equalTo(view)
            make.left.equalTo(view)
            make.right.equalTo(view)
            make.height.equalTo(1)
        }
        list.ndl.makeConstraints { make in
            make.top.equalTo(entry.ndl.bottom)
            make.left.equalTo(view)
            make.right.equalTo(view)
            make.bottom.equalTo(summary.ndl.top)
        }
        summary.ndl.makeConstraints { make in
            make.left.equalTo(view).offset(1)
            make.bottom.equalTo(view)
            make.height.equalTo(1)
        }
        find.ndl.makeConstraints { make in
            make.left.equalTo(summary.ndl.right).offset(2)
            make.right.equalTo(view)
            make.bottom.equalTo(view)
            make.height.equalTo(1)
        }
    }

    private func connect() {
        items = ListItems(list) { [weak self] list, todo in
            let cell = list.dequeue(TextCell.self)
            TodoCellText(todo: todo, today: self?.model?.today).fill(cell)
            return cell
        }
        entry.onSubmit = { [weak self] line in
            guard !line.isBlank else { return }
            self?.listener?.didEnter(line)
        }
        entry.onTruncate = { [weak self] in self?.listener?.didTruncate(count: $0, limit: TodoText.titleLimit) }
        find.onChange = { [weak self] text in self?.listener?.didChangeFilter(text) }
        find.onSubmit = { [weak self] _ in self?.list.becomeFirstResponder() }
        list.onActivate = { [weak self] _ in self?.withSelected { $0.didChooseEdit($1) } }
        list.onKey = { [weak self] key in self?.handle(key) ?? false }
    }

    override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return false }
        if find.isFirstResponder || !find.text.isEmpty {
            find.text = ""
            listener?.didChangeFilter("")
        }
        find.isHidden = true
        list.becomeFirstResponder()
        return true
    }

    private func handle(_ key: Key) -> Bool {
        switch key {
        case .character(" "): withSelected { $0.didToggle($1) }
        case .character("e"): withSelected { $0.didChooseEdit($1) }
        case .character("d"), Key(.delete): withSelected { $0.didChooseRemove($1) }
        case .character("u"): listener?.didChooseUndo()
        case .character("r"): listener?.didChooseRedo()
        case .character("c"): listener?.didToggleDone()
        case .character("a"): listener?.didChooseArchive()
        case .character("n"): entry.becomeFirstResponder()
        case .character("/"):
            find.isHidden = false
            find.becomeFirstResponder()
        default: return false
        }
        return true
    }

    private func withSelected(_ act: (any TodoListPresentableListener, TodoID) -> Void) {
        guard let listener, let todo = items?.selectedItem else { return }
        act(listener, todo.id)
    }
}

/// The text of a todo in a row of the list.
@MainActor
struct TodoCellText {
    let todo: Todo
    /// The current day, for overdue todos.
    let today: Day?

    /// Fills a cell.
    func fill(_ cell: TextCell) {
        cell.mark = todo.isDone ? "[x]" : "[ ]"
        cell.text = (todo.priority.map { "(\($0)) " } ?? "") + todo.title
        cell.isStruck = todo.isDone
        cell.detail = detail
        let theme = cell.theme
        cell.style = todo.isDone ? theme.secondary : isOverdue ? theme.error : nil
    }

    private var isOverdue: Bool {
        guard let due = todo.due, let today else { return false }
        return due < today && !todo.isDone
    }

    private var detail: String {
        var parts: [String] = []
        if let project = todo.project { parts.append("+\(project)") }
        parts += todo.contexts.map { "@\($0)" }
        if let due = todo.due { parts.append(dueText(due)) }
        if todo.note != nil { parts.append("…") }
        return parts.joined(separator: " ")
    }

    private func dueText(_ due: Day) -> String {
        guard let today else { return "\(due)" }
        switch due.number - today.number {
        case 0: return "today"
        case 1: return "tomorrow"
        default: return "\(due)"
        }
    }
}
