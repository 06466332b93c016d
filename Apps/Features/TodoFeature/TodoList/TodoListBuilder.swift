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

/// Opens and closes the editor over the todo list.
@MainActor
final class TodoListRouter: ViewableRouter<TodoListInteractor, any TodoListViewControllable>, TodoListRouting {
    private let editorBuilder: TodoEditorBuilder
    private var editor: (any TodoEditorRouting)?

    init(
        interactor: TodoListInteractor,
        viewController: any TodoListViewControllable,
        editorBuilder: TodoEditorBuilder
    ) {
        self.editorBuilder = editorBuilder
        super.init(interactor: interactor, viewController: viewController)
    }

    var editorUnsavedText: [String] { editor?.unsavedText ?? [] }

    var unsavedText: [String] { interactor.unsavedText }

    func routeToEditor(of todo: Todo) {
        guard editor == nil else { return }
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

    func undo(step: String) {
        interactor.undo(step: step)
    }
}

/// The view controller of the todo list, as its router uses it.
@MainActor
protocol TodoListViewControllable: ViewControllable {
    /// Shows a child's view over the list.
    func presentChild(_ child: any ViewControllable)

    /// Removes a child's view.
    func dismissChild(_ child: any ViewControllable)
}
