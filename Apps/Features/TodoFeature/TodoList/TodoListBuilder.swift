package import AppUI
package import RIBs
package import TodoCore

/// Creates the todo list.
@MainActor
package final class TodoListBuilder: Builder<any TodoListDependency> {
    private final class TodoListComponent: Component<any TodoListDependency>, TodoEditorDependency {
        var todoStore: any TodoStoring { dependency.todoStore }
        var pendingChanges: PendingChanges { dependency.pendingChanges }
        var today: @Sendable () -> Day { dependency.today }
        var appearance: Appearance { dependency.appearance }
    }

    /// Creates the RIB.
    package func build(withListener listener: any TodoListListener) -> any TodoListRouting {
        let component = TodoListComponent(dependency: dependency)
        let viewController = TodoListViewController(appearance: dependency.appearance)
        let interactor = TodoListInteractor(presenter: viewController, dependency: dependency)
        interactor.listener = listener
        let router = TodoListRouter(
            interactor: interactor,
            viewController: viewController,
            editorBuilder: TodoEditorBuilder(dependency: component)
        )
        interactor.router = router
        return router
    }
}

/// The dependencies of the todo list.
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
    /// The look of the screen.
    var appearance: Appearance { get }
}

/// The router of the todo list, as its interactor and its parent use it.
@MainActor
package protocol TodoListRouting: ViewableRouting {
    /// Opens the editor over the list.
    func routeToEditor(of todo: Todo)

    /// Closes the editor.
    func closeEditor()

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
}

/// The parent of the todo list.
@MainActor
package protocol TodoListListener: AnyObject {
    /// Called when there is a message for the user.
    func todoListDidNotice(_ notice: Notice)

    /// Called after each read with everything that is missing from the list; usually empty.
    func todoListDidFindDamage(_ damage: [String])
}
