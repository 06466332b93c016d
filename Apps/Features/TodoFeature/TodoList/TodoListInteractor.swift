package import AppUI
package import RIBs
package import TodoCore

/// The logic of the todo list: turns what the user does into changes of the store, and reports their outcome.
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
                _ = try await store.add(draft)
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
            let count = try await interactor.store.archive().count
            // Where nothing was done, undo would take back something else.
            return count == 0
                ? Notice(kind: .information, text: "Nothing is done yet")
                : Notice(kind: .undoable, text: "\(count) put away")
        }
    }

    func didChooseUndo() {
        perform { interactor throws(TodoError) in
            Notice(kind: .information, text: "Taken back: \(try await interactor.store.undo())")
        }
    }

    func didChooseRedo() {
        perform { interactor throws(TodoError) in
            Notice(kind: .information, text: "Made again: \(try await interactor.store.redo())")
        }
    }
}

extension TodoListInteractor: TodoEditorListener {
    func todoEditorDidSave(_ change: TodoChange, to id: TodoID) {
        router?.closeEditor()
        guard !change.isEmpty else { return }
        perform { interactor throws(TodoError) in
            Notice(kind: .undoable, text: "Changed: \(try await interactor.store.edit(id, change).title)")
        }
    }

    func todoEditorDidCancel() {
        router?.closeEditor()
    }
}

/// What the todo list's interactor asks of its router.
@MainActor
package protocol TodoListRouting: ViewableRouting {
    /// Opens the editor over the list.
    func routeToEditor(of todo: Todo)

    /// Closes the editor.
    func closeEditor()

    /// Undoes the last change.
    func undo()
}

/// What the todo list's interactor asks of what shows it.
@MainActor
protocol TodoListPresentable: Presentable {
    /// Who is told of what the user does.
    var listener: (any TodoListPresentableListener)? { get set }

    /// Shows the list as it is now.
    func show(_ model: TodoListModel)

    /// Empties the field for new todos: its text has been understood.
    func clearEntry()

    /// Puts a line back into that field, since it could not be kept; unless another is being typed already.
    func restoreEntry(_ line: String)
}

/// What a user can do with the todo list.
@MainActor
protocol TodoListPresentableListener: AnyObject {
    /// A line was typed that is to become a todo.
    func didEnter(_ line: String)

    /// A todo was ticked, or its tick taken away.
    func didToggle(_ id: TodoID)

    /// A todo is to be edited.
    func didChooseEdit(_ id: TodoID)

    /// A todo is to be deleted.
    func didChooseRemove(_ id: TodoID)

    /// Other words are looked for.
    func didChangeFilter(_ text: String)

    /// The completed todos are to be shown, or no longer.
    func didToggleDone()

    /// The completed todos are to be put away.
    func didChooseArchive()

    /// The last change is to be taken back.
    func didChooseUndo()

    /// The change taken back is to be made again.
    func didChooseRedo()
}

/// What the todo list tells its parent.
@MainActor
package protocol TodoListListener: AnyObject {
    /// Something happened that the user should read.
    func todoListDidNotice(_ notice: Notice)
}

/// What the todo list shows.
struct TodoListModel: Hashable, Sendable {
    /// The todos that pass the filter, in the order in which people see them.
    var todos: [Todo] = []
    /// What the filter looks for.
    var filter = TodoFilter()
    /// The words of the filter, as they were typed.
    var filterText = ""
    /// How many todos are open, whatever the filter.
    var openCount = 0
    /// How many are completed and not yet archived.
    var doneCount = 0
    /// The day it is, for what is overdue.
    var today: Day
}
