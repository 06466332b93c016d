import AppTestSupport
import RIBs
import Testing
import TodoCore

@testable import TodoFeature

@Suite("The editor's logic")
@MainActor
struct TodoEditorInteractorTests {
    enum Call: Equatable {
        case save(TodoChange, TodoID)
        case cancel
    }

    @MainActor
    final class Listener: TodoEditorListener {
        let calls: CallJournal<Call> = journal()

        func todoEditorDidSave(_ change: TodoChange, to id: TodoID) { calls.record(.save(change, id)) }
        func todoEditorDidCancel() { calls.record(.cancel) }
    }

    private let presenter = TodoEditorPresenterDouble()
    private let listener = Listener()
    private let todo: Todo
    private let interactor: TodoEditorInteractor

    init() throws {
        let draft = try TodoDraft(quick: "(C) 우유 사기 +home @shop", today: .sample)
        todo = Todo(id: TodoID(serial: 7), draft: draft, now: .sample)
        interactor = TodoEditorInteractor(presenter: presenter, todo: todo, today: { .sample })
        interactor.listener = listener
        interactor.activate()
    }

    @Test("The fields are filled once, when it becomes active")
    func fields() {
        #expect(presenter.fields == [TodoForm(todo)])
        #expect(presenter.problems.isEmpty)
    }

    @Test("What cannot be kept is told while it is typed, and no longer once it is right")
    func problems() {
        var fields = TodoForm(todo)
        fields.priority = "AA"
        interactor.didChange(fields)
        fields.priority = "A"
        interactor.didChange(fields)
        #expect(presenter.problems.count == 2)
        #expect(presenter.problems.first??.contains("A to Z") == true)
        #expect(presenter.problems.last == .some(nil))
    }

    @Test("Fields that make no sense are not saved")
    func refused() {
        var fields = TodoForm(todo)
        fields.due = "someday"
        interactor.didChooseSave(fields)
        #expect(presenter.problems.count == 1)
        listener.calls.finish()
    }

    @Test("What was changed is saved, and only that; a change of nothing too")
    func saved() {
        var fields = TodoForm(todo)
        interactor.didChooseSave(fields)
        listener.calls.expect(.save(TodoChange(), todo.id))
        fields.due = "tomorrow"
        interactor.didChooseSave(fields)
        var change = TodoChange()
        change.due = .set(Day.sample.adding(1))
        listener.calls.expect(.save(change, todo.id))
        interactor.didChooseCancel()
        listener.calls.expect(.cancel)
        listener.calls.finish()
    }
}
