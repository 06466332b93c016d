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
        presenter.show(TodoEditorFields(todo))
    }

    func didChange(_ fields: TodoEditorFields) {
        do {
            _ = try fields.change(from: todo, today: today())
            presenter.show(problem: nil)
        } catch {
            presenter.show(problem: "\(error)")
        }
    }

    func didChooseSave(_ fields: TodoEditorFields) {
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
