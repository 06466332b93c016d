import AppTestSupport
import AppUI
import LocalProvider
import RIBs
import TestSupport
import Testing
import TodoCore

@testable import TodoFeature

@Suite("The todo list's logic")
@MainActor
struct TodoListInteractorTests {
    /// What the interactor tells its parent and its router.
    enum Call: Equatable {
        case notice(Notice.Kind, String)
        case openEditor(String)
        case closeEditor
        case undo
    }

    /// Stands where home would.
    @MainActor
    final class Listener: TodoListListener {
        let calls: CallJournal<Call> = journal()

        func todoListDidNotice(_ notice: Notice) { calls.record(.notice(notice.kind, notice.text)) }

        /// Waits for the next call, then asserts it.
        func expect(_ call: Call, line: UInt = #line) async throws {
            try await eventually { !calls.unasserted.isEmpty }
            calls.expect(call, line: line)
        }
    }

    /// Stands where the list's router would.
    @MainActor
    final class Router: TodoListRouting {
        let calls: CallJournal<Call> = journal()
        let interactable: any Interactable = Interactor()
        let viewControllable: any ViewControllable = NoView()
        let children: [any Routing] = []

        func routeToEditor(of todo: Todo) { calls.record(.openEditor(todo.title)) }
        func closeEditor() { calls.record(.closeEditor) }
        func undo() { calls.record(.undo) }
        func load() { Issue.record("load was not expected") }
        func attachChild(_ child: any Routing) { Issue.record("attachChild was not expected") }
        func detachChild(_ child: any Routing) { Issue.record("detachChild was not expected") }
    }

    @MainActor
    final class NoView: ViewControllable {}

    /// An active interactor over fakes.
    @MainActor
    final class Fixture {
        let store: FakeTodoStore
        let presenter = TodoListPresenterDouble()
        let listener = Listener()
        let router = Router()
        let interactor: TodoListInteractor

        init(_ lines: String...) async throws {
            store = try FakeTodoStore(lines)
            interactor = TodoListInteractor(presenter: presenter, store: store, today: { .sample })
            interactor.listener = listener
            interactor.router = router
            interactor.activate()
            try await eventually { !presenter.models.isEmpty }
        }

        /// The todo with a title.
        func id(_ title: String) throws -> TodoID {
            try #require(store.kept.first { $0.title == title }).id
        }
    }

    @Test("The open todos are shown first thing, in the order in which people see them")
    func first() async throws {
        let list = try await Fixture("walk the dog", "(A) 우유 사기 +home @shop")
        #expect(list.presenter.titles == ["우유 사기", "walk the dog"])
        #expect(list.presenter.models.last?.openCount == 2)
        #expect(list.presenter.models.last?.today == .sample)
    }

    @Test("A change by another process is shown")
    func changedOutside() async throws {
        let list = try await Fixture("one")
        list.store.changeOutside { $0[0].title = "uno" }
        try await eventually { list.presenter.titles == ["uno"] }
    }

    @Test("Nothing is shown any more once it is inactive")
    func inactive() async throws {
        let list = try await Fixture("one")
        list.interactor.deactivate()
        let shown = list.presenter.models.count
        let reads = list.store.reads
        list.store.changeOutside { $0[0].title = "uno" }
        for _ in 0..<50 { await Task.yield() }
        #expect(list.presenter.models.count == shown)
        #expect(list.store.reads == reads)
    }

    @Test("Active for a moment only, it reads and shows nothing")
    func momentary() async throws {
        let store = try FakeTodoStore(["one"])
        let presenter = TodoListPresenterDouble()
        let interactor = TodoListInteractor(presenter: presenter, store: store, today: { .sample })
        interactor.activate()
        interactor.deactivate()
        for _ in 0..<50 { await Task.yield() }
        #expect(store.reads == 0)
        #expect(presenter.models.isEmpty)
    }

    @Test("A line becomes a todo, and its field is emptied")
    func add() async throws {
        let list = try await Fixture()
        list.presenter.enter("(B) 우유 사기 +home due:today")
        try await eventually { list.presenter.titles == ["우유 사기"] }
        #expect(list.store.takeCalls() == [.add("우유 사기")])
        #expect(list.presenter.entry.isEmpty)
        #expect(list.store.kept.first?.due == .sample)
        #expect(list.store.kept.first?.project == "home")
    }

    @Test("A line that is refused stays in its field, and the reason is told")
    func refused() async throws {
        let list = try await Fixture()
        list.presenter.enter("(A) +home")
        try await list.listener.expect(.notice(.failure, "\(TodoError.emptyTitle)"))
        list.presenter.enter("a\u{7}b")
        try await list.listener.expect(
            .notice(.failure, "\(TodoError.controlCharacter(field: "title", scalar: "\u{7}"))")
        )
        #expect(list.presenter.entry == "a\u{7}b")
        #expect(list.presenter.clears == 0)
        #expect(list.store.takeCalls().isEmpty)
    }

    @Test("A line that cannot be kept comes back into its field")
    func notKept() async throws {
        let list = try await Fixture()
        list.store.failure = .storage(.full(path: "/data", errno: 28))
        list.presenter.enter("milk")
        try await list.listener.expect(.notice(.failure, "\(TodoError.storage(.full(path: "/data", errno: 28)))"))
        #expect(list.presenter.entry == "milk")
        #expect(list.store.takeCalls() == [.add("milk")])
    }

