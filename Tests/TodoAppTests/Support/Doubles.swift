import RIBs
import Testing
import TodoCore

@testable import TodoApp

/// A journal that fails the test with what nobody asserted.
@MainActor
func journal<Call: Equatable>(of type: Call.Type = Call.self) -> CallJournal<Call> {
    CallJournal { Issue.record("\($0)") }
}

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
    private(set) var fields: [TodoEditorFields] = []
    private(set) var problems: [String?] = []

    func show(_ fields: TodoEditorFields) { self.fields.append(fields) }
    func show(problem: String?) { problems.append(problem) }
}

/// Stands where the picture's pane would.
@MainActor
final class PicturePresenterDouble: PicturePresentable {
    weak var listener: (any PicturePresentableListener)?
    private(set) var models: [PictureModel] = []

    func show(_ model: PictureModel) { models.append(model) }
}

/// Stands where the profile's screen would.
@MainActor
final class ProfilePresenterDouble: ProfilePresentable {
    weak var listener: (any ProfilePresentableListener)?
    private(set) var models: [ProfileModel] = []
    private(set) var problems: [String] = []

    func show(_ model: ProfileModel) { models.append(model) }
    func show(problem: String) { problems.append(problem) }
}

/// Stands where home's screen would.
@MainActor
final class HomePresenterDouble: HomePresentable {
    /// What was asked of it.
    enum Call: Equatable {
        case notice(Notice)
        case name(String?)
    }

    weak var listener: (any HomePresentableListener)?
    let calls: CallJournal<Call> = journal()

    func show(_ notice: Notice) { calls.record(.notice(notice)) }
    func show(name: String?) { calls.record(.name(name)) }
}
