import AppLanguage
import AppUI
import RIBs
import TodoCore

/// The changes that the user makes on the list, and their undo.
extension TodoListInteractor: TodoListPresentableListener {
    @discardableResult
    func fail(_ error: TodoError) -> PendingChanges.Outcome {
        let text = error.text(language)
        listener?.todoListDidNotice(Notice(kind: .failure, text: text))
        return .failed(text)
    }

    /// Whether a question over the list is visible, so that the user can respond.
    var canAsk: Bool { isActive && presenter.isOnScreen && !pending.isFinishing }

    func notice(_ kind: Notice.Kind, _ text: LocalizedText) {
        listener?.todoListDidNotice(Notice(kind: kind, text: text(language)))
    }

    /// Starts a change, and says that it is being saved if that takes long.
    func start(
        _ description: LocalizedText,
        _ operation: @escaping @MainActor (TodoListInteractor) async -> PendingChanges.Outcome
    ) {
        let number = pending.perform(description(language), isShown: { [self] in isActive }) { [self] in
            // Strong: the change outlives the screen. The store's changes reload the list.
            await operation(self)
        }
        let clock = clock
        task { [weak self] in
            guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            while let self, pending.isUnderWay(number) {
                model.activity = TodoListText.saving.labelling(description)
                show()
                guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            }
            guard let self, model.activity != nil, pending.underWay.isEmpty else { return }
            model.activity = nil
            show()
        }
    }

    /// Makes a change, and offers to undo it in a notice.
    func perform(
        _ description: LocalizedText,
        _ mutation: TodoMutation,
        notice text: @escaping ([Todo]) -> LocalizedText,
        ifNothingChanged nothing: LocalizedText? = nil
    ) {
        perform(description, notice: text, ifNothingChanged: nothing) { _ in mutation }
    }

    /// Makes a change that must be computed first, and offers to undo it in a notice.
    func perform(
        _ description: LocalizedText,
        notice text: @escaping ([Todo]) -> LocalizedText,
        ifNothingChanged nothing: LocalizedText? = nil,
        _ mutation: @escaping @MainActor (TodoListInteractor) async throws(TodoError) -> TodoMutation
    ) {
        start(description) { interactor in
            do throws(TodoError) {
                let receipt = try await interactor.store.perform(mutation(interactor))
                if let step = receipt.step {
                    interactor.didMake(step, notice: text(receipt.todos))
                } else if let nothing {
                    interactor.notice(.information, nothing)
                }
                return .done
            } catch {
                return interactor.fail(error)
            }
        }
    }

    func didMake(_ step: TodoStep, notice text: LocalizedText) {
        steps.append(step)
        notice(.undoable(step: step.mark), text)
    }

    /// The todos that an action on a todo applies to: the marked ones, if there are any.
    func targets(_ todo: Todo) -> [Todo] {
        let marked = model.marked
        guard !marked.isEmpty else { return [todo] }
        return (snapshot?.todos ?? []).filter { marked.contains($0.id) }.sorted { $0.id < $1.id }
    }

    /// Makes a change of one todo, to which the marks do not apply.
    func withoutMarks(_ body: () -> Void) {
        let marked = model.marked
        model.marked = []
        body()
        model.marked = marked
    }

    func activity(_ verb: LocalizedText, _ todos: [Todo]) -> LocalizedText {
        TodoListText.activity(verb, todos.map(\.title))
    }

    // MARK: Adding

    func didEnter(_ line: String) {
        let title: String
        do throws(TodoError) {
            title = try TodoChange(quick: line, today: today()).title ?? line
        } catch {
            fail(error)
            return
        }
        let today = today()
        // The field is cleared at once: text typed while this todo is being saved belongs to the next one.
        presenter.clearEntry()
        start(TodoListText.activity(LocalizedText("add", ko: "추가"), [title])) { interactor in
            do throws(TodoError) {
                let values = try await interactor.store.change(
                    TodoEntry(parsing: line, today: today, firstWeekday: interactor.firstWeekday)
                )
                let receipt = try await interactor.store.perform(.add([interactor.scoped(values)]))
                if let step = receipt.step { interactor.steps.append(step) }
                if let todo = receipt.todos.first { interactor.select(todo, isNew: true) }
                return .done
            } catch {
                if interactor.presenter.entryText.isEmpty {
                    interactor.presenter.restoreEntry(line)
                    interactor.fail(error)
                } else {
                    interactor.notice(.failure, TodoListText.notSaved(line, error.text))
                }
                return .failed(typed: [line], error.text(interactor.language))
            }
        }
    }

    func didTruncate(count: Int, limit: Int) {
        notice(.failure, TodoListText.truncated(count: count, limit: limit))
    }

    // MARK: Changing

    func didToggle(_ todo: Todo) {
        let targets = targets(todo)
        let open = targets.filter { !$0.isDone }
        guard !open.isEmpty else {
            return perform(activity(LocalizedText("reopen", ko: "다시 열기"), targets), .reopen(targets.map(\.id))) {
                TodoListText.of($0, TodoListText.reopened)
            }
        }
        let (blockers, subtasks) = snapshot?.openWork(around: Set(open.map(\.id))) ?? ([], [])
        guard !blockers.isEmpty || !subtasks.isEmpty else { return complete(open) }
        completion = { [weak self] withSubtasks in self?.complete(open + (withSubtasks ? subtasks : [])) }
        let message = TodoListText.openWork(blockers: blockers, subtasks: subtasks)
        presenter.confirmCompletion(message, hasSubtasks: !subtasks.isEmpty)
    }