    @Test("What is typed while a todo is being kept is not lost")
    func typedMeanwhile() async throws {
        let list = try await Fixture()
        list.store.isHeld = true
        list.presenter.enter("milk")
        try await eventually { list.store.heldCount == 1 }
        list.presenter.type("bread")
        list.store.release()
        try await eventually { list.presenter.titles == ["milk"] }
        #expect(list.presenter.entry == "bread")
        #expect(list.store.takeCalls() == [.add("milk")])
    }

    @Test("A tick completes, a second one opens again, and both can be undone")
    func toggle() async throws {
        let list = try await Fixture("walk")
        let id = try list.id("walk")
        list.interactor.didToggle(id)
        try await list.listener.expect(.notice(.undoable, "Done: walk"))
        try await eventually { list.presenter.titles.isEmpty }
        list.interactor.didToggleDone()
        try await eventually { list.presenter.titles == ["walk"] }
        list.interactor.didToggle(id)
        try await list.listener.expect(.notice(.undoable, "Open again: walk"))
        #expect(list.store.takeCalls() == [.complete([id]), .reopen([id])])
    }

    @Test("Undo and redo say what they did, and that there is nothing more")
    func undoRedo() async throws {
        let list = try await Fixture("walk")
        let id = try list.id("walk")
        list.interactor.didChooseRemove(id)
        try await list.listener.expect(.notice(.undoable, "Deleted: walk"))
        list.interactor.didChooseUndo()
        try await list.listener.expect(.notice(.information, "Taken back: the last change"))
        try await eventually { list.presenter.titles == ["walk"] }
        list.interactor.didChooseRedo()
        try await list.listener.expect(.notice(.information, "Made again: the last change"))
        list.interactor.didChooseRedo()
        try await list.listener.expect(.notice(.failure, "\(TodoError.nothingToRedo)"))
        #expect(list.store.takeCalls() == [.remove([id]), .undo, .redo, .redo])
    }

    @Test("Putting away says how many went, or that there are none")
    func archive() async throws {
        let list = try await Fixture("one", "two")
        list.interactor.didChooseArchive()
        try await list.listener.expect(.notice(.information, "Nothing is done yet"))
        list.store.changeOutside { $0[0].completed = .sample }
        list.interactor.didChooseArchive()
        try await list.listener.expect(.notice(.undoable, "1 put away"))
        #expect(list.store.takeCalls() == [.archive, .archive])
    }

    @Test("The filter narrows the list, and the counts stay those of all todos")
    func filter() async throws {
        let list = try await Fixture("milk +home", "walk +park", "홍차 +home")
        list.interactor.didChangeFilter("+HOME 홍")
        try await eventually { list.presenter.titles == ["홍차"] }
        #expect(list.presenter.models.last?.openCount == 3)
        #expect(list.presenter.models.last?.filterText == "+HOME 홍")
        list.interactor.didChangeFilter("")
        try await eventually { list.presenter.titles.count == 3 }
    }

    @Test("The filter's words stay when completed todos are shown as well")
    func filterAndDone() async throws {
        let list = try await Fixture("milk", "walk")
        list.store.changeOutside { $0[0].completed = .sample }
        list.interactor.didChangeFilter("m")
        list.interactor.didToggleDone()
        try await eventually { list.presenter.titles == ["milk"] }
        list.interactor.didToggleDone()
        try await eventually { list.presenter.titles.isEmpty }
        #expect(list.presenter.models.last?.doneCount == 1)
    }

    @Test("The editor opens for a todo of the list; its change is kept, and one without content only closes it")
    func editor() async throws {
        let list = try await Fixture("walk")
        let id = try list.id("walk")
        list.interactor.didChooseEdit(TodoID(serial: 99))
        list.interactor.didChooseEdit(id)
        list.router.calls.expect(.openEditor("walk"))
        list.interactor.todoEditorDidSave(TodoChange(), to: id)
        list.router.calls.expect(.closeEditor)
        list.interactor.todoEditorDidCancel()
        list.router.calls.expect(.closeEditor)
        var change = TodoChange()
        change.title = "run"
        list.interactor.todoEditorDidSave(change, to: id)
        list.router.calls.expect(.closeEditor)
        try await list.listener.expect(.notice(.undoable, "Changed: run"))
        #expect(list.store.takeCalls() == [.edit(id, change)])
        list.router.calls.finish()
    }

    @Test("A todo that somebody else deleted meanwhile is told, and nothing else happens")
    func editedAway() async throws {
        let list = try await Fixture("walk")
        let id = try list.id("walk")
        list.store.changeOutside { $0 = [] }
        var change = TodoChange()
        change.title = "run"
        list.interactor.todoEditorDidSave(change, to: id)
        list.router.calls.expect(.closeEditor)
        try await list.listener.expect(.notice(.failure, "\(TodoError.notFound(name: id.description))"))
    }

    @Test("Todos that cannot be read are told, and shown once they can be")
    func unreadable() async throws {
        let list = try await Fixture("walk")
        list.store.failure = .storage(.locked(path: "/data"))
        list.store.changeOutside { _ in }
        try await list.listener.expect(.notice(.failure, "\(TodoError.storage(.locked(path: "/data")))"))
        list.store.failure = nil
        list.store.changeOutside { $0[0].title = "run" }
        try await eventually { list.presenter.titles == ["run"] }
    }
}
