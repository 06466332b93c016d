import AppUI
import RIBs
import TodoCore

/// Lets a user change a todo, and says at once what cannot be kept.
@MainActor
final class TodoEditorInteractor: PresentableInteractor<any TodoEditorPresentable>, TodoEditorPresentableListener {
    weak var listener: (any TodoEditorListener)?

    private let todo: Todo
    private let today: @Sendable () -> Day

    init(presenter: any TodoEditorPresentable, todo: Todo, today: @escaping @Sendable () -> Day) {
        self.todo = todo
        self.today = today
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        presenter.show(TodoForm(todo))
    }

    func didChange(_ fields: TodoForm) {
        do {
            _ = try fields.change(from: todo, today: today())
            presenter.show(problem: nil)
        } catch {
            presenter.show(problem: "\(error)")
        }
    }

    func didChooseSave(_ fields: TodoForm) {
        do {
            let change = try fields.change(from: todo, today: today())
            listener?.todoEditorDidSave(change, to: todo.id)
        } catch {
            presenter.show(problem: "\(error)")
        }
    }

    func didChooseCancel() {
        listener?.todoEditorDidCancel()
    }
}

/// What the editor tells its parent.
@MainActor
protocol TodoEditorListener: AnyObject {
    /// The user is content; the change may be empty.
    func todoEditorDidSave(_ change: TodoChange, to id: TodoID)

    /// The user goes back without a change.
    func todoEditorDidCancel()
}

/// What the editor's interactor asks of what shows it.
@MainActor
protocol TodoEditorPresentable: Presentable {
    /// Who is told of what the user does.
    var listener: (any TodoEditorPresentableListener)? { get set }

    /// Fills the fields.
    func show(_ fields: TodoForm)

    /// Says what is wrong with the fields; `nil` where nothing is.
    func show(problem: String?)
}

/// What a user can do with the editor.
@MainActor
protocol TodoEditorPresentableListener: AnyObject {
    /// A field was changed.
    func didChange(_ fields: TodoForm)

    /// The change is to be kept.
    func didChooseSave(_ fields: TodoForm)

    /// The editor is to be closed without a change.
    func didChooseCancel()
}

/// What the editor needs of its parent.
@MainActor
protocol TodoEditorDependency: Dependency {
    /// Tells which day it is.
    var today: @Sendable () -> Day { get }
    /// How things look.
    var appearance: Appearance { get }
}

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
