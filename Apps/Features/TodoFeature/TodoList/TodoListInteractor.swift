import AppUI
import RIBs
import TodoCore

/// The logic of the todo list: makes the changes that the user asks for and reports their results.
@MainActor
final class TodoListInteractor: PresentableInteractor<any TodoListPresentable> {
    /// How long a change may take before the screen says that it is being saved.
    static let patience = Duration.milliseconds(500)
    /// How often the date is checked.
    static let dateCheck = Duration.seconds(30)

    weak var router: (any TodoListRouting)?
    weak var listener: (any TodoListListener)?

    private let store: any TodoStoring
    private let pending: PendingChanges
    private let clock: any Clock<Duration>
    private let today: @Sendable () -> Day
    private var model: TodoListModel
    /// The changes made on this screen that can be undone, the latest last.
    private var steps: [TodoStep] = []
    /// The todos that were read last.
    private var snapshot: TodoSnapshot?
    /// The number of readings begun, and the number of the reading that is shown.
    private var readCount = 0
    private var shownRead = 0
    /// The number of searches begun.
    private var searchCount = 0
    /// The undo that the user is asked about.
    private var question: (@MainActor () -> Void)?

    init(presenter: any TodoListPresentable, dependency: any TodoListDependency) {
        store = dependency.todoStore
        pending = dependency.pendingChanges
        clock = dependency.clock
        today = dependency.today
        model = TodoListModel(today: dependency.today())
        model.filter = TodoFilter(today: model.today)
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        let (store, clock) = (store, clock)
        task { [weak self] in
            // The stream is opened before the first read, so that no change is missed between the two.
            let changes = await store.changes()
            await self?.reload()
            for await _ in changes { await self?.reload() }
        }
        task { [weak self] in
            while (try? await clock.sleep(for: Self.dateCheck)) != nil { self?.updateDate() }
        }
    }

    /// The text in the entry field and in the editor that is not saved.
    var unsavedText: [String] {
        let entry = presenter.entryText
        return (entry.isBlank ? [] : [entry]) + (router?.editorUnsavedText ?? [])
    }

    /// The texts of the entry field and of the open editor, for a start after a kill.
    var entryDraft: [String: String] {
        var draft = router?.editorDraft ?? [:]
        let entry = presenter.entryText
        if !entry.isBlank { draft["entry"] = entry }
        return draft
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

    /// Undoes the change that a notice reported.
    func undo(step mark: String) {
        if let step = steps.last(where: { $0.mark == mark }) { undo(step, afterLaterChanges: false) }
    }

    // MARK: - Showing

    /// Reads the todos again and shows them. Of several readings at the same time, the last one is shown.
    private func reload() async {
        // A cancelled task runs on until its next check; do not read for a screen that is gone.
        guard isActive else { return }
        readCount += 1
        let number = readCount
        do throws(TodoError) {
            let contents = try await store.contents()
            // Neither sorting nor filtering happens on the main actor: both take longer the more todos there are.
            let snapshot = await TodoSnapshot.prepare(contents.todos)
            guard isActive else { return }
            guard number > shownRead else { return }
            shownRead = number
            self.snapshot = snapshot
            model.openCount = snapshot.openCount
            model.doneCount = snapshot.doneCount
            model.today = today()
            model.isLoaded = true
            listener?.todoListDidFindDamage(contents.damage.map(\.description))
            await search()
        } catch {
            guard isActive else { return }
            listener?.todoListDidFindDamage(["\(error)"])
            presenter.show(model)
        }
    }

    /// Filters the todos that were read last and shows them, unless the filter changes meanwhile.
    private func search() async {
        guard let snapshot else { return }
        searchCount += 1
        let number = searchCount
        let todos = await snapshot.search(model.filter)
        guard isActive, number == searchCount else { return }
        model.todos = todos
        presenter.show(model)
    }

    private func updateDate() {
        guard isActive, model.isLoaded, model.today != today() else { return }
        // Relative dates of the filter count from the new day, on which todos may stop waiting.
        model.today = today()
        model.filter = TodoFilter(status: model.filter.status, text: model.filterText, today: model.today)
        presenter.show(model)
        task { [weak self] in await self?.search() }
    }

    private func fail(_ error: TodoError) -> PendingChanges.Outcome {
        listener?.todoListDidNotice(Notice(kind: .failure, text: "\(error)"))
        return .failed("\(error)")
    }

    // MARK: - Changing

    /// Starts a change, and says that it is being saved if that takes long.
    private func start(
        _ description: String,
        _ operation: @escaping @MainActor (TodoListInteractor) async -> PendingChanges.Outcome
    ) {
        let number = pending.perform(description) { [self] in
            // Strong: the change outlives the screen.
            let outcome = await operation(self)
            await reload()
            return outcome
        }
        let clock = clock
        task { [weak self] in
            guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            while let self, pending.isUnderWay(number) {
                model.activity = "saving: \(description)"
                presenter.show(model)
                guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            }
            guard let self, model.activity != nil, pending.underWay.isEmpty else { return }
            model.activity = nil
            presenter.show(model)
        }
    }

    /// Makes a change, and offers to undo it in a notice.
    private func perform(
        _ description: String,
        _ mutation: TodoMutation,
        notice: @escaping ([Todo]) -> String,
        ifNothingChanged nothing: String? = nil
    ) {
        start(description) { interactor in
            do throws(TodoError) {
                let receipt = try await interactor.store.perform(mutation)
                if let step = receipt.step {
                    interactor.didMake(step, notice: notice(receipt.todos))
                } else if let nothing {
                    interactor.listener?.todoListDidNotice(Notice(kind: .information, text: nothing))
                }
                return .done
            } catch {
                return interactor.fail(error)
            }
        }
    }

    private func didMake(_ step: TodoStep, notice: String) {
        steps.append(step)
        listener?.todoListDidNotice(Notice(kind: .undoable(step: step.mark), text: notice))
    }

    private func undo(_ step: TodoStep, afterLaterChanges: Bool) {
        start("undo \(step.summary)") { interactor in
            do throws(TodoError) {
                let summary = try await interactor.store.undo(step, afterLaterChanges: afterLaterChanges)
                interactor.steps.removeAll { $0 == step }
                interactor.didUndo(summary)
            } catch .laterChange(let summary, let later) {
                interactor.ask("\(later) was made after it. Undo \(summary) and leave the later change as it is?") {
                    [weak interactor] in interactor?.undo(step, afterLaterChanges: true)
                }
            } catch .changedSince(let summary) {
                interactor.steps.removeAll { $0 == step }
                return interactor.fail(.changedSince(summary: summary))
            } catch .stepIsGone(let summary) {
                interactor.steps.removeAll { $0 == step }
                return interactor.fail(.stepIsGone(summary: summary))
            } catch {
                return interactor.fail(error)
            }
            return .done
        }
    }

    /// Undoes the last change of the store after asking, because it was not made on this screen.
    private func undoElsewhere() {
        start("undo") { interactor in
            do throws(TodoError) {
                guard let step = try await interactor.store.lastStep() else { throw .nothingToUndo }
                interactor.ask("The last change was not made on this screen: \(step.summary). Undo it?") {
                    [weak interactor] in interactor?.undo(step, afterLaterChanges: false)
                }
                return .done
            } catch {
                return interactor.fail(error)
            }
        }
    }

    private func didUndo(_ summary: String) {
        listener?.todoListDidNotice(Notice(kind: .information, text: "Undone: \(summary)"))
    }

    private func ask(_ message: String, then action: @escaping @MainActor () -> Void) {
        question = action
        presenter.confirmUndo(message)
    }
}

// MARK: - User actions

extension TodoListInteractor: TodoListPresentableListener {
    func didEnter(_ line: String) {
        let draft: TodoDraft
        do {
            draft = try TodoDraft(quick: line, today: today())
        } catch {
            _ = fail(error)
            return
        }
        // The field is cleared at once: text typed while this todo is being saved belongs to the next one.
        presenter.clearEntry()
        start("add \"\(draft.title)\"") { interactor in
            do throws(TodoError) {
                if let step = try await interactor.store.perform(.add([draft])).step { interactor.steps.append(step) }
                return .done
            } catch {
                interactor.presenter.restoreEntry(line)
                return interactor.fail(error)
            }
        }
    }

