import RIBs
import TodoCore

@testable import TodoFeature

/// Stands where the todo list's screen would.
@MainActor
final class TodoListPresenterDouble: TodoListPresentable {
    weak var listener: (any TodoListPresentableListener)?
    private(set) var models: [TodoListModel] = []
    private(set) var entry = ""
    private(set) var clears = 0

    /// The titles that are shown, from the top.
    var titles: [String] { models.last?.todos.map(\.title) ?? [] }

    func show(_ model: TodoListModel) { models.append(model) }

    /// Types a line and presses Enter.
    func enter(_ line: String) {
        entry = line
        listener?.didEnter(line)
    }

    /// Types into the field, without Enter.
    func type(_ text: String) { entry += text }

    func clearEntry() {
        clears += 1
        entry = ""
    }

    func restoreEntry(_ line: String) {
        if entry.isEmpty { entry = line }
    }
}

/// Stands where the editor's screen would.
@MainActor
final class TodoEditorPresenterDouble: TodoEditorPresentable {
    weak var listener: (any TodoEditorPresentableListener)?
    private(set) var fields: [TodoForm] = []
    private(set) var problems: [String?] = []

    func show(_ fields: TodoForm) { self.fields.append(fields) }
    func show(problem: String?) { problems.append(problem) }
}
