import AppLanguage
import AppTestSupport
import AppUI
import RIBs
import TerminalTesting
import TerminalUI
import TodoCore

@testable import TodoFeature

/// The dependencies of the todo list and the editor, over a fake store.
@MainActor
final class TodoServices: TodoListDependency {
    let store: FakeTodoStore
    let pendingChanges = PendingChanges()
    let manualClock = ManualClock()
    /// The current day.
    var day = Day.sample
    /// The current time of day.
    var timeOfDay: TimeOfDay?
    var keyMap = KeyMap.standard
    let appearance = Appearance.dog()
    var listDefaults: (view: String?, sort: TodoSort?) = (nil, nil)
    var openEditor: @MainActor (_ path: String) async -> Int32 = { _ in 1 }
    var templates = TemplateFolder(nil)

    init(_ lines: [String] = []) throws { store = try FakeTodoStore(lines) }

    var todoStore: any TodoStoring { store }
    var clock: any Clock<Duration> { manualClock }
    var time: @Sendable () -> TimeOfDay? { { [self] in MainActor.assumeIsolated { timeOfDay } } }
    var today: @Sendable () -> Day { { [self] in MainActor.assumeIsolated { day } } }
}

/// Records what the todo list's interactor shows.
@MainActor
final class TodoListPresenterDouble: TodoListPresentable {
    weak var listener: (any TodoListPresentableListener)?
    private(set) var models: [TodoListModel] = []
    private(set) var entryText = ""
    private(set) var clears = 0
    private(set) var questions: [String] = []

    /// The titles that are shown, from the top.
    var titles: [String] {
        guard let listing = models.last?.listing else { return [] }
        return (0..<listing.count).compactMap { listing.todo(at: $0)?.title }
    }
    /// The todo that is selected.
    var selectedID: TodoID?
    /// The todos that were to be selected.
    private(set) var selections: [TodoID] = []
    private(set) var filters: [String] = []
    private(set) var lineProblems: [String] = []
    private(set) var inlineEnds = 0
    private(set) var overwriteQuestions: [String] = []

    func show(_ model: TodoListModel, selecting id: TodoID?) {
        models.append(model)
        guard let id else { return }
        selectedID = id
        selections.append(id)
    }

    func showFilter(_ text: String) { filters.append(text) }
    private(set) var offers: [[String]] = []
    func offer(_ scopes: [TodoScope], counts: [Int]) {
        offers.append(zip(scopes, counts).map { "\($0.title.english) \($1)" })
    }
    private(set) var withdrawals = 0
    func withdrawOffer() { withdrawals += 1 }
    func offer(templates names: [String]) { offers.append(names) }
    func endInlineEdit() { inlineEnds += 1 }
    var inlineEdit: (edit: TodoLineEdit, line: String)?
    private(set) var restored: [String] = []
    /// Whether no other screen is in the place of the list.
    var isOnScreen = true
    /// Whether a line is being typed elsewhere.
    var isTyping = false
    func restore(line: String, of edit: TodoLineEdit?, problem: LocalizedText) -> Bool {
        if !isTyping { restored.append("\(edit?.todo.title ?? "marked"): \(line): \(problem.english)") }
        return !isTyping
    }
    func restore(viewName name: String, problem: LocalizedText) -> Bool {
        if !isTyping { restored.append("view: \(name): \(problem.english)") }
        return !isTyping
    }
    func show(lineProblem: LocalizedText) { lineProblems.append(lineProblem.english) }
    func confirmOverwrite(_ message: LocalizedText) { overwriteQuestions.append(message.english) }

    /// Types a line and presses Enter.
    func enter(_ line: String) {
        entryText = line
        listener?.didEnter(line)
    }

    /// Types into the field, without Enter.
    func type(_ text: String) { entryText += text }

    func clearEntry() {
        clears += 1
        entryText = ""
    }

    func fillEntry(_ line: String) { entryText = line }
    func restoreEntry(_ line: String) {
        if entryText.isEmpty { entryText = line }
    }

    private(set) var completionQuestions: [String] = []
    func confirmCompletion(_ message: LocalizedText, hasSubtasks: Bool) {
        completionQuestions.append(message.english)
    }

    func confirmUndo(_ message: LocalizedText) { questions.append(message.english) }
}

/// Records what the editor's interactor shows.
@MainActor
final class TodoEditorPresenterDouble: TodoEditorPresentable {
    weak var listener: (any TodoEditorPresentableListener)?
    private(set) var forms: [TodoForm] = []
    private(set) var problems: [String?] = []
    private(set) var questions = 0

    func show(_ form: TodoForm) { forms.append(form) }
    func show(problem: LocalizedText?) { problems.append(problem?.english) }
    func confirmDiscard() { questions += 1 }
    private(set) var overwriteQuestions: [String] = []
    func confirmOverwrite(_ message: LocalizedText) { overwriteQuestions.append(message.english) }
}