    func didToggle(_ id: TodoID) {
        guard let todo = model.todos.first(where: { $0.id == id }) else { return }
        if todo.isDone {
            perform("reopen \"\(todo.title)\"", .reopen([id])) { _ in "Open again: \(todo.title)" }
        } else {
            perform("complete \"\(todo.title)\"", .complete([id])) { _ in "Done: \(todo.title)" }
        }
    }

    func didChooseEdit(_ id: TodoID) {
        guard let todo = model.todos.first(where: { $0.id == id }) else { return }
        router?.routeToEditor(of: todo)
    }

    func didChooseRemove(_ id: TodoID) {
        guard let todo = model.todos.first(where: { $0.id == id }) else { return }
        perform("delete \"\(todo.title)\"", .remove([id])) { _ in "Deleted: \(todo.title)" }
    }

    func didChangeFilter(_ text: String) {
        model.filterText = text
        model.filter = TodoFilter(status: model.filter.status, text: text, today: today())
        task { [weak self] in await self?.search() }
    }

    func didToggleDone() {
        model.filter.status = model.filter.status == .open ? .all : .open
        task { [weak self] in await self?.search() }
    }

    func didChooseArchive() {
        perform(
            "archive",
            .archive,
            notice: { "\($0.count) archived" },
            ifNothingChanged: "There is no completed todo to archive"
        )
    }

    func didChooseUndo() {
        if let step = steps.last { undo(step, afterLaterChanges: false) } else { undoElsewhere() }
    }

    func didConfirmUndo() {
        question?()
        question = nil
    }

    func didChooseRedo() {
        start("redo") { interactor in
            do throws(TodoError) {
                let summary = try await interactor.store.redo()
                if let step = try await interactor.store.lastStep() { interactor.steps.append(step) }
                interactor.listener?.todoListDidNotice(Notice(kind: .information, text: "Redone: \(summary)"))
                return .done
            } catch {
                return interactor.fail(error)
            }
        }
    }

    func didTruncate(count: Int, limit: Int) {
        let text = "\(count) characters were not inserted: a title has at most \(limit). Put the rest into the note"
        listener?.todoListDidNotice(Notice(kind: .failure, text: text))
    }
}

extension TodoListInteractor: TodoEditorListener {
    func todoEditorDidSave(_ receipt: TodoReceipt) {
        router?.closeEditor()
        guard let step = receipt.step, let todo = receipt.todos.first else { return }
        didMake(step, notice: "Changed: \(todo.title)")
        task { [weak self] in await self?.reload() }
    }

    func todoEditorDidCancel() {
        router?.closeEditor()
    }
}
