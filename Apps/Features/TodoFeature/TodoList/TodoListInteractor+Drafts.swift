import AppUI
import RIBs
import TodoCore

/// What is typed and not saved: asked about before the program ends, and there again after a kill.
extension TodoListInteractor {
    /// The text in the entry field, in a row and in the editor that is not saved.
    var unsavedText: [String] {
        let entry = presenter.entryText
        let inline = presenter.inlineEdit.map { [$0.line] } ?? []
        return (entry.isBlank ? [] : [entry]) + inline + (router?.editorUnsavedText ?? [])
    }

    /// The texts of the entry field, of a row and of the open editor, for a start after a kill.
    var entryDraft: [String: String] {
        var draft = router?.editorDraft ?? [:]
        let entry = presenter.entryText
        if !entry.isBlank { draft["entry"] = entry }
        if let (edit, line) = presenter.inlineEdit { (draft["row"], draft["line"]) = (edit.todo.id.description, line) }
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
            guard let todo else { return presenter.restoreEntry(line) }
            wanted = (todo, isNew: false)
            await search()
            guard isActive else { return }
            if !presenter.restore(line: line, of: TodoLineEdit(todo), problem: TodoListText.restoredLine) {
                notice(.failure, TodoListText.notSaved(line, TodoListText.restoredLine))
            }
        }
    }

    /// Puts a line that was typed before a kill into the entry field.
    func restoreEntry(_ line: String) { presenter.fillEntry(line) }

    /// Opens the editor of a todo with the text that was typed before a kill, once the todos are read.
    func restoreEditor(of id: String, draft: [String: String]) {
        let store = store
        task { [weak self] in
            let todo = try? await store.todos().first { $0.id.description == id }
            guard let self, isActive, let todo else { return }
            router?.routeToEditor(of: todo)
            router?.restoreEditor(draft)
        }
    }
}
