import AppLanguage
import AppTestSupport
import LocalProvider
import RIBs
import TerminalTesting
import TestSupport
import Testing
import TodoCore

@testable import TodoFeature

@Suite("The todo list's logic")
@MainActor
struct TodoListInteractorTests {
    // MARK: - Showing

    @Test("The open todos are shown first, in display order")
    func first() async throws {
        let list = try await TodoListFixture("walk the dog", "(A) 우유 사기 +home @shop")
        #expect(list.presenter.titles == ["우유 사기", "walk the dog"])
        #expect(list.presenter.models.last?.openCount == 2)
        #expect(list.presenter.models.last?.today == .sample)
    }

    @Test("A change by another process is shown")
    func changedOutside() async throws {
        let list = try await TodoListFixture("one")
        list.store.changeOutside { $0[0].title = "uno" }
        try await eventually { list.presenter.titles == ["uno"] }
    }

    @Test("Nothing is read or shown after the interactor became inactive")
    func inactive() async throws {
        let list = try await TodoListFixture("one")
        list.interactor.deactivate()
        let shown = list.presenter.models.count
        let reads = list.store.reads
        list.store.changeOutside { $0[0].title = "uno" }
        for _ in 0..<50 { await Task.yield() }
        #expect(list.presenter.models.count == shown)
        #expect(list.store.reads == reads)
    }

    @Test("An interactor that is active for a moment reads and shows nothing")
    func momentary() async throws {
        let services = try TodoServices(["one"])
        let presenter = TodoListPresenterDouble()
        let interactor = TodoListInteractor(presenter: presenter, dependency: services)
        interactor.activate()
        interactor.deactivate()
        for _ in 0..<50 { await Task.yield() }
        #expect(services.store.reads == 0)
        #expect(presenter.models.isEmpty)
    }

    @Test("The filter narrows the list, and the counts remain those of all todos")
    func filter() async throws {
        let list = try await TodoListFixture("milk +home", "walk +park", "홍차 +home")
        list.interactor.didChangeFilter("+HOME 홍")
        try await eventually { list.presenter.titles == ["홍차"] }
        #expect(list.presenter.models.last?.openCount == 3)
        #expect(list.presenter.models.last?.filterText == "+HOME 홍")
        list.interactor.didChangeFilter("")
        try await eventually { list.presenter.titles.count == 3 }
    }

    @Test("The filter's words remain when completed todos are shown as well")
    func filterAndDone() async throws {
        let list = try await TodoListFixture("milk", "walk")
        list.store.changeOutside { $0[0].completed = .sample }
        list.interactor.didChangeFilter("m")
        list.interactor.didToggleDone()
        try await eventually { list.presenter.titles == ["milk"] }
        list.interactor.didToggleDone()
        try await eventually { list.presenter.titles.isEmpty }
        #expect(list.presenter.models.last?.doneCount == 1)
    }

    @Test("Todos that cannot be read are reported, and shown as soon as they can be read")
    func unreadable() async throws {
        let list = try await TodoListFixture("walk")
        list.store.failure = .storage(.locked(path: "/data"))
        list.store.changeOutside { _ in }
        try await eventually { list.listener.damage.last == ["\(TodoError.storage(.locked(path: "/data")))"] }
        #expect(list.presenter.titles == ["walk"], "the todos that were read before remain")
        list.store.failure = nil
        list.store.changeOutside { $0[0].title = "run" }
        try await eventually { list.presenter.titles == ["run"] }
        #expect(list.listener.damage.last == [])
    }

    @Test("Missing todos are reported with the readable ones")
    func damage() async throws {
        let list = try await TodoListFixture("walk")
        let damage = TodoDamage.damagedFile(path: "/data/todos.journal", copy: "/data/todos.journal.damaged")
        list.store.damage = [damage]
        list.store.changeOutside { _ in }
        try await eventually { list.listener.damage.last == ["\(damage)"] }
        #expect(list.presenter.titles == ["walk"])
    }

    @Test("After midnight the list and its filter are those of the new day, without any other change")
    func midnight() async throws {
        let list = try await TodoListFixture(
            "walk due:today",
            "run due:tomorrow",
            "swim due:2026-04-20",
            "(A) wake t:tomorrow"
        )
        list.interactor.didChangeFilter("due:today")
        try await eventually { list.presenter.titles == ["walk"] }
        try await eventually { list.services.manualClock.sleepers > 0 }
        list.services.day = Day.sample.adding(1)
        list.store.now = .sample + 86_400
        list.services.manualClock.advance(by: .seconds(30))
        try await eventually(within: .seconds(10)) { list.presenter.models.last?.today == Day.sample.adding(1) }
        try await eventually { list.presenter.titles == ["run"] }
        list.interactor.didChangeFilter("")
        // What no longer waits has its place by its priority.
        try await eventually { list.presenter.titles == ["walk", "run", "wake", "swim"] }
    }

