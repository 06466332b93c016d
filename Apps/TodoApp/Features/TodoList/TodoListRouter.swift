import RIBs
import TodoCore

/// Shows and closes the editor over the todo list.
@MainActor
final class TodoListRouter: ViewableRouter<TodoListInteractor, any TodoListViewControllable>, TodoListRouting {
    private let editorBuilder: TodoEditorBuilder
    private var editor: (any ViewableRouting)?

    init(
        interactor: TodoListInteractor,
        viewController: any TodoListViewControllable,
        editorBuilder: TodoEditorBuilder
    ) {
        self.editorBuilder = editorBuilder
        super.init(interactor: interactor, viewController: viewController)
    }

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
}

/// What the todo list's router asks of its view controller.
@MainActor
protocol TodoListViewControllable: ViewControllable {
    /// Shows a child's view over the list.
    func presentChild(_ child: any ViewControllable)

    /// Takes a child's view away.
    func dismissChild(_ child: any ViewControllable)
}
