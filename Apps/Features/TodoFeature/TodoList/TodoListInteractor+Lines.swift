import AppLanguage
import AppUI
import RIBs
import TodoCore

/// Todos as typed lines: the edit of a line, pasted lines, and templates.
extension TodoListInteractor {
    func didEnterEdit(of todo: Todo, _ edit: TodoLineEdit, line: String) {
        let change: TodoChange
        let entry: TodoEntry
        do throws(TodoError) {
            entry = try edit.entry(line, today: today(), firstWeekday: firstWeekday)
            // What looked like a field before the edit is part of the title.
            let known = try edit.entry(edit.line, today: today(), firstWeekday: firstWeekday).problems.map(\.text)
            if let problem = entry.problems.first(where: { !known.contains($0.text) }) {
                return presenter.show(lineProblem: problem.explanation)
            }
            change = try edit.change(to: line, today: today(), firstWeekday: firstWeekday)
        } catch {
            return presenter.show(lineProblem: error.text)
        }
        presenter.endInlineEdit()
        if !change.isEmpty || entry.hasLinks { save(change, of: edit, line: line, links: entry) }
    }

    /// Saves a change of a todo. It is merged with changes of other processes; if both have changed a field, the user is asked.
    /// The line returns to its field if it cannot be saved.
    private func save(_ change: TodoChange, of edit: TodoLineEdit, line: String, links entry: TodoEntry) {
        start(editing(edit.todo)) { interactor in
            var change = change
            do throws(TodoError) {
                let links = try await interactor.store.change(entry)
                change.parent = links.parent
                change.removesDependencies = links.removesDependencies
                change.addedDependencies = links.addedDependencies
                try await interactor.save(.merge(edit.todo, change))
                return .done
            } catch .changedElsewhere(let fields) where interactor.canAsk {
                interactor.conflicts.append(TodoLineConflict(edit: edit, line: line, change: change))
                interactor.presenter.confirmOverwrite(TodoListText.changedElsewhere(fields))
                return .done
            } catch {
                return interactor.restore(line, of: edit, error.text)
            }
        }
    }

    /// Puts a line that could not be saved back into its field, with the reason. If the user is typing elsewhere, a notice
    /// contains it. It is the line of a todo in its row, or of the marked todos.
    @discardableResult
    func restore(_ line: String, of edit: TodoLineEdit?, _ problem: LocalizedText) -> PendingChanges.Outcome {
        if !presenter.restore(line: line, of: edit, problem: problem) {
            notice(.failure, TodoListText.notSaved(line, problem))
        }
        return .failed(typed: [line], problem(language))
    }

    func editing(_ todo: Todo) -> LocalizedText {
        TodoListText.activity(LocalizedText("edit", ko: "편집"), [todo.title])
    }

    /// Saves an edit, and offers to undo it in a notice.
    func save(_ mutation: TodoMutation) async throws(TodoError) {
        let receipt = try await store.perform(mutation)
        guard let step = receipt.step else { return }
        didMake(step, notice: TodoListText.of(receipt.todos, TodoListText.changed))
    }

    func didConfirmOverwrite() {
        guard let conflict = conflicts.popLast() else { return }
        let edit = conflict.edit
        start(editing(edit.todo)) { interactor in
            do throws(TodoError) {
                try await interactor.save(.edit(edit.todo.id, conflict.change))
                return .done
            } catch {
                return interactor.restore(conflict.line, of: edit, error.text)
            }
        }
    }

    func didDeclineOverwrite() { _ = conflicts.popLast() }

    func didChooseAdd(lines: [String]) {
        let (today, firstWeekday) = (today(), firstWeekday)
        let open = TodoPaste.open(lines)
        start(TodoListText.activity(LocalizedText("add", ko: "추가"), open)) { interactor in
            let (drafts, refused) = await Self.drafts(lines, today, firstWeekday, interactor.store)
            let reasons = refused.map { "\(lines[$0.line - 1].trimmed): \($0.problem(interactor.language))" }
            let outcome = refused.isEmpty ? PendingChanges.Outcome.done : .failed(reasons.joined(separator: "; "))
            if drafts.isEmpty, let first = refused.first {
                interactor.notice(.failure, first.problem)
                return outcome
            }
            do throws(TodoError) {
                let receipt = try await interactor.store.perform(.add(drafts.map(interactor.scoped)))
                if let step = receipt.step {
                    interactor.didMake(step, notice: TodoListText.added(drafts.count, refused: refused))
                }
                if let todo = receipt.todos.first { interactor.select(todo, isNew: true) }
                return outcome
            } catch {
                interactor.fail(error)
                return .failed(typed: open, error.text(interactor.language))
            }
        }
    }

    func didChooseTemplates() {
        let names = templates.names
        if names.isEmpty { notice(.information, TodoListText.noTemplates(templates.hint)) }
        if !names.isEmpty { presenter.offer(templates: names) }
    }

    func didChoose(template name: String) {
        do throws(TodoFieldError) {
            didChooseAdd(lines: try templates.lines(of: name))
        } catch {
            notice(.failure, error.text)
        }
    }

    /// Parses lines into todos, outside the main actor. Blank lines are left out, and completed ones unless there are no others.
    private nonisolated static func drafts(
        _ lines: [String],
        _ today: Day,
        _ firstWeekday: Int,
        _ store: any TodoStoring
    ) async -> (drafts: [TodoChange], refused: [(line: Int, problem: LocalizedText)]) {
        var drafts: [TodoChange] = []
        var (done, refused): ([(line: Int, problem: LocalizedText)], [(line: Int, problem: LocalizedText)]) = ([], [])
        for (index, line) in lines.enumerated() where !line.isBlank {
            let (line, isDone) = TodoPaste.bare(line)
            guard !isDone else {
                done.append((index + 1, TodoListText.doneLine))
                continue
            }
            do throws(TodoError) {
                _ = try TodoChange(quick: line, today: today)
                let entry = try TodoEntry(parsing: line, today: today, firstWeekday: firstWeekday)
                drafts.append(try await store.change(entry))
            } catch {
                refused.append((index + 1, error.text))
            }
        }
        return (drafts, drafts.isEmpty && refused.isEmpty ? done : refused)
    }
}

/// The edited line of a todo that another process has changed since.
struct TodoLineConflict {
    /// The edit of the todo as it was shown.
    let edit: TodoLineEdit
    /// The typed line.
    let line: String
    /// The change that the line makes.
    let change: TodoChange
}
