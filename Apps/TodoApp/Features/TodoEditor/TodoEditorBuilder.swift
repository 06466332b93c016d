import RIBs
import TodoCore

/// Makes the editor's RIB.
@MainActor
final class TodoEditorBuilder: Builder<any TodoEditorDependency> {
    /// Makes an editor for a todo.
    func build(withListener listener: any TodoEditorListener, todo: Todo) -> any ViewableRouting {
        let viewController = TodoEditorViewController(appearance: dependency.appearance)
        let interactor = TodoEditorInteractor(presenter: viewController, todo: todo, today: dependency.today)
        interactor.listener = listener
        return ViewableRouter(interactor: interactor, viewController: viewController)
    }
}
