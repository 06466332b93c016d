import AppUI
import NeedleKit
import RIBs
import TerminalUI
import TodoCore

/// A form over the list: a field for each of a todo's values.
@MainActor
final class TodoEditorViewController: ViewController, TodoEditorPresentable, ViewControllable {
    weak var listener: (any TodoEditorPresentableListener)?

    private let form = FormView(title: "Edit")
    private let titleField = TextField(placeholder: "what is to be done")
    private let priorityField = TextField(placeholder: "A to Z")
    private let dueField = TextField(placeholder: "2026-03-09, today, tomorrow, fri, 3d, 2w")
    private let projectField = TextField(placeholder: "one word")
    private let contextsField = TextField(placeholder: "words with spaces between")
    private let noteField = TextField(placeholder: "anything more")
    private var fields: TodoForm?

    init(appearance: Appearance) {
        super.init()
        title = "Edit"
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(form)
        form.ndl.makeConstraints { make in
            make.center.equalTo(view)
            make.width.lessThanOrEqualTo(64)
            make.width.lessThanOrEqualTo(view)
            make.width.equalTo(view).priority(700)
            make.height.lessThanOrEqualTo(view)
        }
        for (name, field) in rows {
            form.addRow(name, field)
            field.onChange = { [weak self] _ in self?.changed() }
            field.onSubmit = { [weak self] _ in self?.save() }
        }
        form.addButton(Button("Save", kind: .primary) { [weak self] in self?.save() })
        form.addButton(Button("Cancel") { [weak self] in self?.listener?.didChooseCancel() })
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        titleField.becomeFirstResponder()
    }

    override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return false }
        listener?.didChooseCancel()
        return true
    }

    func show(_ fields: TodoForm) {
        self.fields = fields
        titleField.text = fields.title
        priorityField.text = fields.priority
        dueField.text = fields.due
        projectField.text = fields.project
        contextsField.text = fields.contexts
        // One line of the field stands for the note's first; the others stay as they are while it is left alone.
        noteField.text = fields.note
    }

    func show(problem: String?) {
        form.problem = problem
    }

    private var rows: [(String, TextField)] {
        [
            ("Title", titleField), ("Priority", priorityField), ("Due", dueField), ("Project", projectField),
            ("Contexts", contextsField), ("Note", noteField),
        ]
    }

    private var typed: TodoForm? {
        guard var typed = fields else { return nil }
        typed.title = titleField.text
        typed.priority = priorityField.text
        typed.due = dueField.text
        typed.project = projectField.text
        typed.contexts = contextsField.text
        typed.note = noteField.text
        return typed
    }

    private func changed() {
        if let typed { listener?.didChange(typed) }
    }

    private func save() {
        if let typed { listener?.didChooseSave(typed) }
    }
}
