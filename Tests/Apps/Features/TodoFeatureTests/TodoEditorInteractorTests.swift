import AppTestSupport
import AppUI
import LocalProvider
import RIBs
import TestSupport
import Testing
import TodoCore

@testable import TodoFeature

@Suite("The editor's logic")
@MainActor
struct TodoEditorInteractorTests {
    enum Call: Equatable {
        case saved(String?)
        case close
    }

    @MainActor
    final class Listener: TodoEditorListener {
        let calls: CallJournal<Call> = journal()

        func todoEditorDidSave(_ receipt: TodoReceipt) { calls.record(.saved(receipt.todos.first?.title)) }
        func todoEditorDidClose() { calls.record(.close) }
    }

    private let presenter = TodoEditorPresenterDouble()
    private let listener = Listener()
    private let services: TodoServices
    private let todo: Todo
    private let interactor: TodoEditorInteractor

    init() throws {
        services = try TodoServices(["(C) 우유 사기 +home @shop"])
        todo = services.store.kept[0]
        interactor = TodoEditorInteractor(presenter: presenter, todo: todo, among: [todo], dependency: services)
        interactor.listener = listener
        interactor.activate()
    }

    private func form(_ change: (inout TodoForm) -> Void) -> TodoForm {
        var form = TodoForm(todo)
        change(&form)
        return form
    }

    @Test("The fields are filled once, when the interactor becomes active")
    func fields() {
        #expect(presenter.forms == [TodoForm(todo)])
        #expect(presenter.problems.isEmpty)
    }

    @Test("An invalid field is reported while it is typed, and no longer once it is valid")
    func problems() {
        interactor.didChange(form { $0.priority = "AA" })
        interactor.didChange(form { $0.priority = "A" })
        #expect(presenter.problems.count == 2)
        #expect(presenter.problems.first??.contains("A to Z") == true)
        #expect(presenter.problems.last == .some(nil))
    }

    @Test("A restored draft with an invalid field reports it")
    func restoredProblem() {
        interactor.restore(["due": "someday"])
        #expect(presenter.forms.last?.due == "someday")
        #expect(presenter.problems.count == 1 && presenter.problems.last != .some(nil))
    }

    @Test("Invalid fields are not saved")
    func refused() {
        interactor.didChooseSave(form { $0.due = "someday" })
        #expect(presenter.problems.count == 1)
        listener.calls.finish()
    }

    @Test("Only changed fields are saved, and without a change the editor closes")
    func saved() async throws {
        interactor.didChooseSave(TodoForm(todo))
        listener.calls.expect(.close)
        interactor.didChooseSave(form { $0.due = "tomorrow" })
        #expect(services.pendingChanges.underWay == ["edit \"우유 사기\""])
        try await listener.calls.expectNext(.close, .saved("우유 사기"))
        var change = TodoChange()
        change.due = .set(Day.sample.adding(1))
        #expect(services.store.takeCalls() == [.merge(todo.id, change)])
        listener.calls.finish()
    }

    @Test("A parent and todos to wait for are saved; an unknown one, and a cycle, are reported and not saved")
    func links() async throws {
        let services = try TodoServices(["bake", "flour", "party"])
        let todos = services.store.kept
        let (bake, flour, party) = (todos[0], todos[1], todos[2])
        let presenter = TodoEditorPresenterDouble()
        let editor = TodoEditorInteractor(presenter: presenter, todo: bake, among: todos, dependency: services)
        editor.listener = listener
        editor.activate()
        var form = TodoForm(bake, among: todos)
        for (name, reason) in [("zzzz", "zzzz"), ("\(bake.id)", "wait for itself")] {
            form.after = name
            editor.didChooseSave(form)
            #expect(presenter.problems.last??.contains(reason) == true, "\(presenter.problems)")
        }
        (form.parent, form.after) = ("\(party.id)", "\(flour.id)")
        editor.didChange(form)
        let draft = editor.draft
        #expect(draft["parent"] == form.parent && draft["after"] == form.after)
        // After a kill the editor opens before the todos are known.
        let later = TodoEditorPresenterDouble()
        let restored = TodoEditorInteractor(presenter: later, todo: bake, dependency: services)
        restored.activate()
        restored.restore(draft)
        #expect(later.problems.count == 1 && later.problems[0] != nil)
        try await eventually { later.problems.count == 2 }
        #expect(later.problems[1] == nil && later.forms.last == form)
        restored.deactivate()
        editor.didChooseSave(form)
        try await listener.calls.expectNext(.close, .saved("bake"))
        var change = TodoChange()
        (change.parent, change.addedDependencies) = (.set(party.id), [flour.id])
        #expect(services.store.takeCalls() == [.merge(bake.id, change)])
        listener.calls.finish()
    }

