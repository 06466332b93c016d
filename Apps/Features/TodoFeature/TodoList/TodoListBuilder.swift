package import AppUI
package import RIBs
package import TerminalUI
package import TodoCore

/// Creates the todo list.
@MainActor
package final class TodoListBuilder: Builder<any TodoListDependency> {
    /// Creates the RIB.
    package func build(withListener listener: any TodoListListener) -> any TodoListRouting {
        let viewController = TodoListViewController(appearance: dependency.appearance, keyMap: dependency.keyMap)
        let interactor = TodoListInteractor(presenter: viewController, dependency: dependency)
        interactor.listener = listener
        let router = TodoListRouter(
            interactor: interactor,
            viewController: viewController,
            editorBuilder: TodoEditorBuilder(dependency: dependency),
            detailBuilder: TodoDetailBuilder(dependency: dependency),
            calendarBuilder: TodoCalendarBuilder(dependency: dependency)
        )
        interactor.router = router
        return router
    }
}

/// The dependencies of the todo list, and of its details, calendar and editor.
@MainActor
package protocol TodoListDependency: Dependency {
    /// The store of the todos.
    var todoStore: any TodoStoring { get }
    /// The changes that are not saved yet.
    var pendingChanges: PendingChanges { get }
    /// The clock of delays.
    var clock: any Clock<Duration> { get }
    /// Returns the current day.
    var today: @Sendable () -> Day { get }
    /// Returns the current time of day; `nil` to compare days alone.
    var time: @Sendable () -> TimeOfDay? { get }
    /// The name of the view and the order with which the list starts; `nil` for all todos in display order.
    var listDefaults: (view: String?, sort: TodoSort?) { get }
    /// Opens a file in the user's editor, which has the terminal until it ends, and returns its exit status.
    var openEditor: @MainActor (_ path: String) async -> Int32 { get }
    /// The templates of the user.
    var templates: TemplateFolder { get }
    /// The look of the screen.
    var appearance: Appearance { get }
    /// The keys.
    var keyMap: KeyMap { get }
}

/// The router of the todo list, as its interactor and its parent use it.
@MainActor
package protocol TodoListRouting: ViewableRouting {
    /// Opens the editor over the list.
    func routeToEditor(of todo: Todo)

    /// Closes the editor.
    func closeEditor()

    /// Whether the details are visible.
    var hasDetail: Bool { get }

    /// Opens the details over the list, or as a pane beside it.
    func routeToDetail(isPanel: Bool)

    /// Moves the focus to the details beside the list.
    func focusDetail()

    /// Shows a todo in the details.
    func showDetail(_ family: TodoFamily?)

    /// Closes the details, over the list and beside it.
    func closeDetail()

    /// Closes the details over the list.
    func closeDetailPanel()

    /// Opens the calendar over the list at a day; `nil` for the current one.
    func routeToCalendar(_ snapshot: TodoSnapshot, at day: Day?)

    /// Shows other todos in the calendar, if it is open.
    func showCalendar(_ snapshot: TodoSnapshot)

    /// Closes the calendar.
    func closeCalendar()

    /// The texts of the editor, with the ID of its todo, for a start after a kill; empty while it is closed.
    var editorDraft: [String: String] { get }

    /// Fills the editor with the texts of an ``editorDraft``.
    func restoreEditor(_ draft: [String: String])

    /// The text in the editor that is not saved.
    var editorUnsavedText: [String] { get }

    /// The text in the entry field and in the editor that is not saved.
    var unsavedText: [String] { get }

    /// Undoes the change that a notice reported.
    func undo(step: String)

    /// Lets the user undo a change that a sync has made, as if it was made on this screen.
    func add(step: TodoStep)

    /// Returns the views and the lists with the numbers of their todos.
    func lists() async -> [TodoListEntry]

    /// Switches to a list.
    func show(list id: String)
}

/// The parent of the todo list.
@MainActor
package protocol TodoListListener: AnyObject {
    /// Called when there is a message for the user.
    func todoListDidNotice(_ notice: Notice)

    /// Called when the list obeys another saved query, with its name; `nil` for none.
    func todoListDidChange(context: String?)

    /// Called after each read with everything that is missing from the list; usually empty.
    func todoListDidFindDamage(_ damage: [String])
}
