import RIBs
import TodoCore

/// Opens and closes the editor, the details and the calendar over the todo list, and the details beside it.
@MainActor
final class TodoListRouter: ViewableRouter<TodoListInteractor, any TodoListViewControllable>, TodoListRouting {
    private let editorBuilder: TodoEditorBuilder
    private let detailBuilder: TodoDetailBuilder
    private let calendarBuilder: TodoCalendarBuilder
    private var editor: (any TodoEditorRouting)?
    private var detail: (router: any TodoDetailRouting, isPanel: Bool)?
    private var calendar: (any TodoCalendarRouting)?

    init(
        interactor: TodoListInteractor,
        viewController: any TodoListViewControllable,
        editorBuilder: TodoEditorBuilder,
        detailBuilder: TodoDetailBuilder,
        calendarBuilder: TodoCalendarBuilder
    ) {
        self.editorBuilder = editorBuilder
        (self.detailBuilder, self.calendarBuilder) = (detailBuilder, calendarBuilder)
        super.init(interactor: interactor, viewController: viewController)
    }

    // MARK: Editor

    var editorUnsavedText: [String] { editor?.unsavedText ?? [] }

    var editorDraft: [String: String] { editor?.draft ?? [:] }

    func restoreEditor(_ draft: [String: String]) { editor?.restore(draft) }

    var unsavedText: [String] { interactor.unsavedText }

    func routeToEditor(of todo: Todo) {
        guard editor == nil else { return }
        dismissDetailPanel()
        closeCalendar()
        let router = editorBuilder.build(withListener: interactor, todo: todo, among: interactor.snapshot)
        editor = router
        attachChild(router, show: viewController.presentChild)
    }

    func closeEditor() { detachChild(editor.take(), hide: viewController.dismissChild) }

    // MARK: Details

    var hasDetail: Bool { detail != nil }

    func routeToDetail(isPanel: Bool) {
        guard detail == nil, !isPanel || editor == nil && calendar == nil else { return }
        let router = detailBuilder.build(withListener: interactor, isPanel: isPanel)
        detail = (router, isPanel)
        attachChild(router, show: isPanel ? viewController.presentChild : viewController.embedChild)
    }

    func focusDetail() { viewController.focusEmbedded() }

    func showDetail(_ family: TodoFamily?) { detail?.router.show(family) }

    func closeDetail() {
        guard let (router, isPanel) = detail.take() else { return }
        detachChild(router, hide: isPanel ? viewController.dismissChild : viewController.removeChild)
    }

    func closeDetailPanel() {
        if detail?.isPanel == true { closeDetail() } else { viewController.focusList() }
    }

    private func dismissDetailPanel() {
        if detail?.isPanel == true { closeDetail() }
    }

    // MARK: Calendar

    func routeToCalendar(_ snapshot: TodoSnapshot, at day: Day?) {
        guard calendar == nil, editor == nil else { return }
        dismissDetailPanel()
        let router = calendarBuilder.build(withListener: interactor, snapshot: snapshot, selected: day)
        calendar = router
        attachChild(router, show: viewController.presentChild)
    }

    func showCalendar(_ snapshot: TodoSnapshot) { calendar?.show(snapshot) }

    func closeCalendar() { detachChild(calendar.take(), hide: viewController.dismissChild) }

    func undo(step: String) { interactor.undo(step: step) }

    func add(step: TodoStep) { interactor.steps.append(step) }

    func lists() async -> [TodoListEntry] { await interactor.lists() }

    func show(list id: String) { interactor.showScope(id: id) }
}

extension TodoListRouter: RestorableRouting {
    var restorationID: String { "todos" }

    /// The line in the field for new todos and in a row, the texts of the editor, and what is open over the list.
    var restorationState: [String: String] {
        let place = TodoListPlace(
            detail: detail?.isPanel == true ? interactor.openID : nil,
            calendar: calendar?.selectedDay
        )
        return interactor.entryDraft.merging((interactor.placeToRestore ?? place).state) { $1 }
            .merging(interactor.scopeToStore.map { [Self.scopeKey: $0] } ?? [:]) { $1 }
    }

    private static let scopeKey = "scope"

    func restore(state: [String: String]) {
        if let scope = state[Self.scopeKey] { interactor.showScope(id: scope) }
        if let line = state["entry"] { interactor.restoreEntry(line) }
        interactor.restoreLines(state)
        if let id = state["editing"] { interactor.restoreEditor(of: id, draft: state) }
        if let place = TodoListPlace(state) { interactor.restore(place) }
    }
}

/// What is open over the list besides the editor, for a start after a kill.
struct TodoListPlace: Equatable, Sendable {
    private static let detailKey = "detail"
    private static let calendarKey = "calendar"

    /// The todo in the details; `nil` while they are closed, or beside the list.
    let detail: TodoID?
    /// The selected day of the calendar; `nil` while it is closed.
    let calendar: Day?

    init(detail: TodoID?, calendar: Day?) { (self.detail, self.calendar) = (detail, calendar) }

    /// Reads a stored state; `nil` if it names no place, or an invalid one.
    init?(_ state: [String: String]) {
        self.init(
            detail: state[Self.detailKey].flatMap { TodoID($0) },
            calendar: state[Self.calendarKey].flatMap { Day(iso: $0) }
        )
        guard detail != nil || calendar != nil else { return nil }
    }

    /// The place as texts.
    var state: [String: String] {
        var state: [String: String] = [:]
        state[Self.detailKey] = detail?.description
        state[Self.calendarKey] = calendar?.description
        return state
    }
}

/// The view controller of the todo list, as its router uses it.
@MainActor
protocol TodoListViewControllable: ViewControllable {
    /// Shows a child's view over the list.
    func presentChild(_ child: any ViewControllable)

    /// Removes a child's view from over the list.
    func dismissChild(_ child: any ViewControllable)

    /// Shows a child's view beside the list.
    func embedChild(_ child: any ViewControllable)

    /// Removes a child's view from beside the list.
    func removeChild(_ child: any ViewControllable)

    /// Moves the focus to the view beside the list.
    func focusEmbedded()

    /// Returns the focus to the list.
    func focusList()
}
