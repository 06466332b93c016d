import RIBs
import TodoCore

/// What the todo list's interactor asks of its router.
@MainActor
protocol TodoListRouting: ViewableRouting {
    /// Opens the editor over the list.
    func routeToEditor(of todo: Todo)

    /// Closes the editor.
    func closeEditor()
}

/// What the todo list's interactor asks of what shows it.
@MainActor
protocol TodoListPresentable: Presentable {
    /// Who is told of what the user does.
    var listener: (any TodoListPresentableListener)? { get set }

    /// Shows the list as it is now.
    func show(_ model: TodoListModel)

    /// Empties the field for new todos: its text has been understood.
    func clearEntry()

    /// Puts a line back into that field, since it could not be kept; unless another is being typed already.
    func restoreEntry(_ line: String)
}

/// What a user can do with the todo list.
@MainActor
protocol TodoListPresentableListener: AnyObject {
    /// A line was typed that is to become a todo.
    func didEnter(_ line: String)

    /// A todo was ticked, or its tick taken away.
    func didToggle(_ id: TodoID)

    /// A todo is to be edited.
    func didChooseEdit(_ id: TodoID)

    /// A todo is to be deleted.
    func didChooseRemove(_ id: TodoID)

    /// Other words are looked for.
    func didChangeFilter(_ text: String)

    /// The completed todos are to be shown, or no longer.
    func didToggleDone()

    /// The completed todos are to be put away.
    func didChooseArchive()

    /// The last change is to be taken back.
    func didChooseUndo()

    /// The change taken back is to be made again.
    func didChooseRedo()
}

/// What the todo list tells its parent.
@MainActor
protocol TodoListListener: AnyObject {
    /// Something happened that the user should read.
    func todoListDidNotice(_ notice: Notice)
}