    @Test("A todo with a due time is overdue from the next minute on, without any other change, also in the filter")
    func dueTime() async throws {
        let list = try await TodoListFixture("meeting due:today 15:00")
        list.services.timeOfDay = TimeOfDay(hour: 15)
        list.presenter.listener?.didChangeFilter("is:overdue")
        try await eventually { list.presenter.titles.isEmpty }
        try await eventually { list.services.manualClock.sleepers > 0 }
        list.services.timeOfDay = TimeOfDay(hour: 15, minute: 1)
        list.services.manualClock.advance(by: .seconds(30))
        try await eventually(within: .seconds(10)) { list.presenter.titles == ["meeting"] }
        #expect(list.presenter.models.last?.time == TimeOfDay(hour: 15, minute: 1))
    }

    // MARK: - Lists and views

    @Test("A number switches to a view or a list with its order, which the filter narrows; the menu has their counts")
    func scopes() async throws {
        let list = try await TodoListFixture("milk due:today", "run due:tomorrow", "(A) paint +home")
        list.store.queries = ["paints": "paint"]
        list.store.listsOfStore = [TodoList(name: "Work", color: "#ff0000")]
        list.interactor.didChooseScopes()
        try await eventually { !list.presenter.offers.isEmpty }
        let offer = [
            "All todos 3", "Today 1", "Next seven days 2", "Review 0", "paints 1", "Without a list 3", "Work 0",
        ]
        #expect(list.presenter.offers == [offer])
        list.interactor.didChooseScope(2)
        try await eventually { list.presenter.titles == ["milk", "run"] }
        #expect(list.presenter.models.last?.request.grouping == .due)
        list.interactor.didChangeFilter("run")
        try await eventually { list.presenter.titles == ["run"] }
        list.interactor.didEnterViewName("runs")
        try await eventually { list.presenter.models.last?.scope == .view(TodoView(name: "runs", query: "run")) }
        #expect(list.interactor.scopeToStore == "view:runs" && list.presenter.filters.last == "")
        // A reading that has read the views before one was saved does not leave it.
        list.store.onRead = { [store = list.store, interactor = list.interactor] in
            store.onRead = {
                store.onRead = nil
                store.queries["more runs"] = "run"
                interactor.didChoose(.view(TodoView(name: "more runs", query: "run")))
            }
        }
        await list.interactor.reload()
        #expect(list.interactor.scopeToStore == "view:more runs")
        #expect(list.presenter.models.last?.scopes.contains { $0.id == "view:more runs" } == true)
        list.store.queries["more runs"] = nil
        // The query of another view is not replaced.
        list.interactor.didChangeFilter("milk")
        list.interactor.didEnterViewName("paints")
        let taken = TodoScopeText.exists("paints", "paint").english
        try await eventually { list.presenter.restored == ["view: paints: \(taken)"] }
        list.presenter.isTyping = true
        list.interactor.didEnterViewName("paints")
        try await list.listener.expect(.failure(taken))
        #expect(list.store.queries["paints"] == "paint")
        list.interactor.didChooseScope(7)
        try await eventually { list.presenter.models.last?.scope == .list(TodoList(name: "Work", color: "#ff0000")) }
        #expect(list.presenter.titles.isEmpty)
        list.interactor.didEnter("report")
        try await eventually { list.presenter.titles == ["report"] }
        #expect(list.store.kept.last?.list == "Work")
        // A list that cannot be changed gets no new todo.
        list.store.listsOfStore.append(TodoList(name: "Shared", isReadOnly: true))
        list.interactor.showScope(id: "list:Shared")
        try await eventually { list.interactor.scopeToStore == "list:Shared" }
        // Another program changes the list, and removes it.
        list.store.listsOfStore[1].color = "#00ff00"
        await list.interactor.reload()
        #expect(list.presenter.models.last?.scope == .list(list.store.listsOfStore[1]))
        let shared = list.store.listsOfStore.removeLast()
        await list.interactor.reload()
        #expect(list.presenter.models.last?.scope == .all && list.presenter.filters.last == "")
        list.store.listsOfStore.append(shared)
        list.interactor.showScope(id: "list:Shared")
        try await eventually { list.interactor.scopeToStore == "list:Shared" }
        list.interactor.didEnter("memo")
        try await eventually { list.store.kept.last?.title == "memo" }
        #expect(list.store.kept.last?.list == nil)
        list.interactor.showScope(id: "view:today")
        try await eventually { list.presenter.titles == ["milk"] }
        list.interactor.didChooseScope(9)
        list.interactor.didChooseScope(0)
        try await eventually { list.presenter.titles.count == 5 }
        _ = list.store.takeCalls()
    }

