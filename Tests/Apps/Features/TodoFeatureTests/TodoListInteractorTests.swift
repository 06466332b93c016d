import AppLanguage
import AppTestSupport
import AppUI
import Foundation
import LocalProvider
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing
import TodoCore

@testable import TodoFeature

@Suite("The todo list's logic")
@MainActor
struct TodoListInteractorTests {
    /// The interactor's calls to its parent and its router.
    enum Call: Equatable {
        case failure(String)
        case information(String)
        case undoable(String)
        case openEditor(String)
        case closeEditor
        case openDetail(isPanel: Bool)
        case focusDetail
        case closeDetail
        case openCalendar
        case closeCalendar
    }

    /// The parent.
    @MainActor
    final class Listener: TodoListListener {
        let calls: CallJournal<Call> = journal()
        private(set) var damage: [[String]] = []
        private(set) var steps: [String] = []

        func todoListDidNotice(_ notice: Notice) {
            switch notice.kind {
            case .failure: calls.record(.failure(notice.text))
            case .information: calls.record(.information(notice.text))
            case .undoable(let step):
                steps.append(step)
                calls.record(.undoable(notice.text))
            }
        }

        private(set) var contexts: [String?] = []
        func todoListDidChange(context: String?) { contexts.append(context) }
        func todoListDidFindDamage(_ damage: [String]) { self.damage.append(damage) }

        /// Waits for the next call, then compares it.
        func expect(_ call: Call, line: UInt = #line) async throws {
            try await eventually(within: .seconds(10)) { !calls.unasserted.isEmpty }
            calls.expect(call, line: line)
        }
    }

    /// The list's router.
    @MainActor
    final class Router: TodoListRouting {
        let calls: CallJournal<Call> = journal()
        let interactable: any Interactable = Interactor()
        let viewControllable: any ViewControllable = NoView()
        let children: [any Routing] = []
        var editorDraft: [String: String] { [:] }
        func restoreEditor(_ draft: [String: String]) { Issue.record("restoreEditor was not expected") }
        var editorUnsavedText: [String] = []
        var unsavedText: [String] = []

        func routeToEditor(of todo: Todo) { calls.record(.openEditor(todo.title)) }
        func closeEditor() { calls.record(.closeEditor) }
        var hasDetail = false
        private(set) var families: [TodoFamily?] = []
        private(set) var snapshots: [TodoSnapshot] = []
        func routeToDetail(isPanel: Bool) {
            hasDetail = true
            calls.record(.openDetail(isPanel: isPanel))
        }
        func focusDetail() { calls.record(.focusDetail) }
        func showDetail(_ family: TodoFamily?) { families.append(family) }
        func closeDetail() { if hasDetail { hasDetail = false; calls.record(.closeDetail) } }
        func closeDetailPanel() { closeDetail() }
        private(set) var days: [Day?] = []
        func routeToCalendar(_ snapshot: TodoSnapshot, at day: Day?) {
            days.append(day)
            calls.record(.openCalendar)
        }
        func showCalendar(_ snapshot: TodoSnapshot) { snapshots.append(snapshot) }
        func closeCalendar() { calls.record(.closeCalendar) }
        func undo(step: String) { Issue.record("undo was not expected") }
        func add(step: TodoStep) { Issue.record("add was not expected") }
        func lists() async -> [TodoListEntry] { [] }
        func show(list id: String) { Issue.record("show was not expected") }
        func load() { Issue.record("load was not expected") }
        func attachChild(_ child: any Routing) { Issue.record("attachChild was not expected") }
        func detachChild(_ child: any Routing) { Issue.record("detachChild was not expected") }
    }

    @MainActor
    final class NoView: ViewControllable {}

    /// An active interactor over fakes.
    @MainActor
    final class Fixture {
        let services: TodoServices
        let presenter = TodoListPresenterDouble()
        let listener = Listener()
        let router = Router()
        let interactor: TodoListInteractor

        var store: FakeTodoStore { services.store }

        init(_ lines: String..., templates: String? = nil) async throws {
            services = try TodoServices(lines)
            services.templates = TemplateFolder(templates)
            interactor = TodoListInteractor(presenter: presenter, dependency: services)
            interactor.listener = listener
            interactor.router = router
            interactor.activate()
            try await eventually { !presenter.models.isEmpty }
        }

