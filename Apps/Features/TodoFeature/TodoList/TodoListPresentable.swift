import AppLanguage
import RIBs
import TodoCore

/// The values that the todo list shows. Copying it takes the same time for every number of todos.
struct TodoListModel: Sendable {
    /// The rows.
    var rows = TodoRows.empty
    /// The todos whose subtasks are not shown.
    var folded: Set<TodoID> = []
    /// All rows, whatever is folded.
    var listing: TodoListing { rows.listing }
    /// The contents of the list: filter, order and groups.
    var request: TodoListRequest
    /// The list to which the user has switched.
    var scope = TodoScope.all
    /// The lists to which the user can switch.
    var scopes: [TodoScope] = []
    /// The saved query that every list obeys.
    var context: TodoView?
    /// The text of the filter, as it was typed.
    var filterText = ""
    /// What is wrong with the text of the filter, which is then read as words.
    var filterProblem: LocalizedText?
    /// The number of open todos, whatever the filter.
    var openCount = 0
    /// The number of completed todos that are not archived.
    var doneCount = 0
    /// All todos, from which a typed line chooses names and todos.
    var snapshot: TodoSnapshot?
    /// The current day, for overdue todos.
    var today: Day
    /// How days are written, and with which day a week begins.
    var dates = DateStyle()
    /// The current time of day, for todos that are overdue since then.
    var time: TimeOfDay?
    /// Whether the todos were read.
    var isLoaded = false
    /// The change that is being saved, if it takes long.
    var activity: LocalizedText?
    /// The todos that are marked for a common action.
    var marked: Set<TodoID> = []
    /// The todo that was added last, if the list does not show it.
    var hidden: Todo?

    init(today: Day) {
        self.today = today
        request = TodoListRequest(filter: TodoFilter(today: today))
    }
}

/// The screen of the todo list, as its interactor uses it.
@MainActor
protocol TodoListPresentable: Presentable {
    var listener: (any TodoListPresentableListener)? { get set }

    /// Whether the list is in the window, so that a question can be shown over it. Another screen may be in its place.
    var isOnScreen: Bool { get }

    /// Shows the list.
    ///
    /// - Parameters:
    ///   - model: the values.
    ///   - id: the todo to select; `nil` for the present one.
    func show(_ model: TodoListModel, selecting id: TodoID?)

    /// The selected todo.
    var selectedID: TodoID? { get }

    /// The text in the field for new todos.
    var entryText: String { get }

    /// Clears the field for new todos.
    func clearEntry()

    /// Puts a line that was typed before a kill into the field for new todos.
    func fillEntry(_ line: String)

    /// Puts a line that could not be saved back into the field, unless another one is being typed.
    func restoreEntry(_ line: String)

    /// Puts a text into the field of the filter; an empty one hides the field.
    func showFilter(_ text: String)

    /// Offers the lists to which the user can switch, with their numbers of todos.
    func offer(_ scopes: [TodoScope], counts: [Int])

    /// No lists can be offered.
    func withdrawOffer()

    /// Offers the templates whose todos can be added.
    func offer(templates names: [String])

    /// The edit of a todo in its row with the line in the field; `nil` without one, and while the line is unchanged.
    var inlineEdit: (edit: TodoLineEdit, line: String)? { get }

    /// Ends the edit of a todo in its row.
    func endInlineEdit()

    /// Shows why the line of an edit was not accepted.
    func show(lineProblem: LocalizedText)

    /// Returns a line that could not be saved to its field, with the reason.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - edit: the edit of a todo in its row; `nil` for a change of the marked todos.
    ///   - problem: why it could not be saved.
    /// - Returns: `false` if the user is typing elsewhere, or if the todo is not listed.
    func restore(line: String, of edit: TodoLineEdit?, problem: LocalizedText) -> Bool

    /// Asks for the name of a view again.
    ///
    /// - Parameters:
    ///   - name: the name that could not be saved.
    ///   - problem: why it could not be saved.
    /// - Returns: `false` if the user is typing elsewhere.
    func restore(viewName name: String, problem: LocalizedText) -> Bool

    /// Asks whether to save a change of a todo that another process has changed, and calls
    /// ``TodoListPresentableListener/didConfirmOverwrite()`` or ``TodoListPresentableListener/didDeclineOverwrite()``. A later
    /// question is on top of an earlier one.
    func confirmOverwrite(_ message: LocalizedText)

