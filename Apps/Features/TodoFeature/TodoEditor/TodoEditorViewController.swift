import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI
import TodoCore

/// A form over the list with a field for each value of a todo.
@MainActor
final class TodoEditorViewController: ViewController, TodoEditorPresentable, ViewControllable {
    weak var listener: (any TodoEditorPresentableListener)?

    private let language: AppLanguage
    private var typed = TodoForm()
    private var problem: String?

    private lazy var form = Form(style: .panel) {
        Text("Edit", role: .title)
        row("Title", "what is to be done", \.title, limit: TodoText.titleLimit)
        row("Priority", "A to Z", \.priority)
        row("Due", "2026-03-09, today, tomorrow, fri, 3d, 2w", \.due)
        row("Project", "one word", \.project)
        row("Contexts", "words separated by spaces", \.contexts)
        row("Note", "further text", \.note, limit: TodoText.noteLimit)
        Text(role: .error, lines: 2, reservesLines: true) { [weak self] in self?.problem ?? "" }
        HStack(spacing: 2) {
            Action("Save", kind: .primary) { [weak self] in self?.save() }
            Action("Cancel") { [weak self] in self?.listener?.didChooseCancel() }
        }
    }

    init(appearance: Appearance) {
        language = appearance.language
        super.init()
        title = "Edit"
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(form)
        form.onProblem = { [weak self] in self?.show(problem: $0(self?.language ?? .english)) }
        form.ndl.makeConstraints { make in
            make.center.equalTo(view)
            make.width.lessThanOrEqualTo(64)
            make.width.lessThanOrEqualTo(view)
            make.width.equalTo(view).priority(700)
            make.height.lessThanOrEqualTo(view)
        }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        form.focusFirst()
    }

    override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return false }
        listener?.didChooseCancel()
        return true
    }

    func show(_ fields: TodoForm) {
        typed = fields
        form.refresh()
    }

    func show(problem: String?) {
        self.problem = problem
        form.refresh()
    }

    func confirmDiscard() {
        let alert = AlertController(title: "Discard the changes?", message: "The changed text is not saved.")
        alert.addAction("Edit on", kind: .cancel)
        alert.addAction("Discard", kind: .destructive) { [weak self] in self?.listener?.didConfirmDiscard() }
        present(alert)
    }

    private func row(
        _ name: String,
        _ hint: String,
        _ field: any WritableKeyPath<TodoForm, String> & Sendable,
        limit: Int = 10_000
    ) -> Row {
        Row(name) {
            Field(
                hint,
                limit: limit,
                text: Binding { [weak self] in
                    self?.typed[keyPath: field] ?? ""
                } set: { [weak self] in
                    self?.typed[keyPath: field] = $0
                },
                onSubmit: { [weak self] in self?.save() },
                onChange: { [weak self] in self?.changed() }
            )
        }
    }

    private func changed() {
        listener?.didChange(typed)
    }

    private func save() {
        listener?.didChooseSave(typed)
    }
}
