import RIBs
import TodoCore

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

    var editorDraft: [String: String] { editor?.draft ?? [:] }

    func restoreEditor(_ draft: [String: String]) { editor?.restore(draft) }

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

extension TodoListRouter: RestorableRouting {
    var restorationID: String { "todos" }

    /// The line in the field for new todos.
    var restorationState: [String: String] { interactor.entryDraft }

    func restore(state: [String: String]) {
        if let line = state["entry"] { interactor.restoreEntry(line) }
        if let id = state["editing"] { interactor.restoreEditor(of: id, draft: state) }
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
