import RIBs
import TodoCore

/// What the todo list needs of its parent.
@MainActor
protocol TodoListDependency: Dependency {
    /// Where todos are kept.
    var todoStore: any TodoStoring { get }
    /// Tells which day it is.
    var today: @Sendable () -> Day { get }
    /// How things look.
    var appearance: Appearance { get }
}

/// Makes the todo list's RIB, or its interactor alone for scripts.
@MainActor
final class TodoListBuilder: Builder<any TodoListDependency> {
    private final class TodoListComponent: Component<any TodoListDependency>, TodoEditorDependency {
        var today: @Sendable () -> Day { dependency.today }
        var appearance: Appearance { dependency.appearance }
    }

    /// Makes the RIB.
    func build(withListener listener: any TodoListListener) -> any TodoListRouting {
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