    private func complete(_ todos: [Todo]) {
        let ids = Set(todos.map(\.id))
        perform(activity(LocalizedText("complete", ko: "완료"), todos), .complete(todos.map(\.id))) {
            // The next todo of a recurrence follows in the receipt.
            TodoListText.of($0.filter { ids.contains($0.id) }, TodoListText.done)
        }
    }

    func didConfirmCompletion(withSubtasks: Bool) {
        completion?(withSubtasks)
        completion = nil
    }

    func didChooseEdit(_ todo: Todo) { router?.routeToEditor(of: todo) }

    func didChooseRemove(_ todo: Todo) {
        let targets = targets(todo)
        perform(activity(LocalizedText("delete", ko: "삭제"), targets), .remove(targets.map(\.id))) {
            TodoListText.of($0, TodoListText.deleted)
        }
    }

    func didChooseWork(_ todo: Todo) {
        let targets = targets(todo)
        let idle = targets.filter { !$0.isDone && !$0.isActive }
        let active = targets.filter(\.isActive)
        if idle.isEmpty, !active.isEmpty {
            perform(
                activity(LocalizedText("stop", ko: "중지"), active),
                .stop(active.map(\.id)),
                notice: { TodoListText.of($0, TodoListText.stopped) },
                ifNothingChanged: TodoListText.alreadyStopped
            )
        } else {
            let started = idle.isEmpty ? targets : idle
            perform(
                activity(LocalizedText("start", ko: "시작"), started),
                .start(started.map(\.id)),
                notice: { TodoListText.of($0, TodoListText.started) },
                ifNothingChanged: idle.isEmpty ? TodoListText.nothingToStart : TodoListText.alreadyStarted
            )
        }
    }

    func didChooseArchive() {
        perform(
            LocalizedText("archive", ko: "보관"),
            .archive,
            notice: { TodoListText.archived($0.count) },
            ifNothingChanged: TodoListText.nothingToArchive
        )
    }

    // MARK: Several todos

    func didToggleMark(_ id: TodoID) {
        if model.marked.remove(id) == nil { model.marked.insert(id) }
        show()
    }

    func didClearMarks() {
        model.marked = []
        show()
    }

    func didToggleAllMarks() {
        let rows = model.rows
        let marked = model.marked
        task { [weak self] in
            let all = await rows.allIDs()
            guard let self, isActive else { return }
            model.marked = all == marked ? [] : all
            show()
        }
    }

    func didEnterBulkChange(_ line: String) {
        let ids = model.marked.sorted { $0.description < $1.description }
        guard !ids.isEmpty else { return }
        let entry: TodoEntry
        do throws(TodoError) {
            entry = try TodoEntry(parsing: line, today: today(), firstWeekday: firstWeekday)
            let hasOnlyFields = entry.title.isEmpty && !entry.pieces.isEmpty
            let problem = entry.problems.first?.explanation ?? (hasOnlyFields ? nil : TodoListText.onlyFields)
            if let problem {
                restore(line, of: nil, problem)
                return
            }
        } catch {
            restore(line, of: nil, error.text)
            return
        }
        start(TodoListText.activity(LocalizedText("edit", ko: "편집"), ids.map(\.description))) { interactor in
            do throws(TodoError) {
                let change = try await interactor.store.change(entry)
                try await interactor.save(.editAll(ids, change))
                return .done
            } catch {
                return interactor.restore(line, of: nil, error.text)
            }
        }
    }
}

extension TodoListInteractor: TodoEditorListener {
    func todoEditorDidSave(_ receipt: TodoReceipt) {
        guard let step = receipt.step, let todo = receipt.todos.first else { return }
        didMake(step, notice: TodoListText.of([todo], TodoListText.changed))
    }

    func todoEditorDidClose() { router?.closeEditor() }
}

extension TodoListInteractor: TodoDetailListener {
    func todoDetailDidClose() { router?.closeDetailPanel() }

    func todoDetailDidChooseEdit(_ todo: Todo) {
        router?.closeDetailPanel()
        router?.routeToEditor(of: todo)
    }

    func todoDetailDidChooseText(_ todo: Todo) {
        router?.closeDetailPanel()
        let edit = TodoTextEdit(
            todo,
            in: store,
            today: today(),
            firstWeekday: firstWeekday,
            language: language,
            open: openEditor
        )
        // What was edited is saved, whatever the screen shows then.
        pending.perform(editing(todo)(language), isShown: { [self] in isActive }) { [self] in
            do throws(TodoTextEdit.Failure) {
                let isChanged = try await edit.run { change throws(TodoError) in
                    try await save(.merge(todo, change))
                }
                if !isChanged { notice(.information, TodoListText.nothingChanged) }
                return .done
            } catch {
                notice(.failure, error.text)
                return .failed(error.text(language))
            }
        }
    }

    func todoDetailDidChooseJump(to todo: Todo) { jump(to: todo) }

    func todoDetailDidToggle(_ todo: Todo) { withoutMarks { didToggle(todo) } }

    func todoDetailDidChooseWork(_ todo: Todo) { withoutMarks { didChooseWork(todo) } }

    func todoDetailDidRestore(_ receipt: TodoReceipt) {
        guard let step = receipt.step else { return }
        didMake(step, notice: TodoListText.of(receipt.todos, TodoListText.restored))
    }

    func todoDetailDidFail(_ error: TodoError) { fail(error) }
}
