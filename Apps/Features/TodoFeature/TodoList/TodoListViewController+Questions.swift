import AppLanguage
import AppUI
import TerminalUI
import TodoCore

/// The questions over the list.
extension TodoListViewController {
    func confirmOverwrite(_ message: LocalizedText) {
        let alert = AlertController(title: TodoListText.overwriteQuestion(language), message: message(language))
        alert.addAction(TodoListText.theirs(language), kind: .cancel) { [weak self] in
            self?.listener?.didDeclineOverwrite()
        }
        alert.addAction(TodoListText.overwrite(language), kind: .destructive) { [weak self] in
            self?.listener?.didConfirmOverwrite()
        }
        presentOnTop(alert)
    }

    func confirmCompletion(_ message: LocalizedText, hasSubtasks: Bool) {
        let alert = AlertController(title: TodoListText.completeQuestion(language), message: message(language))
        alert.addAction(CommonText.cancel(language), kind: .cancel)
        if hasSubtasks {
            alert.addAction(TodoListText.onlyIt(language)) { [weak self] in
                self?.listener?.didConfirmCompletion(withSubtasks: false)
            }
        }
        alert.addAction((hasSubtasks ? TodoListText.withSubtasks : TodoListText.complete)(language), kind: .primary) {
            [weak self] in self?.listener?.didConfirmCompletion(withSubtasks: hasSubtasks)
        }
        presentOnTop(alert)
    }

    func confirmUndo(_ message: LocalizedText) {
        let alert = AlertController(title: TodoListText.undoQuestion(language), message: message(language))
        alert.addAction(CommonText.cancel(language), kind: .cancel)
        alert.addAction(CommonText.undo(language), kind: .primary) { [weak self] in
            self?.listener?.didConfirmUndo()
        }
        presentOnTop(alert)
    }

    func restore(viewName name: String, problem: LocalizedText) -> Bool {
        guard presented == nil, !table.isEditing, !entry.isFirstResponder else { return false }
        askForViewName(name, problem: problem)
        return true
    }

    /// Asks for the name under which the filter is saved. After a failure it has the name, and the reason.
    func askForViewName(_ name: String = "", problem: LocalizedText? = nil) {
        let message = problem?(language) ?? model?.filterText ?? ""
        let alert = AlertController(title: TodoScopeText.save(language), message: message)
        let field = alert.addTextField(placeholder: TodoScopeText.name(language), text: name)
        alert.addAction(CommonText.cancel(language), kind: .cancel)
        alert.addAction(CommonText.save(language), kind: .primary) { [weak self, weak field] in
            if let name = field?.text, !name.isBlank { self?.listener?.didEnterViewName(name) }
        }
        presentOnTop(alert)
    }

    func restore(line: String, of edit: TodoLineEdit?, problem: LocalizedText) -> Bool {
        guard presented == nil, !table.isEditing, !entry.isFirstResponder, !find.isFirstResponder,
            table.becomeFirstResponder()
        else { return false }
        if let edit {
            guard table.select(edit.todo.id) else { return false }
            begin(edit, line: line)
            show(lineProblem: problem)
        } else {
            guard model?.marked.isEmpty == false else { return false }
            changeMarked(line: line, problem: problem)
        }
        return true
    }

    /// Asks for the fields to set in all marked todos. After a failure it has the line, and the reason.
    func changeMarked(line: String = "", problem: LocalizedText? = nil) {
        guard let count = model?.marked.count else { return }
        let alert = AlertController(title: TodoListText.bulk(count)(language), message: problem?(language) ?? "")
        let field = alert.addTextField(placeholder: TodoListText.bulkHint(language), text: line)
        addCompletions(to: field)
        alert.addAction(CommonText.cancel(language), kind: .cancel)
        alert.addAction(TodoListText.change(language), kind: .primary) { [weak self, weak field] in
            if let line = field?.text, !line.isBlank { self?.listener?.didEnterBulkChange(line) }
        }
        presentOnTop(alert)
    }

    /// Asks whether each line of a paste is a todo; returns false for a paste of one line. The entry field stays as it is if
    /// the user cancels.
    func offer(_ paste: Paste, isInField: Bool) -> Bool {
        guard let lines = TodoPaste.lines(paste.text) else {
            guard !isInField, !paste.text.isBlank else { return false }
            perform(.new)
            return entry.paste(paste)
        }
        let open = TodoPaste.open(lines)
        let shown = open.prefix(4).map { TextLayout.truncate($0, to: 44) } + (open.count > 4 ? ["…"] : [])
        let alert = AlertController(
            title: TodoListText.addQuestion(open.count, completed: lines.count { !$0.isBlank } - open.count)(language),
            message: shown.joined(separator: "\n")
        )
        alert.addAction(CommonText.cancel(language), kind: .cancel)
        alert.addAction(TodoListText.oneLine(language)) { [weak self] in
            self?.perform(.new)
            _ = self?.entry.paste(Paste(TodoPaste.oneLine(lines)))
        }
        alert.addAction(TodoListText.eachLine(language), kind: .primary) { [weak self] in
            self?.listener?.didChooseAdd(lines: lines)
        }
        presentOnTop(alert)
        return true
    }
}