    @Test("A context restricts every list, adds its labels to new todos, and is left; the screen starts with a view")
    func context() async throws {
        let services = try TodoServices(["milk +home due:today", "report +work due:today", "walk +work"])
        services.store.queries = ["work": "+work @desk or +work"]
        services.listDefaults = ("today", nil)
        let presenter = TodoListPresenterDouble()
        let listener = TodoListFixture.Listener()
        let interactor = TodoListInteractor(presenter: presenter, dependency: services)
        interactor.listener = listener
        interactor.activate()
        try await eventually { presenter.titles == ["milk", "report"] }
        interactor.didChooseContext("work")
        try await eventually { presenter.titles == ["report"] && listener.contexts == ["work"] }
        interactor.didChooseScope(0)
        try await eventually { presenter.titles == ["report", "walk"] }
        services.store.queries["work"] = "+work"
        services.store.changeOutside { _ in }
        try await eventually { presenter.models.last?.context?.query == "+work" }
        presenter.enter("plan")
        try await eventually { presenter.titles.count == 3 }
        #expect(services.store.kept.last?.projects == ["work"])
        // A new todo that the context hides is shown by leaving it.
        services.store.queries["work"] = "+work @desk"
        services.store.changeOutside { _ in }
        try await eventually { presenter.titles.isEmpty }
        interactor.select(try #require(services.store.kept.last), isNew: true)
        try await eventually { presenter.models.last?.hidden != nil }
        interactor.didChooseReveal()
        try await eventually { presenter.titles.count == 4 && listener.contexts.last == String?.none }
        _ = services.store.takeCalls()
        interactor.deactivate()
    }

    // MARK: - Adding

    @Test("A line becomes a todo, and the field is cleared")
    func add() async throws {
        let list = try await TodoListFixture()
        list.presenter.enter("(B) 우유 사기 +home due:today")
        try await eventually { list.presenter.titles == ["우유 사기"] }
        #expect(list.store.takeCalls() == [.add("우유 사기")])
        #expect(list.presenter.entryText.isEmpty)
        #expect(list.store.kept.first?.due == .sample)
        #expect(list.store.kept.first?.project == "home")
    }

    @Test("An invalid line stays in the field, and the reason is reported")
    func refused() async throws {
        let list = try await TodoListFixture()
        list.presenter.enter("(A) +home")
        try await list.listener.expect(.failure("\(TodoError.emptyTitle)"))
        list.presenter.enter("a\u{7}b")
        let error = TodoError.controlCharacter(field: "line", scalar: "\u{7}", line: 1, column: 2)
        try await list.listener.expect(.failure("\(error)"))
        #expect(list.presenter.entryText == "a\u{7}b")
        #expect(list.presenter.clears == 0)
        #expect(list.store.takeCalls().isEmpty)
    }

    @Test("A line that cannot be saved returns to the field")
    func notSaved() async throws {
        let list = try await TodoListFixture()
        list.store.failure = .storage(.full(path: "/data", errno: 28))
        list.presenter.enter("milk")
        try await list.listener.expect(.failure("\(TodoError.storage(.full(path: "/data", errno: 28)))"))
        #expect(list.presenter.entryText == "milk")
        #expect(list.store.takeCalls() == [.add("milk")])
    }

    @Test("Text that is typed while a todo is being saved remains; a line that cannot return is in a message")
    func typedMeanwhile() async throws {
        let list = try await TodoListFixture()
        list.store.isHeld = true
        list.presenter.enter("milk")
        try await eventually { list.store.heldCount == 1 }
        list.presenter.type("bread")
        list.store.release()
        try await eventually { list.presenter.titles == ["milk"] }
        #expect(list.presenter.entryText == "bread")
        let failure = TodoError.storage(.full(path: "/data", errno: 28))
        list.store.failure = failure
        list.presenter.enter("tea")
        list.presenter.type("bread")
        try await list.listener.expect(.failure("not saved: tea: \(failure)"))
        #expect(list.presenter.entryText == "bread")
        #expect(list.store.takeCalls() == [.add("milk"), .add("tea")])
    }

    @Test("Truncated text is reported, and typed text counts as unsaved")
    func truncated() async throws {
        let list = try await TodoListFixture()
        #expect(list.interactor.unsavedText.isEmpty)
        list.presenter.type("milk")
        list.router.editorUnsavedText = ["run"]
        #expect(list.interactor.unsavedText == ["milk", "run"])
        list.interactor.didTruncate(count: 3, limit: 1_000)
        try await list.listener.expect(
            .failure("3 characters were not inserted: a title has at most 1000. Put the rest into the note")
        )
    }
}
