import AppLanguage
import AppUI
import RIBs
import TodoCore

/// Undoing and redoing the changes of this screen, and of others after a question.
extension TodoListInteractor {
    func didChooseUndo() {
        if let step = steps.last { undo(step, afterLaterChanges: false) } else { undoElsewhere() }
    }

    /// Undoes the change that a notice reported.
    func undo(step mark: String) {
        if let step = steps.last(where: { $0.mark == mark }) { undo(step, afterLaterChanges: false) }
    }

    private func undo(_ step: TodoStep, afterLaterChanges: Bool) {
        // Until it is undone, the next undo is about the change before it.
        let index = steps.lastIndex(of: step)
        if let index { steps.remove(at: index) }
        let summary = TodoListText.change(step.summary)
        start(LocalizedText("undo \(summary.english)", ko: "\(summary.korean) 실행 취소")) { interactor in
            do throws(TodoError) {
                let summary = try await interactor.store.undo(step, afterLaterChanges: afterLaterChanges)
                interactor.notice(.information, TodoListText.undone.labelling(TodoListText.change(summary)))
                await interactor.selectTodo(of: step, \.before)
            } catch .laterChange(let summary, let later) where interactor.canAsk {
                interactor.putBack(step, at: index)
                interactor.ask(TodoListText.undoAfter(summary, later: later)) {
                    [weak interactor] in interactor?.undo(step, afterLaterChanges: true)
                }
            } catch .changedSince(let summary) {
                let isDeleted = await interactor.hasLostTodos(step)
                let text =
                    isDeleted ? TodoListText.undoOfDeleted(summary) : TodoError.changedSince(summary: summary).text
                interactor.notice(.failure, text)
                return .failed(text(interactor.language))
            } catch .stepIsGone(let summary) {
                return interactor.fail(.stepIsGone(summary: summary))
            } catch {
                interactor.putBack(step, at: index)
                return interactor.fail(error)
            }
            return .done
        }
    }

    /// Whether a later change has deleted a todo of a change.
    private func hasLostTodos(_ step: TodoStep) async -> Bool {
        guard let log = try? await store.log(), let todos = try? await store.todos() else { return false }
        let kept = log.first { $0.number == step.number && !$0.isUndone }?.versions.filter { $0.after != nil } ?? []
        return !Set(kept.map(\.id)).isSubset(of: todos.map(\.id))
    }

    /// Returns a change that was not undone to its place among the others; `nil` for one of another process.
    private func putBack(_ step: TodoStep, at index: Int?) {
        if let index { steps.insert(step, at: min(index, steps.count)) }
    }

    /// Undoes the last change of the store after asking, because it was not made on this screen.
    private func undoElsewhere() {
        start(LocalizedText("undo", ko: "실행 취소")) { interactor in
            do throws(TodoError) {
                guard let step = try await interactor.store.lastStep() else { throw .nothingToUndo }
                guard interactor.canAsk else {
                    let text = TodoListText.madeElsewhere(step.summary)
                    interactor.notice(.failure, text)
                    return .failed(text(interactor.language))
                }
                interactor.ask(TodoListText.undoElsewhere(step.summary)) {
                    [weak interactor] in interactor?.undo(step, afterLaterChanges: false)
                }
                return .done
            } catch {
                return interactor.fail(error)
            }
        }
    }

    private func ask(_ message: LocalizedText, then action: @escaping @MainActor () -> Void) {
        question = action
        presenter.confirmUndo(message)
    }

    func didConfirmUndo() {
        question?()
        question = nil
    }

    func didChooseRedo() {
        start(LocalizedText("redo", ko: "다시 실행")) { interactor in
            do throws(TodoError) {
                let summary = try await interactor.store.redo()
                let step = try await interactor.store.lastStep()
                if let step { interactor.steps.append(step) }
                interactor.notice(.information, TodoListText.redone.labelling(TodoListText.change(summary)))
                if let step { await interactor.selectTodo(of: step, \.after) }
                return .done
            } catch {
                return interactor.fail(error)
            }
        }
    }

    /// Selects the first todo that a change has left after it was undone or made again.
    private func selectTodo(of step: TodoStep, _ state: (TodoLogEntry.Version) -> Todo?) async {
        // If the history cannot be read, the selection stays.
        let versions = (try? await store.log())?.first { $0.number == step.number }?.versions ?? []
        if let todo = versions.compactMap(state).first { select(todo, isNew: false) }
    }
}
