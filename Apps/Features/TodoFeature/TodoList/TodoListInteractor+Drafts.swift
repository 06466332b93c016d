import AppUI
import RIBs
import TodoCore

/// What is typed and not saved: asked about before the program ends, and there again after a kill.
extension TodoListInteractor {
    /// The text that is not saved: in the entry field, in a row, in the editor, and that of open questions.
    var unsavedText: [String] {
        let entry = presenter.entryText
        let inline = presenter.inlineEdit.map { [$0.line] } ?? []
        return (entry.isBlank ? [] : [entry]) + inline + conflicts.map(\.line) + (router?.editorUnsavedText ?? [])
    }

    /// The texts of the entry field, of a row and of the open editor, for a start after a kill. The line of an open question is
    /// that of its row.
    var entryDraft: [String: String] {
        var draft = router?.editorDraft ?? [:]
        let entry = presenter.entryText
        if !entry.isBlank { draft["entry"] = entry }
        if let (edit, line) = presenter.inlineEdit ?? conflicts.last.map({ ($0.edit, $0.line) }) {
            (draft["row"], draft["line"]) = (edit.todo.id.description, line)
        }
        return draft
    }

    /// Edits a todo in its row with the line that was typed before a kill, once the todos are read. The line of a todo that
    /// has gone since becomes that of a new one.
    func restoreLine(_ line: String, of id: String) {
        let store = store
        task { [weak self] in
            let todo = try? await store.todos().first { $0.id.description == id }
            await self?.reload()
            guard let self, isActive else { return }
            guard let todo else { return restoreText(line, ofMissing: id) }
            wanted = (todo, isNew: false)
            await search()
            guard isActive else { return }
            if !presenter.restore(line: line, of: TodoLineEdit(todo), problem: TodoListText.restoredLine) {
                notice(.failure, TodoListText.notSaved(line, TodoListText.restoredLine))
            }
        }
    }

    /// Makes what was typed for a todo that has gone since the line of a new one.
    private func restoreText(_ text: String, ofMissing id: String) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard !line.isBlank else { return }
        if presenter.entryText.isBlank { return presenter.restoreEntry(line) }
        notice(.failure, TodoListText.notSaved(line, TodoError.notFound(name: id).text))
    }

    /// Puts a line that was typed before a kill into the entry field.
    func restoreEntry(_ line: String) { presenter.fillEntry(line) }

    /// Opens the editor of a todo with the text that was typed before a kill, once the todos are read. The title and the note of
    /// a todo that has gone since become the line of a new one.
    func restoreEditor(of id: String, draft: [String: String]) {
        let store = store
        task { [weak self] in
            let todo = try? await store.todos().first { $0.id.description == id }
            guard let self, isActive else { return }
            guard let todo else {
                let texts = [draft["title"], draft["note"]].compactMap(\.self)
                return restoreText(texts.joined(separator: "\n"), ofMissing: id)
            }
            router?.routeToEditor(of: todo)
            router?.restoreEditor(draft)
        }
    }
}