    @Test(
        "A failed save leaves the editor open with its text and says what to do",
        arguments: [
            (TodoError.storage(.full(path: "/data", errno: 28)), "Free some space"),
            (TodoError.storage(.notPermitted(path: "/data", errno: 13)), "permissions"),
            (TodoError.notFound(name: "x"), "deleted meanwhile"),
        ]
    )
    func failed(error: TodoError, advice: String) async throws {
        services.store.failure = error
        let form = form { $0.title = "우유" }
        interactor.didChooseSave(form)
        try await eventually { presenter.problems.count == 2 }
        #expect(presenter.problems.last??.contains(advice) == true)
        #expect(presenter.problems.last??.hasPrefix("not saved") == true)
        #expect(interactor.unsavedText == ["우유"])
        #expect(presenter.forms.count == 1, "the fields are not filled again")
        #expect(listener.calls.unasserted.isEmpty)
        services.store.failure = nil
        interactor.didChooseSave(form)
        try await listener.calls.expectNext(.close, .saved("우유"))
        _ = services.store.takeCalls()
    }

    @Test("A second Enter during a save does not save twice, and a save that ends late does not close the next editor")
    func twice() async throws {
        services.store.isHeld = true
        let form = form { $0.title = "우유" }
        interactor.didChooseSave(form)
        try await eventually { services.store.heldCount == 1 }
        interactor.didChooseSave(form)
        services.store.release()
        try await listener.calls.expectNext(.close, .saved("우유"))
        var more = form
        more.note = "2%"
        services.store.isHeld = true
        interactor.didChooseSave(more)
        try await eventually { services.store.heldCount == 1 }
        interactor.deactivate()
        services.store.release()
        try await listener.calls.expectNext(.saved("우유"))
        #expect(services.store.takeCalls().count == 2)
        listener.calls.finish()
    }

    @Test("A change of another field by another process is merged")
    func merged() async throws {
        services.store.changeOutside { $0[0].due = .sample }
        interactor.didChooseSave(form { $0.title = "우유" })
        try await listener.calls.expectNext(.close, .saved("우유"))
        #expect(services.store.kept[0].title == "우유" && services.store.kept[0].due == .sample)
        _ = services.store.takeCalls()
    }

    @Test("If another process changed the same field, the editor asks and saves only after the user agrees")
    func conflict() async throws {
        services.store.changeOutside { $0[0].title = "두유" }
        interactor.didChooseSave(form { $0.title = "우유" })
        try await eventually { presenter.overwriteQuestions.count == 1 }
        #expect(presenter.overwriteQuestions.first?.contains("title") == true)
        #expect(services.store.kept[0].title == "두유")
        #expect(listener.calls.unasserted.isEmpty)
        interactor.didConfirmOverwrite()
        try await listener.calls.expectNext(.close, .saved("우유"))
        #expect(services.store.kept[0].title == "우유")
        _ = services.store.takeCalls()
    }

    @Test(
        "A conflict without a visible question is reported with the text: at the end, and after the editor was closed",
        arguments: [true, false]
    )
    func conflictWithoutQuestion(isEnding: Bool) async throws {
        services.store.changeOutside { $0[0].title = "두유" }
        var failures: [String] = []
        services.pendingChanges.onFailure = { failures.append($0) }
        // A field that was emptied has no text.
        interactor.didChooseSave(form { ($0.priority, $0.title, $0.project) = ("", "우유", "") })
        if isEnding {
            failures = await services.pendingChanges.finish()
        } else {
            interactor.deactivate()
            try await eventually { !failures.isEmpty }
        }
        let reason = TodoError.changedElsewhere(fields: ["title"])
        #expect(failures == ["edit \"우유 사기\": 우유: \(reason)"])
        #expect(presenter.overwriteQuestions.isEmpty && services.store.kept[0].title == "두유")
    }

    @Test("Cancel asks if text was changed, and closes at once if not")
    func cancel() {
        interactor.didChooseCancel()
        listener.calls.expect(.close)
        interactor.didChange(form { $0.note = "x" })
        #expect(interactor.unsavedText == ["x"])
        interactor.didChooseCancel()
        #expect(presenter.questions == 1)
        #expect(listener.calls.unasserted.isEmpty)
        interactor.didConfirmDiscard()
        listener.calls.expect(.close)
    }
}