    /// Asks whether to complete todos around which others are open, and calls
    /// ``TodoListPresentableListener/didConfirmCompletion(withSubtasks:)`` if the user agrees.
    ///
    /// - Parameters:
    ///   - message: what is open.
    ///   - hasSubtasks: whether subtasks are, which can be completed, too.
    func confirmCompletion(_ message: LocalizedText, hasSubtasks: Bool)

    /// Asks whether to undo, and calls ``TodoListPresentableListener/didConfirmUndo()`` if the user agrees.
    func confirmUndo(_ message: LocalizedText)
}

/// The user's actions on the todo list. An action on a todo applies to all marked todos if there are any.
@MainActor
protocol TodoListPresentableListener: AnyObject {
    /// A line for a new todo was typed.
    func didEnter(_ line: String)

    /// Todos were ticked or unticked: they are completed if any of them is open.
    func didToggle(_ todo: Todo)

    /// Performs an action on one todo, to which the marks do not apply.
    func withoutMarks(_ action: () -> Void)

    /// The user has agreed to the completion that ``TodoListPresentable/confirmCompletion(_:hasSubtasks:)`` asked about.
    func didConfirmCompletion(withSubtasks: Bool)

    /// A todo is to be edited.
    func didChooseEdit(_ todo: Todo)

    /// Another todo is selected; `nil` in an empty list.
    func didSelect(_ todo: Todo?)

    /// The details of a todo are to be shown.
    func didChooseOpen(_ todo: Todo)

    /// There is room for the details beside the list, or no longer.
    func didChangeRoom(hasRoomForDetail: Bool)

    /// The line of a todo was edited in its row.
    func didEnterEdit(of todo: Todo, _ edit: TodoLineEdit, line: String)

    /// The user has agreed to save a change over that of another process.
    func didConfirmOverwrite()

    /// The user leaves the change of another process as it is.
    func didDeclineOverwrite()

    /// The user begins to work on todos, or stops if none of them is to be started.
    func didChooseWork(_ todo: Todo)

    /// A todo is to become a subtask of the todo above it; `nil` without one on its level.
    func didChooseIndent(_ todo: Todo, below parent: Todo?)

    /// A subtask is to be one level higher.
    func didChooseOutdent(_ todo: Todo)

    /// The subtasks of a todo are to be folded away, or shown again.
    func didFold(_ todo: Todo, _ isFolded: Bool)

    /// A todo is to be marked, or unmarked.
    func didToggleMark(_ id: TodoID)

    /// No todo is to be marked.
    func didClearMarks()

    /// All listed todos are to be marked, or none if all are.
    func didToggleAllMarks()

    /// A line with fields was entered, which are to be set in all marked todos.
    func didEnterBulkChange(_ line: String)

    /// The lines of a paste are to be added as todos.
    func didChooseAdd(lines: [String])

    /// The templates are to be offered.
    func didChooseTemplates()

    /// The todos of a template are to be added.
    func didChoose(template name: String)

    /// The calendar is to be shown.
    func didChooseCalendar()

    /// A todo is to be deleted.
    func didChooseRemove(_ todo: Todo)

    /// The text of the filter changed.
    func didChangeFilter(_ text: String)

    /// The lists to which the user can switch are to be offered.
    func didChooseScopes()

    /// The list with a number is to be shown; nothing happens without one.
    func didChooseScope(_ number: Int)

    /// Another list is to be shown.
    func didChoose(_ scope: TodoScope)

    /// The saved query that every list obeys was chosen; `nil` for none.
    func didChooseContext(_ name: String?)

    /// The present filter is to be saved as a view.
    func didEnterViewName(_ name: String)

    /// Completed todos are to be shown or hidden.
    func didToggleDone()

    /// Another order was chosen; `nil` for the display order.
    func didChooseSort(_ sort: TodoSort?)

    /// Another grouping was chosen.
    func didChooseGrouping(_ grouping: TodoGrouping?)

    /// The list is to be changed so that the todo that was added last is visible.
    func didChooseReveal()

    /// The completed todos are to be archived.
    func didChooseArchive()

    /// The last change of this screen is to be undone.
    func didChooseUndo()

    /// The user has agreed to the undo that ``TodoListPresentable/confirmUndo(_:)`` asked about.
    func didConfirmUndo()

    /// The last undone change is to be made again.
    func didChooseRedo()

    /// Text was not inserted into the field for new todos, which is full.
    func didTruncate(count: Int, limit: Int)
}
