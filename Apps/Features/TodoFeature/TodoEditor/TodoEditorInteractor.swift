import AppLanguage
import AppUI
import RIBs
import TodoCore

/// The logic of the editor: validates the fields while they are typed, and closes only after the change is saved.
@MainActor
final class TodoEditorInteractor: PresentableInteractor<any TodoEditorPresentable>, TodoEditorPresentableListener {
    weak var listener: (any TodoEditorListener)?

    private let todo: Todo
    /// The todos that the form can name.
    private var others: [Todo]
    private let store: any TodoStoring
    private let pending: PendingChanges
    private let today: @Sendable () -> Day
    private let language: AppLanguage
    private let firstWeekday: Int
    private var form: TodoForm
    private var isSaving = false
    /// The change that conflicts with one of another process, while the user is asked.
    private var overwritten: TodoChange?

    init(
        presenter: any TodoEditorPresentable,
        todo: Todo,
        among others: [Todo] = [],
        dependency: any TodoListDependency
    ) {
        self.todo = todo
        self.others = others
        store = dependency.todoStore
        pending = dependency.pendingChanges
        today = dependency.today
        language = dependency.appearance.language
        firstWeekday = dependency.appearance.dates.firstWeekday.number
        form = TodoForm(todo, among: others)
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        presenter.show(form)
        // After a kill, the editor opens before the list.
        guard others.isEmpty else { return }
        let store = store
        task { [weak self] in
            if let todos = try? await store.todos() { self?.read(todos) }
        }
    }

    private func read(_ todos: [Todo]) {
        others = todos
        let original = TodoForm(todo, among: todos)
        if form.after.isEmpty, !original.after.isEmpty {
            form.after = original.after
            presenter.show(form)
        }
        if form != original { didChange(form) }
    }

    /// The changed text that is not saved.
    var unsavedText: [String] {
        let before = TodoForm(todo, among: others)
        return Self.draftFields.map(\.1).filter { form[keyPath: $0] != before[keyPath: $0] }.map { form[keyPath: $0] }
    }

    /// The ID of the todo and the changed texts, for a start after a kill.
    var draft: [String: String] {
        let before = TodoForm(todo, among: others)
        var draft = ["editing": todo.id.description]
        for (name, field) in Self.draftFields where form[keyPath: field] != before[keyPath: field] {
            draft[name] = form[keyPath: field]
        }
        return draft
    }

    /// Shows the texts of a ``draft``.
    func restore(_ draft: [String: String]) {
        for (name, field) in Self.draftFields {
            if let text = draft[name] { form[keyPath: field] = text }
        }
        presenter.show(form)
        didChange(form)
    }

    private static let draftFields: [(String, any WritableKeyPath<TodoForm, String> & Sendable)] = [
        ("title", \.title), ("priority", \.priority), ("due", \.due), ("project", \.project), ("contexts", \.contexts),
        ("tags", \.tags), ("recurrence", \.recurrence), ("threshold", \.threshold), ("parent", \.parent),
        ("after", \.after), ("note", \.note),
    ]

    func didChange(_ form: TodoForm) {
        self.form = form
        do throws(TodoFieldError) {
            _ = try change(to: form)
            presenter.show(problem: nil)
        } catch {
            presenter.show(problem: error.text)
        }
    }

    func didChooseSave(_ form: TodoForm) {
        self.form = form
        guard !isSaving else { return }
        let change: TodoChange
        do throws(TodoFieldError) {
            change = try self.change(to: form)
        } catch {
            return presenter.show(problem: error.text)
        }
        guard !change.isEmpty else {
            listener?.todoEditorDidClose()
            return
        }
        save(.merge(todo, change), change)
    }

    private func change(to form: TodoForm) throws(TodoFieldError) -> TodoChange {
        try form.change(from: todo, today: today(), firstWeekday: firstWeekday, among: others)
    }

