import AppLanguage
import AppUI
import TerminalUI
import TodoCore

/// The edit of a todo in its row, and the completions of what is typed.
extension TodoListViewController {
    var inlineEdit: (edit: TodoLineEdit, line: String)? {
        guard table.isEditing, let inline, inline.field.text != inline.edit.line else { return nil }
        return (inline.edit, inline.field.text)
    }

    func endInlineEdit() {
        table.endEditing()
        message.show(nil, isProblem: false)
        table.becomeFirstResponder()
    }

    /// Saves the line of a row that the user has left by a click, as Enter does. A line that is refused stays in its field.
    func leaveInlineEdit() {
        guard let (edit, line) = inlineEdit else { return endInlineEdit() }
        listener?.didEnterEdit(of: edit.todo, edit, line: line)
        if table.isEditing { inline?.field.becomeFirstResponder() }
    }

    func show(lineProblem: LocalizedText) {
        message.show(lineProblem(language), isProblem: true)
        uncover()
    }

    /// Closes the notices over the lowest rows, where text is typed and explained.
    func uncover() { snackbarController?.closeShown() }

    /// Completes names, days and todos in a field.
    func addCompletions(to field: TextField, editing todo: Todo? = nil) {
        field.completions = { [weak self] line, caret in
            guard let self, let model, let snapshot = model.snapshot else { return nil }
            return EntryCompletions(
                snapshot: snapshot,
                today: model.today,
                dates: model.dates,
                language: language,
                edited: todo?.id
            ).list(line, caret: caret)
        }
    }

    /// Edits the selected todo in its row.
    func begin(_ edit: TodoLineEdit, line: String) {
        guard let today = model?.today else { return }
        let todo = edit.todo
        let field = TextField(text: line)
        field.maximumLength = TodoText.titleLimit
        addCompletions(to: field, editing: todo)
        field.onSubmit = { [weak self] in self?.listener?.didEnterEdit(of: todo, edit, line: $0) }
        field.onChange = { [weak self] line in
            guard let self else { return }
            let known = (try? TodoEntry(parsing: edit.line, today: today))?.problems.map(\.text) ?? []
            let problem = (try? TodoEntry(parsing: line, today: today))?.problems.first { !known.contains($0.text) }
            message.show(problem?.explanation(language), isProblem: true)
        }
        inline = (edit, field)
        table.beginEditing(field)
        uncover()
    }
}
