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
        self.detailBuilder = detailBuilder
        self.calendarBuilder = calendarBuilder
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
        let router = editorBuilder.build(withListener: interactor, todo: todo)
        editor = router
        attachChild(router)
        viewController.presentChild(router.viewControllable)
    }

    func closeEditor() {
        guard let router = editor else { return }
        editor = nil
        viewController.dismissChild(router.viewControllable)
        detachChild(router)
    }

    // MARK: Details

    var hasDetail: Bool { detail != nil }

    func routeToDetail(isPanel: Bool) {
        guard detail == nil, !isPanel || editor == nil && calendar == nil else { return }
        let router = detailBuilder.build(withListener: interactor, isPanel: isPanel)
        detail = (router, isPanel)
        attachChild(router)
        if isPanel {
            viewController.presentChild(router.viewControllable)
        } else {
            viewController.embedChild(router.viewControllable)
        }
    }

    func showDetail(_ family: TodoFamily?) { detail?.router.show(family) }

    func closeDetail() {
        guard let (router, isPanel) = detail else { return }
        detail = nil
        if isPanel {
            viewController.dismissChild(router.viewControllable)
        } else {
            viewController.removeChild(router.viewControllable)
        }
        detachChild(router)
    }

    func closeDetailPanel() {
        if detail?.isPanel == true { closeDetail() } else { viewController.focusList() }
    }

    private func dismissDetailPanel() {
        if detail?.isPanel == true { closeDetail() }
    }

    // MARK: Calendar

    func routeToCalendar(_ snapshot: TodoSnapshot) {
        guard calendar == nil, editor == nil else { return }
        dismissDetailPanel()
        let router = calendarBuilder.build(withListener: interactor, snapshot: snapshot)
        calendar = router
        attachChild(router)
        viewController.presentChild(router.viewControllable)
    }

    func showCalendar(_ snapshot: TodoSnapshot) { calendar?.show(snapshot) }

    func closeCalendar() {
        guard let router = calendar else { return }
        calendar = nil
        viewController.dismissChild(router.viewControllable)
        detachChild(router)
    }

    func undo(step: String) {
        interactor.undo(step: step)
    }
}

extension TodoListRouter: RestorableRouting {
    var restorationID: String { "todos" }

    /// The line in the field for new todos.
    var restorationState: [String: String] { interactor.entryDraft }

    func restore(state: [String: String]) {
        if let line = state["entry"] { interactor.restoreEntry(line) }
        if let id = state["editing"] { interactor.restoreEditor(of: id, draft: state) }
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

    /// Returns the focus to the list.
    func focusList()
}