    /// Saves the change. It is merged with changes of other processes; if both have changed a field, the user is asked.
    private func save(_ mutation: TodoMutation, _ change: TodoChange) {
        isSaving = true
        presenter.show(problem: TodoEditorText.saving)
        let activity = TodoListText.activity(LocalizedText("edit", ko: "편집"), [todo.title])
        pending.perform(activity(language), isShown: { [self] in isActive }) { [self] in
            defer { isSaving = false }
            do throws(TodoError) {
                let receipt = try await store.perform(mutation)
                // The user may have closed the editor since, and opened another one.
                if isActive { listener?.todoEditorDidClose() }
                listener?.todoEditorDidSave(receipt)
                return .done
            } catch .changedElsewhere(let fields) where isActive && !pending.isFinishing {
                overwritten = change
                presenter.show(problem: TodoError.changedElsewhere(fields: fields).text)
                presenter.confirmOverwrite(TodoListText.changedElsewhere(fields))
                return .done
            } catch {
                presenter.show(problem: Self.problem(error))
                return .failed(typed: unsavedText, error.text(language))
            }
        }
    }

    func didConfirmOverwrite() {
        guard let change = overwritten, !isSaving else { return }
        overwritten = nil
        save(.edit(todo.id, change), change)
    }

    func didChooseCancel() {
        if unsavedText.isEmpty { listener?.todoEditorDidClose() } else { presenter.confirmDiscard() }
    }

    func didConfirmDiscard() { listener?.todoEditorDidClose() }

    /// The reason why a change was not saved, and what to do.
    private static func problem(_ error: TodoError) -> LocalizedText {
        if case .notFound = error { return TodoEditorText.deleted }
        return TodoEditorText.failed(error.text)
    }
}

/// Creates the editor.
@MainActor
final class TodoEditorBuilder: Builder<any TodoListDependency> {
    /// Creates an editor for a todo, which can name those of a snapshot.
    func build(
        withListener listener: any TodoEditorListener,
        todo: Todo,
        among snapshot: TodoSnapshot?
    ) -> any TodoEditorRouting {
        let appearance = dependency.appearance
        let viewController = TodoEditorViewController(appearance: appearance, keyMap: dependency.keyMap)
        if let snapshot {
            let (today, dates, language) = (dependency.today(), appearance.dates, appearance.language)
            viewController.completions = EntryCompletions(
                snapshot: snapshot,
                today: today,
                dates: dates,
                language: language,
                edited: todo.id
            )
        }
        let interactor = TodoEditorInteractor(
            presenter: viewController,
            todo: todo,
            among: snapshot?.todos ?? [],
            dependency: dependency
        )
        interactor.listener = listener
        return TodoEditorRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the editor, which has no children.
@MainActor
final class TodoEditorRouter: ViewableRouter<TodoEditorInteractor, TodoEditorViewController>, TodoEditorRouting {
    var unsavedText: [String] { interactor.unsavedText }

    var draft: [String: String] { interactor.draft }

    func restore(_ draft: [String: String]) { interactor.restore(draft) }
}

// MARK: - Protocols

/// The router of the editor, as its parent uses it.
@MainActor
protocol TodoEditorRouting: ViewableRouting {
    /// The changed text that is not saved.
    var unsavedText: [String] { get }

    /// The ID of the todo and the changed texts, for a start after a kill.
    var draft: [String: String] { get }

    /// Fills the fields with the texts of a ``draft``.
    func restore(_ draft: [String: String])
}

/// The parent of the editor.
@MainActor
protocol TodoEditorListener: AnyObject {
    /// Called after the change was saved, possibly by an editor that was closed before.
    func todoEditorDidSave(_ receipt: TodoReceipt)

    /// Called when the editor is to be closed.
    func todoEditorDidClose()
}

/// The screen of the editor, as its interactor uses it.
@MainActor
protocol TodoEditorPresentable: Presentable {
    var listener: (any TodoEditorPresentableListener)? { get set }

    /// Fills the fields.
    func show(_ form: TodoForm)

    /// Shows what is wrong; `nil` if everything is valid. The fields stay as they are.
    func show(problem: LocalizedText?)

    /// Asks whether to discard the changed text.
    func confirmDiscard()

    /// Asks whether to save a change of a todo that another process has changed.
    func confirmOverwrite(_ message: LocalizedText)
}

/// The user's actions in the editor.
@MainActor
protocol TodoEditorPresentableListener: AnyObject {
    /// A field was changed.
    func didChange(_ form: TodoForm)

    /// The change is to be saved.
    func didChooseSave(_ form: TodoForm)

    /// The editor is to be closed without a change.
    func didChooseCancel()

    /// The user has agreed to discard the changed text.
    func didConfirmDiscard()

    /// The user has agreed to save the change over that of another process.
    func didConfirmOverwrite()
}
