import RIBs
import TodoCore

/// What can be done with todos: the same for the screen and for scripts.
///
/// The screen calls it through ``TodoListPresentableListener``; script mode calls the actions beneath, which throw.
@MainActor
final class TodoListInteractor: PresentableInteractor<any TodoListPresentable> {
    weak var router: (any TodoListRouting)?
    weak var listener: (any TodoListListener)?

    let store: any TodoStoring
    private let today: @Sendable () -> Day
    private var model: TodoListModel

    init(presenter: any TodoListPresentable, store: any TodoStoring, today: @escaping @Sendable () -> Day) {
        self.store = store
        self.today = today
        model = TodoListModel(today: today())
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        let store = store
        task { [weak self] in
            // The stream is taken before the first read, so that no change falls between the two.
            let changes = await store.changes()
            await self?.reload()
            for await _ in changes { await self?.reload() }
        }
    }

    /// Reads the todos again and shows them.
    private func reload() async {
        // A task that is cancelled goes on to its next check: nothing is read or shown for nobody.
        guard isActive else { return }
        do throws(TodoError) {
            let todos = try await store.todos()
            guard isActive else { return }
            model.openCount = todos.count { !$0.isDone && !$0.isArchived }
            model.doneCount = todos.count { $0.isDone && !$0.isArchived }
            model.todos = todos.matching(model.filter)
            model.today = today()
            presenter.show(model)
        } catch {
            tell(error)
        }
    }

    private func tell(_ error: TodoError) {
        listener?.todoListDidNotice(Notice(kind: .failure, text: "\(error)"))
    }

    /// Runs an action off a key or a click: its outcome, good or bad, becomes a notice.
    private func perform(_ action: @escaping @MainActor (TodoListInteractor) async throws(TodoError) -> Notice?) {
        task { [weak self] in
            guard let self else { return }
            do throws(TodoError) {
                if let notice = try await action(self) { listener?.todoListDidNotice(notice) }
                await reload()
            } catch {
                tell(error)
            }
        }
    }
}

extension TodoListInteractor: TodoListPresentableListener {
    func didEnter(_ line: String) {
        let draft: TodoDraft
        do {
            draft = try TodoDraft(quick: line, today: today())
        } catch {
            return tell(error)
        }
        // The field is free at once: what is typed while this one is being kept belongs to the next.
        presenter.clearEntry()
        task { [weak self] in
            guard let self else { return }
            do throws(TodoError) {
                _ = try await add(draft)
                await reload()
            } catch {
                presenter.restoreEntry(line)
                tell(error)
            }
        }
    }

    func didToggle(_ id: TodoID) {
        guard let todo = model.todos.first(where: { $0.id == id }) else { return }
        perform { interactor throws(TodoError) in
            if todo.isDone {
                _ = try await interactor.store.reopen([id])
                return Notice(kind: .undoable, text: "Open again: \(todo.title)")
            }
            _ = try await interactor.store.complete([id])
            return Notice(kind: .undoable, text: "Done: \(todo.title)")
        }
    }

    func didChooseEdit(_ id: TodoID) {
        guard let todo = model.todos.first(where: { $0.id == id }) else { return }
        router?.routeToEditor(of: todo)
    }

    func didChooseRemove(_ id: TodoID) {
        perform { interactor throws(TodoError) in
            let removed = try await interactor.store.remove([id])
            return removed.first.map { Notice(kind: .undoable, text: "Deleted: \($0.title)") }
        }
    }

    func didChangeFilter(_ text: String) {
        model.filterText = text
        model.filter = TodoFilter(status: model.filter.status, text: text)
        task { [weak self] in await self?.reload() }
    }

    func didToggleDone() {
        model.filter.status = model.filter.status == .open ? .all : .open
        task { [weak self] in await self?.reload() }
    }

    func didChooseArchive() {
        perform { interactor throws(TodoError) in
            let count = try await interactor.archive().count
            // Where nothing was done, undo would take back something else.
            return count == 0
                ? Notice(kind: .information, text: "Nothing is done yet")
                : Notice(kind: .undoable, text: "\(count) put away")
        }
    }

    func didChooseUndo() {
        perform { interactor throws(TodoError) in
            Notice(kind: .information, text: "Taken back: \(try await interactor.undo())")
        }
    }

    func didChooseRedo() {
        perform { interactor throws(TodoError) in
            Notice(kind: .information, text: "Made again: \(try await interactor.redo())")
        }
    }
}

extension TodoListInteractor: TodoEditorListener {
    func todoEditorDidSave(_ change: TodoChange, to id: TodoID) {
        router?.closeEditor()
        guard !change.isEmpty else { return }
        perform { interactor throws(TodoError) in
            Notice(kind: .undoable, text: "Changed: \(try await interactor.edit(id, change).title)")
        }
    }

    func todoEditorDidCancel() {
        router?.closeEditor()
    }
}
