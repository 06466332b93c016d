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

    /// The texts of the entry field, of rows and of the open editor, for a start after a kill. The line of an open question is
    /// that of its row, behind the one that is edited now.
    var entryDraft: [String: String] {
        var draft = router?.editorDraft ?? [:]
        let entry = presenter.entryText
        if !entry.isBlank { draft["entry"] = entry }
        let edited = presenter.inlineEdit.map { [$0] } ?? []
        for (index, (edit, line)) in (edited + conflicts.reversed().map { ($0.edit, $0.line) }).enumerated() {
            let keys = Self.draftKeys(index)
            (draft[keys.row], draft[keys.line]) = (edit.todo.id.description, line)
        }
        return draft
    }

    /// The names of the todo and the line of a row in a draft; those of the first one have no number.
    private static func draftKeys(_ index: Int) -> (row: String, line: String) {
        index == 0 ? ("row", "line") : ("row\(index)", "line\(index)")
    }

    /// Edits a todo in its row with the line that was typed before a kill, once the todos are read. The line of a todo that
    /// has gone since becomes that of a new one, and a further line is in a message.
    func restoreLines(_ draft: [String: String]) {
        var rows: [(id: String, line: String)] = []
        while true {
            let keys = Self.draftKeys(rows.count)
            guard let id = draft[keys.row], let line = draft[keys.line] else { break }
            rows.append((id, line))
        }
        let lines = rows
        let store = store
        task { [weak self] in
            for (id, line) in lines {
                let todo = try? await store.todos().first { $0.id.description == id }
                await self?.restoreLine(line, of: todo, id)
            }
        }
    }

    private func restoreLine(_ line: String, of todo: Todo?, _ id: String) async {
        await reload()
        guard isActive else { return }
        guard let todo else { return restoreText(line, ofMissing: id) }
        wanted = (todo, isNew: false)
        await search()
        guard isActive else { return }
        if !presenter.restore(line: line, of: TodoLineEdit(todo), problem: TodoListText.restoredLine) {
            notice(.failure, TodoListText.notSaved(line, TodoListText.restoredLine))
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