        /// The todo with a title.
        func todo(_ title: String) throws -> Todo {
            try #require(store.kept.first { $0.title == title })
        }
    }

    // MARK: - Showing

    @Test("The open todos are shown first, in display order")
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

    @Test("Nothing is read or shown after the interactor became inactive")
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
        let list = try await Fixture("milk +home", "walk +park", "홍차 +home")
        list.interactor.didChangeFilter("+HOME 홍")
        try await eventually { list.presenter.titles == ["홍차"] }
        #expect(list.presenter.models.last?.openCount == 3)
        #expect(list.presenter.models.last?.filterText == "+HOME 홍")
        list.interactor.didChangeFilter("")
        try await eventually { list.presenter.titles.count == 3 }
    }

    @Test("The filter's words remain when completed todos are shown as well")
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

    @Test("Todos that cannot be read are reported, and shown as soon as they can be read")
    func unreadable() async throws {
        let list = try await Fixture("walk")
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
        let list = try await Fixture("walk")
        let damage = TodoDamage.damagedFile(path: "/data/todos.journal", copy: "/data/todos.journal.damaged")
        list.store.damage = [damage]
        list.store.changeOutside { _ in }
        try await eventually { list.listener.damage.last == ["\(damage)"] }
        #expect(list.presenter.titles == ["walk"])
    }

    @Test("After midnight the list and its filter are those of the new day, without any other change")
    func midnight() async throws {
        let list = try await Fixture("walk due:today", "run due:tomorrow", "swim due:2026-04-20", "wake t:tomorrow")
        list.interactor.didChangeFilter("due:today")
        try await eventually { list.presenter.titles == ["walk"] }
        try await eventually { list.services.manualClock.sleepers > 0 }
        list.services.day = Day.sample.adding(1)
        list.services.manualClock.advance(by: .seconds(30))
        try await eventually(within: .seconds(10)) { list.presenter.models.last?.today == Day.sample.adding(1) }
        try await eventually { list.presenter.titles == ["run"] }
        list.interactor.didChangeFilter("")
        try await eventually { list.presenter.titles == ["walk", "run", "swim", "wake"] }
    }

    @Test("A todo with a due time is overdue from the next minute on, without any other change, also in the filter")
    func dueTime() async throws {
        let list = try await Fixture("meeting due:today 15:00")
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
        let list = try await Fixture("milk due:today", "run due:tomorrow", "(A) paint +home")
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
        let listener = Listener()
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
        let list = try await Fixture()
        list.presenter.enter("(B) 우유 사기 +home due:today")
        try await eventually { list.presenter.titles == ["우유 사기"] }
        #expect(list.store.takeCalls() == [.add("우유 사기")])
        #expect(list.presenter.entryText.isEmpty)
        #expect(list.store.kept.first?.due == .sample)
        #expect(list.store.kept.first?.project == "home")
    }

    @Test("An invalid line stays in the field, and the reason is reported")
    func refused() async throws {
        let list = try await Fixture()
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
        let list = try await Fixture()
        list.store.failure = .storage(.full(path: "/data", errno: 28))
        list.presenter.enter("milk")
        try await list.listener.expect(.failure("\(TodoError.storage(.full(path: "/data", errno: 28)))"))
        #expect(list.presenter.entryText == "milk")
        #expect(list.store.takeCalls() == [.add("milk")])
    }

    @Test("Text that is typed while a todo is being saved remains")
    func typedMeanwhile() async throws {
        let list = try await Fixture()
        list.store.isHeld = true
        list.presenter.enter("milk")
        try await eventually { list.store.heldCount == 1 }
        list.presenter.type("bread")
        list.store.release()
        try await eventually { list.presenter.titles == ["milk"] }
        #expect(list.presenter.entryText == "bread")
        #expect(list.store.takeCalls() == [.add("milk")])
    }

    @Test("Truncated text is reported, and typed text counts as unsaved")
    func truncated() async throws {
        let list = try await Fixture()
        #expect(list.interactor.unsavedText.isEmpty)
        list.presenter.type("milk")
        list.router.editorUnsavedText = ["run"]
        #expect(list.interactor.unsavedText == ["milk", "run"])
        list.interactor.didTruncate(count: 3, limit: 1_000)
        try await list.listener.expect(
            .failure("3 characters were not inserted: a title has at most 1000. Put the rest into the note")
        )
    }

    // MARK: - Changing

    @Test("A tick completes, a second one reopens, and both can be undone")
    func toggle() async throws {
        let list = try await Fixture("walk")
        let walk = try list.todo("walk")
        list.interactor.didToggle(try list.todo("walk"))
        try await list.listener.expect(.undoable("Done: walk"))
        try await eventually { list.presenter.titles.isEmpty }
        list.interactor.didToggleDone()
        try await eventually { list.presenter.titles == ["walk"] }
        list.interactor.didToggle(try list.todo("walk"))
        try await list.listener.expect(.undoable("Open again: walk"))
        #expect(list.store.takeCalls() == [.complete([walk.id]), .reopen([walk.id])])
    }

    @Test("Completing a todo that waits or has open subtasks asks first, and completes the subtasks on request")
    func openWork() async throws {
        let list = try await Fixture("party", "food", "bread", "invite")
        list.store.changeOutside { todos in
            for index in todos.indices { todos[index].uuid = UUID() }
            (todos[1].parent, todos[2].parent) = (todos[0].id, todos[1].id)
            todos[0].dependencies = [todos[3].uuid].compactMap(\.self)
        }
        try await eventually { list.presenter.models.last?.rows.progress(at: 1) != nil }
        let (party, invite) = (try list.todo("party"), try list.todo("invite"))
        list.interactor.didToggle(party)
        #expect(list.presenter.completionQuestions == ["It waits for: invite.\nOpen subtasks (2): bread, food."])
        #expect(list.store.takeCalls().isEmpty)
        list.interactor.didConfirmCompletion(withSubtasks: false)
        try await list.listener.expect(.undoable("Done: party"))
        list.interactor.didChooseUndo()
        try await list.listener.expect(.information("Undone: completing \"party\""))
        try await eventually { list.presenter.titles.count == 4 }
        // Together they need no question about each other.
        for todo in [party, invite] { list.interactor.didToggleMark(todo.id) }
        list.interactor.didToggle(party)
        #expect(list.presenter.completionQuestions.last == "Open subtasks (2): bread, food.")
        list.interactor.didConfirmCompletion(withSubtasks: true)
        try await list.listener.expect(.undoable("Done: 4 todos"))
        _ = list.store.takeCalls()
    }

    @Test("Archiving reports the number of todos, or that no todo is completed")
    func archive() async throws {
        let list = try await Fixture("one", "two")
        list.interactor.didChooseArchive()
        try await list.listener.expect(.information("There is no completed todo to archive"))
        list.store.changeOutside { $0[0].completed = .sample }
        list.interactor.didChooseArchive()
        try await list.listener.expect(.undoable("1 archived"))
        #expect(list.store.takeCalls() == [.archive, .archive])
    }

    @Test("A change that takes long is shown until it is saved, and counts as under way from the key press on")
    func slow() async throws {
        let list = try await Fixture("walk")
        list.store.isHeld = true
        list.interactor.didToggle(try list.todo("walk"))
        #expect(list.services.pendingChanges.underWay == ["complete \"walk\""])
        try await eventually { list.store.heldCount == 1 && list.services.manualClock.sleepers == 2 }
        list.services.manualClock.advance(by: .milliseconds(500))
        try await eventually { list.presenter.models.last?.activity?.english == "saving: complete \"walk\"" }
        list.store.release()
        try await list.listener.expect(.undoable("Done: walk"))
        try await eventually {
            list.services.manualClock.advance(by: .milliseconds(500))
            return list.presenter.models.last?.activity == nil
        }
        #expect(list.services.pendingChanges.underWay.isEmpty)
        _ = list.store.takeCalls()
    }

    // MARK: - Subtasks

    @Test("A typed parent is honoured; a todo becomes a subtask of the one above it and returns, level by level")
    func subtasks() async throws {
        let list = try await Fixture("party", "food", "bread")
        let (party, food, bread) = (try list.todo("party"), try list.todo("food"), try list.todo("bread"))
        list.interactor.didEnter("balloons parent:\(party.id)")
        // Until it is selected, a new todo unfolds those above it.
        try await eventually { list.store.kept.last.map { $0.id == list.presenter.selections.last } ?? false }
        #expect(list.store.kept.last?.title == "balloons" && list.store.kept.last?.parent == party.id)
        // The marks do not make the todo above a part of itself.
        for todo in [party, food] { list.interactor.didToggleMark(todo.id) }
        list.interactor.didChooseIndent(food, below: party)
        try await list.listener.expect(.undoable("food is now part of party"))
        list.interactor.didClearMarks()
        list.interactor.didChooseIndent(bread, below: food)
        try await list.listener.expect(.undoable("bread is now part of food"))
        func kept(_ title: String) throws -> Todo { try #require(list.store.kept.first { $0.title == title }) }
        #expect(try kept("food").parent == party.id && kept("bread").parent == food.id)
        for parent in [party.id, nil] {
            list.interactor.didChooseOutdent(try kept("bread"))
            try await list.listener.expect(.undoable("One level up: bread"))
            #expect(try kept("bread").parent == parent)
        }
        list.interactor.didChooseOutdent(try kept("bread"))
        try await list.listener.expect(.information(TodoListText.noSubtask.english))
        // A new subtask of a folded todo is shown all the same.
        list.interactor.didFold(party, true)
        try await eventually { list.presenter.models.last?.rows.count == 2 }
        list.interactor.didEnter("candles parent:\(party.id)")
        try await eventually { list.presenter.models.last?.rows.count == 5 }
        list.interactor.didChooseIndent(party, below: nil)
        try await list.listener.expect(.information(TodoListText.nothingAbove.english))
        list.interactor.didChooseSort(TodoSort([TodoSort.Key(.title)]))
        list.interactor.didChooseIndent(bread, below: food)
        try await list.listener.expect(.information(TodoListText.noLevels.english))
        list.interactor.didChooseUndo()
        try await list.listener.expect(.information("Undone: adding \"candles\""))
        _ = list.store.takeCalls()
    }

    @Test("A search for the selected todo that ends after another one was chosen unfolds nothing")
    func foldedWhileSearching() async throws {
        let list = try await Fixture("apples", "parent")
        let (apples, parent) = (try list.todo("apples"), try list.todo("parent"))
        list.interactor.didEnter("child parent:\(parent.id)")
        try await eventually { list.store.kept.last.map { $0.id == list.presenter.selections.last } ?? false }
        list.presenter.selectedID = parent.id
        list.interactor.didFold(parent, true)
        try await eventually { list.presenter.models.last?.rows.count == 2 }
        for turns in 1..<8 {
            let search = Task { await list.interactor.search() }
            for _ in 0..<turns {
                await Task.yield()
                // The main actor is busy while the rows are found, as with a key press that takes a while.
                usleep(2_000)
            }
            list.interactor.select(apples, isNew: false)
            await search.value
            #expect(list.presenter.models.last?.rows.count == 2, "after \(turns) turns")
            try await eventually { list.presenter.selectedID == apples.id }
            list.presenter.selectedID = parent.id
        }
        _ = list.store.takeCalls()
    }

    @Test("Work on a todo starts and stops; a completed one is not started")
    func work() async throws {
        let list = try await Fixture("walk", "run")
        list.interactor.didChooseWork(try list.todo("walk"))
        try await list.listener.expect(.undoable("In progress: walk"))
        list.interactor.todoDetailDidChooseWork(try list.todo("walk"))
        try await list.listener.expect(.undoable("Stopped: walk"))
        list.store.changeOutside { $0[1].completed = .sample }
        list.interactor.didChooseWork(try list.todo("run"))
        try await list.listener.expect(.information(TodoListText.nothingToStart.english))
        let ids = list.store.kept.map(\.id)
        #expect(list.store.takeCalls() == [.start([ids[0]]), .stop([ids[0]]), .start([ids[1]])])
    }

    // MARK: - Undo

    @Test("Undo and redo report what they did, and that there is nothing more")
    func undoRedo() async throws {
        let list = try await Fixture("walk")
        let walk = try list.todo("walk")
        list.interactor.didChooseRemove(walk)
        try await list.listener.expect(.undoable("Deleted: walk"))
        list.interactor.didChooseUndo()
        try await list.listener.expect(.information("Undone: deleting \"walk\""))
        try await eventually { list.presenter.titles == ["walk"] }
        list.interactor.didChooseRedo()
        try await list.listener.expect(.information("Redone: deleting \"walk\""))
        list.interactor.didChooseRedo()
        try await list.listener.expect(.failure("\(TodoError.nothingToRedo)"))
        list.interactor.didChooseUndo()
        try await list.listener.expect(.information("Undone: deleting \"walk\""))
        let undo = FakeTodoStore.Call.undoStep("remove \"walk\"", afterLaterChanges: false)
        #expect(list.store.takeCalls() == [.remove([walk.id]), undo, .redo, .redo, undo])
    }

    @Test("Undo of this screen's change asks first if another process made a change after it")
    func laterChange() async throws {
        let list = try await Fixture("walk", "run")
        list.interactor.didChooseRemove(try list.todo("walk"))
        try await list.listener.expect(.undoable("Deleted: walk"))
        list.store.changeOutside(as: "edit \"run fast\"") { $0[0].title = "run fast" }
        list.interactor.didChooseUndo()
        try await eventually { list.presenter.questions.count == 1 }
        #expect(list.presenter.questions.first?.contains("A later change exists: editing \"run fast\". Undo ") == true)
        #expect(list.store.kept.map(\.title) == ["run fast"], "nothing is undone before the user agrees")
        list.interactor.didConfirmUndo()
        try await list.listener.expect(.information("Undone: deleting \"walk\""))
        #expect(Set(list.store.kept.map(\.title)) == ["walk", "run fast"])
        _ = list.store.takeCalls()
    }

    @Test("The undo of a notice undoes the change of the notice, not the last one")
    func undoOfNotice() async throws {
        let list = try await Fixture("walk", "run")
        list.interactor.didChooseRemove(try list.todo("walk"))
        try await list.listener.expect(.undoable("Deleted: walk"))
        list.interactor.didToggle(try list.todo("run"))
        try await list.listener.expect(.undoable("Done: run"))
        list.interactor.undo(step: try #require(list.listener.steps.first))
        try await eventually { list.presenter.questions.count == 1 }
        list.interactor.didConfirmUndo()
        try await list.listener.expect(.information("Undone: deleting \"walk\""))
        #expect(list.store.kept.first { $0.title == "run" }?.isDone == true)
        #expect(list.store.kept.contains { $0.title == "walk" })
        _ = list.store.takeCalls()
    }

    @Test("A change whose todo was changed again by another process is not undone")
    func changedSince() async throws {
        let list = try await Fixture("walk")
        list.interactor.didToggle(try list.todo("walk"))
        try await list.listener.expect(.undoable("Done: walk"))
        list.store.changeOutside(as: "edit \"run\"") { $0[0].title = "run" }
        list.interactor.didChooseUndo()
        try await list.listener.expect(.failure("\(TodoError.changedSince(summary: "complete \"walk\""))"))
        #expect(list.store.kept.map(\.title) == ["run"])
        // The next undo is not about it.
        list.interactor.didChooseUndo()
        try await eventually { list.presenter.questions.count == 1 }
        _ = list.store.takeCalls()
    }

    @Test("Without a change of this screen, undo asks before it undoes the change of another process")
    func elsewhere() async throws {
        let list = try await Fixture("walk")
        list.interactor.didChooseUndo()
        try await list.listener.expect(.failure("\(TodoError.nothingToUndo)"))
        list.store.changeOutside(as: "edit \"run\"") { $0[0].title = "run" }
        list.interactor.didChooseUndo()
        try await eventually { list.presenter.questions.count == 1 }
        #expect(list.presenter.questions.first?.contains("editing \"run\"") == true)
        #expect(list.store.kept.map(\.title) == ["run"])
        list.interactor.didConfirmUndo()
        try await list.listener.expect(.information("Undone: editing \"run\""))
        #expect(list.store.kept.map(\.title) == ["walk"])
        _ = list.store.takeCalls()
    }

    // MARK: - Editor

    @Test("The editor opens for a todo of the list, and closes after its change was saved or cancelled")
    func editor() async throws {
        let list = try await Fixture("walk")
        let walk = try list.todo("walk")
        list.interactor.didChooseEdit(walk)
        list.router.calls.expect(.openEditor("walk"))
        list.interactor.todoEditorDidCancel()
        list.router.calls.expect(.closeEditor)
        var change = TodoChange()
        change.title = "run"
        list.interactor.todoEditorDidSave(try await list.store.perform(.edit(walk.id, change)))
        list.router.calls.expect(.closeEditor)
        try await list.listener.expect(.undoable("Changed: run"))
        list.interactor.undo(step: try #require(list.listener.steps.first))
        try await list.listener.expect(.information("Undone: editing \"run\""))
        #expect(list.store.kept.map(\.title) == ["walk"])
        list.router.calls.finish()
        _ = list.store.takeCalls()
    }
}
