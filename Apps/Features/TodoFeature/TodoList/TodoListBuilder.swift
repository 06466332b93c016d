package import AppUI
package import RIBs
package import TodoCore

/// What the todo list needs of its parent.
@MainActor
package protocol TodoListDependency: Dependency {
    /// Where todos are kept.
    var todoStore: any TodoStoring { get }
    /// Tells which day it is.
    var today: @Sendable () -> Day { get }
    /// How things look.
    var appearance: Appearance { get }
}

/// Makes the todo list's RIB.
@MainActor
package final class TodoListBuilder: Builder<any TodoListDependency> {
    private final class TodoListComponent: Component<any TodoListDependency>, TodoEditorDependency {
        var today: @Sendable () -> Day { dependency.today }
        var appearance: Appearance { dependency.appearance }
    }

    /// Makes the RIB.
    package func build(withListener listener: any TodoListListener) -> any TodoListRouting {
        let component = TodoListComponent(dependency: dependency)
        let viewController = TodoListViewController(appearance: dependency.appearance)
        let interactor = TodoListInteractor(
            presenter: viewController,
            store: dependency.todoStore,
            today: dependency.today
        )
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

    func undo() {
        interactor.didChooseUndo()
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
