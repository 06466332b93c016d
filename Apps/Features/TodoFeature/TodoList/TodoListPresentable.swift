import RIBs
import TodoCore

/// The values that the todo list shows.
struct TodoListModel: Hashable, Sendable {
    /// The todos that pass the filter, in display order.
    var todos: [Todo] = []
    /// The filter.
    var filter = TodoFilter()
    /// The text of the filter, as it was typed.
    var filterText = ""
    /// The number of open todos, whatever the filter.
    var openCount = 0
    /// The number of completed todos that are not archived.
    var doneCount = 0
    /// The current day, for overdue todos.
    var today: Day
    /// Whether the todos were read.
    var isLoaded = false
    /// The change that is being saved, if it takes long.
    var activity: String?
}

/// The screen of the todo list, as its interactor uses it.
@MainActor
protocol TodoListPresentable: Presentable {
    var listener: (any TodoListPresentableListener)? { get set }

    /// Shows the list.
    func show(_ model: TodoListModel)

    /// The text in the field for new todos.
    var entryText: String { get }

    /// Clears the field for new todos.
    func clearEntry()

    /// Puts a line that was typed before a kill into the field for new todos.
    func fillEntry(_ line: String)

    /// Puts a line that could not be saved back into the field, unless another one is being typed.
    func restoreEntry(_ line: String)

    /// Asks whether to undo, and calls ``TodoListPresentableListener/didConfirmUndo()`` if the user agrees.
    func confirmUndo(_ message: String)
}

/// The user's actions on the todo list.
@MainActor
protocol TodoListPresentableListener: AnyObject {
    /// A line for a new todo was typed.
    func didEnter(_ line: String)

    /// A todo was ticked or unticked.
    func didToggle(_ id: TodoID)

    /// A todo is to be edited.
    func didChooseEdit(_ id: TodoID)

    /// A todo is to be deleted.
    func didChooseRemove(_ id: TodoID)

    /// The text of the filter changed.
    func didChangeFilter(_ text: String)

    /// Completed todos are to be shown or hidden.
    func didToggleDone()

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
