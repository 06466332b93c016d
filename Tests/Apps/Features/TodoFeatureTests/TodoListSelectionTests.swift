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

@Suite("Selection, marks and lines of the todo list")
@MainActor
struct TodoListSelectionTests {
    @Test("A new todo is selected; one that the filter hides is reported, and shown on request")
    func hidden() async throws {
        let list = try await TodoListFixture("milk")
        list.presenter.enter("walk")
        try await eventually { list.presenter.selectedID == list.store.kept.last?.id }
        #expect(list.presenter.models.last?.hidden == nil)
        list.interactor.didChooseScope(2)
        try await eventually { list.presenter.models.last?.request.grouping == .due && list.presenter.titles.isEmpty }
        list.presenter.enter("run t:2099-01-01")
        try await eventually { list.presenter.models.last?.hidden?.title == "run" }
        list.interactor.didChooseReveal()
        try await eventually { list.presenter.titles.contains("run") }
        #expect(list.presenter.filters.last == "")
        #expect(list.presenter.models.last?.hidden == nil)
        // The groups are those of the list that is shown.
        #expect(list.presenter.models.last?.scope == .all && list.presenter.models.last?.request.grouping == nil)
        #expect(list.presenter.selectedID == list.store.kept.last?.id)
        list.interactor.didChangeFilter("milk")
        list.presenter.enter("jump")
        try await eventually { list.presenter.models.last?.hidden?.title == "jump" }
        list.interactor.didChangeFilter("run")
        try await eventually { list.presenter.models.last?.hidden == nil }
        _ = list.store.takeCalls()
    }

    @Test("An action applies to all marked todos as one change, and marks of todos that are not listed go")
    func marks() async throws {
        let list = try await TodoListFixture("one", "two", "three")
        let todos = list.store.kept
        list.interactor.didToggleMark(todos[2].id)
        list.interactor.didChangeFilter("one")
        try await eventually { list.presenter.models.last?.marked.isEmpty == true }
        list.interactor.didChangeFilter("")
        list.interactor.didToggleDone()
        try await eventually { list.presenter.titles.count == 3 }
        list.interactor.didToggleMark(todos[0].id)
        list.interactor.didToggleMark(todos[1].id)
        #expect(list.presenter.models.last?.marked.count == 2)
        // The marked ones decide whether they are completed, and not the selected one.
        list.store.changeOutside { $0[2].completed = .sample }
        let ids = [todos[0].id, todos[1].id].sorted { $0.description < $1.description }
        list.interactor.didToggle(list.store.kept[2])
        try await list.listener.expect(.undoable("Done: 2 todos"))
        list.interactor.didEnterBulkChange("+home due:today")
        try await list.listener.expect(.undoable("Changed: 2 todos"))
        list.interactor.didChooseRemove(todos[2])
        try await list.listener.expect(.undoable("Deleted: 2 todos"))
        try await eventually { list.presenter.models.last?.marked.isEmpty == true }
        let calls = list.store.takeCalls()
        #expect(calls.count == 3 && calls[0] == .complete(ids) && calls[2] == .remove(ids))
        if case .editAll(let changed, let made) = calls[1] {
            #expect(changed == ids && made.addedProjects == ["home"] && made.due == .set(.sample))
        } else {
            Issue.record("\(calls[1])")
        }
    }

    @Test("All listed todos are marked, then none; a bulk change with a title or without fields is refused")
    func markAll() async throws {
        let list = try await TodoListFixture("one", "two")
        list.interactor.didToggleAllMarks()
        try await eventually { list.presenter.models.last?.marked.count == 2 }
        for line in ["another title", "due:2026-02-30", "after:zzzz"] { list.interactor.didEnterBulkChange(line) }
        // The line is in its field again, with the reason.
        try await eventually { list.presenter.restored.count == 3 }
        #expect(list.presenter.restored[0] == "marked: another title: \(TodoListText.onlyFields.english)")
        #expect(list.presenter.restored[1].contains("has the days 1 to 28"))
        #expect(list.presenter.restored[2] == "marked: after:zzzz: \(TodoError.notFound(name: "zzzz"))")
        // The subtasks that are folded away are not marked, which nobody sees.
        let (one, two) = (try list.todo("one"), try list.todo("two"))
        list.store.changeOutside { $0[1].parent = one.id }
        list.interactor.didFold(one, true)
        try await eventually { list.presenter.models.last?.marked == [one.id] }
        list.interactor.didToggleAllMarks()
        try await eventually { list.presenter.models.last?.marked.isEmpty == true }
        list.interactor.didFold(one, false)
        try await eventually { list.presenter.models.last?.rows.count == 2 }
        list.interactor.didToggleAllMarks()
        try await eventually { list.presenter.models.last?.marked == [one.id, two.id] }
    }

    @Test("The line of a todo is edited and merged; an invalid field is reported, and a line that is not saved returns")
    func inline() async throws {
        let list = try await TodoListFixture("walk +park", "pay due:soon")
        let walk = try list.todo("walk")
        let edit = TodoLineEdit(walk)
        list.interactor.didEnterEdit(of: walk, edit, line: edit.line + " due:2026-02-30")
        #expect(list.presenter.lineProblems.count == 1)
        #expect(list.presenter.inlineEnds == 0)
        list.store.changeOutside { $0[0].note = "by another process" }
        list.interactor.didEnterEdit(of: walk, edit, line: "(A) run +park")
        #expect(list.presenter.inlineEnds == 1)
        try await list.listener.expect(.undoable("Changed: run"))
        #expect(list.store.kept[0].note == "by another process" && list.store.kept[0].priority == Priority("A"))
        list.store.changeOutside { $0[0].title = "swim" }
        // While the user is asked, the line is not saved. If that fails, the line returns to its field.
        let failure = TodoError.storage(.full(path: "/data", errno: 28))
        let failed = "walk: fly +park: \(failure)"
        for (count, error) in [nil, failure, nil].enumerated() {
            list.interactor.didEnterEdit(of: walk, edit, line: "fly +park")
            try await eventually { list.presenter.overwriteQuestions.count == count + 1 }
            #expect(list.store.kept[0].title == "swim" && list.interactor.unsavedText == ["fly +park"])
            let draft = ["row": walk.id.description, "line": "fly +park"]
            #expect(list.interactor.entryDraft == draft)
            // A line that is edited now comes first.
            let pay = try list.todo("pay due:soon")
            list.presenter.inlineEdit = (TodoLineEdit(pay), "pay now")
            let (first, second) = (pay.id.description, walk.id.description)
            let both = ["row": first, "line": "pay now", "row1": second, "line1": "fly +park"]
            #expect(list.interactor.entryDraft == both)
            list.presenter.inlineEdit = nil
            list.store.failure = error
            if count == 0 { list.interactor.didDeclineOverwrite() } else { list.interactor.didConfirmOverwrite() }
            #expect(list.interactor.unsavedText.isEmpty && list.interactor.entryDraft.isEmpty)
            if error != nil { try await eventually { list.presenter.restored == [failed] } }
            list.store.failure = nil
        }
        try await list.listener.expect(.undoable("Changed: fly"))
        // What only looked like a field before is still text.
        let pay = try list.todo("pay due:soon")
        let known = TodoLineEdit(pay)
        list.interactor.didEnterEdit(of: pay, known, line: known.line + " +home")
        try await list.listener.expect(.undoable("Changed: pay due:soon"))
        #expect(list.presenter.lineProblems.count == 1)
        // A line that cannot be saved returns to its field; while another one is typed, a notice contains it.
        list.interactor.didEnterEdit(of: pay, known, line: known.line + " after:zzzz")
        let restored = "pay due:soon: pay due:soon after:zzzz: \(TodoError.notFound(name: "zzzz"))"
        try await eventually { list.presenter.restored == [failed, restored] }
        (list.presenter.isTyping, list.store.failure) = (true, failure)
        list.interactor.didEnterEdit(of: pay, known, line: "rest")
        try await list.listener.expect(.failure("not saved: rest: \(failure)"))
        _ = list.store.takeCalls()
    }

    @Test("The lines of a paste are added as one change, without marks and completed ones; refused ones are reported")
    func paste() async throws {
        let list = try await TodoListFixture()
        list.interactor.didChooseAdd(lines: ["- [ ] milk +home", "* bread", "", "2. 우유", "+home", "- [x] eggs"])
        try await list.listener.expect(
            .undoable("3 added, 1 not; line 5: the title is empty; say what is to be done")
        )
        list.interactor.didChooseAdd(lines: ["- [x] eggs"])
        try await list.listener.expect(.failure("it is completed already"))
        #expect(Set(list.store.kept.map(\.title)) == ["milk", "bread", "우유"])
        #expect(list.store.kept[0].projects == ["home"])
        #expect(list.store.takeCalls().count == 1)
        // At the end, what was not added is in the report.
        let pending = list.services.pendingChanges
        list.interactor.didChooseAdd(lines: ["tea", "* +home", "- [x] eggs"])
        _ = await pending.finish()
        list.store.failure = .storage(.full(path: "/data", errno: 28))
        list.interactor.didChooseAdd(lines: ["", "- salt", "oil"])
        let failures = await pending.finish()
        let reason = "\(TodoError.storage(.full(path: "/data", errno: 28)))"
        #expect(failures == ["add 2 todos: * +home: \(TodoError.emptyTitle)", "add 2 todos: salt, oil: \(reason)"])
        try await list.listener.expect(.undoable("1 added, 1 not; line 2: \(TodoError.emptyTitle)"))
        try await list.listener.expect(.failure(reason))
        #expect(list.store.takeCalls().count == 2)
    }

    @Test(
        "The todos of a template are added as one change; one that is not text is refused; without any, its path is named"
    )
    func templates() async throws {
        let folder = try TemporaryDirectory("templates")
        let list = try await TodoListFixture(templates: folder.path)
        list.interactor.didChooseTemplates()
        let hint = "There are no templates: write the todos, one a line, into \(folder.path)/NAME.txt"
        try await list.listener.expect(.information(hint))
        try "# a week\n\npassport\n(A) tickets +busan\n".write(
            to: folder.file("packing.txt"),
            atomically: true,
            encoding: .utf8
        )
        try Data([0xFF, 0xFE]).write(to: folder.file("bytes.txt"))
        list.interactor.didChooseTemplates()
        #expect(list.presenter.offers == [["bytes", "packing"]])
        list.interactor.didChoose(template: "packing")
        try await list.listener.expect(.undoable("2 added"))
        #expect(Set(list.store.kept.map(\.title)) == ["passport", "tickets"])
        #expect(list.store.takeCalls().count == 1)
        list.interactor.didChoose(template: "bytes")
        try await list.listener.expect(
            .failure("\(folder.path)/bytes.txt cannot be read, is not UTF-8, or is too long")
        )
    }

    @Test(
        "A typed parent is found by the beginning of its ID: of a new todo, in a paste, in an edit and in a bulk change"
    )
    func parents() async throws {
        let list = try await TodoListFixture("bake", "walk")
        let (bake, walk) = (try list.todo("bake"), try list.todo("walk"))
        list.presenter.enter("flour parent:\(bake.id.description.uppercased())")
        try await eventually { list.store.kept.count == 3 }
        #expect(try list.todo("flour").parent == bake.id)
        list.interactor.didChooseAdd(lines: ["milk parent:\(bake.id)", "eggs"])
        try await list.listener.expect(.undoable("2 added"))
        #expect(try list.todo("milk").parent == bake.id && list.todo("eggs").parent == nil)
        let edit = TodoLineEdit(walk)
        list.interactor.didEnterEdit(of: walk, edit, line: "walk parent:\(bake.id)")
        try await list.listener.expect(.undoable("Changed: walk"))
        #expect(try list.todo("walk").parent == bake.id)
        list.interactor.didToggleMark(walk.id)
        list.interactor.didEnterBulkChange("parent:none +home")
        try await list.listener.expect(.undoable("Changed: walk"))
        #expect(try list.todo("walk").parent == nil && list.todo("walk").projects == ["home"])
        list.presenter.enter("sugar parent:zzzz")
        try await list.listener.expect(.failure("\(TodoError.notFound(name: "zzzz"))"))
        #expect(list.presenter.entryText == "sugar parent:zzzz")
        _ = list.store.takeCalls()
    }

    // MARK: - Details and calendar

    @Test("The details show the selected todo with its subtasks, over the list or beside it")
    func details() async throws {
        let list = try await TodoListFixture("bake")
        let bake = try list.todo("bake")
        var flour = try Todo(line: "flour", serial: 50)
        flour.parent = bake.id
        list.store.changeOutside { $0.append(flour) }
        try await eventually { list.presenter.titles.count == 2 }
        list.presenter.selectedID = bake.id
        list.interactor.didChooseOpen(bake)
        list.router.calls.expect(.openDetail(isPanel: true))
        // Its relations follow: the next key may arrive before them.
        #expect(list.router.families.last == TodoFamily(todo: bake))
        try await eventually { list.router.families.last??.subtasks.map(\.title) == ["flour"] }
        list.interactor.didChangeRoom(hasRoomForDetail: true)
        list.router.calls.expect(.closeDetail, .openDetail(isPanel: false))
        list.interactor.didChooseOpen(bake)
        list.router.calls.expect(.focusDetail)
        list.presenter.selectedID = TodoID(serial: 50)
        list.interactor.didSelect(nil)
        try await eventually { list.router.families.last??.parent?.title == "bake" }
        // A tick in the details applies to its todo alone, and the marks of the list stay.
        list.interactor.didToggleMark(bake.id)
        list.interactor.todoDetailDidToggle(flour)
        try await list.listener.expect(.undoable("Done: flour"))
        #expect(list.store.takeCalls() == [.complete([flour.id])])
        #expect(list.presenter.models.last?.marked == [bake.id])
        list.router.calls.finish()
    }

    @Test("Details and calendar of an earlier process are opened once the todos are read")
    func restoredPlace() async throws {
        let list = try await TodoListFixture("walk", "bake")
        let bake = try list.todo("bake")
        list.interactor.restore(TodoListPlace(detail: bake.id, calendar: nil))
        try await eventually { list.router.families.last??.todo.id == bake.id }
        list.router.calls.expect(.openDetail(isPanel: true))
        try await eventually { list.presenter.selections.contains(bake.id) }
        #expect(list.interactor.openID == bake.id)
        let day = Day.sample.adding(40)
        list.interactor.restore(TodoListPlace(detail: nil, calendar: day))
        try await eventually { list.router.days == [day] }
        list.router.calls.expect(.openCalendar)
        try await eventually { list.interactor.placeToRestore == nil }
        list.router.calls.finish()
    }

    @Test("Details of a todo that has gone stay closed without a message; beside the list its selection is restored")
    func restoredGone() async throws {
        let list = try await TodoListFixture("walk", "bake")
        list.interactor.restore(TodoListPlace(detail: TodoID(serial: 999), calendar: nil))
        try await eventually { list.interactor.placeToRestore == nil }
        #expect(!list.router.hasDetail && list.presenter.selections.isEmpty)
        list.interactor.didChangeRoom(hasRoomForDetail: true)
        list.router.calls.expect(.openDetail(isPanel: false))
        let bake = try list.todo("bake")
        list.interactor.restore(TodoListPlace(detail: bake.id, calendar: nil))
        // A reading that is still under way may select it instead.
        try await eventually { list.presenter.selections == [bake.id] && list.interactor.placeToRestore == nil }
        list.router.calls.finish()
        list.listener.calls.finish()
    }

    @Test("The day that is chosen in the calendar filters the list")
    func calendar() async throws {
        let list = try await TodoListFixture("milk due:today", "walk", "bread due:today t:2099-01-01")
        list.interactor.didChooseScope(2)
        try await eventually { list.presenter.titles == ["milk"] }
        #expect(list.presenter.models.last?.request.grouping == .due)
        list.interactor.didChooseCalendar()
        list.router.calls.expect(.openCalendar)
        list.interactor.todoCalendarDidChoose(.sample)
        list.router.calls.expect(.closeCalendar)
        #expect(list.presenter.filters.last == "due:2026-03-20")
        // It counts waiting todos, which other filters hide, and has no groups of the view before it.
        try await eventually { Set(list.presenter.titles) == ["milk", "bread"] }
        #expect(list.presenter.models.last?.request.grouping == nil)
        list.interactor.didChangeFilter("due:today")
        try await eventually { list.presenter.titles == ["milk"] }
    }

    @Test("An order and groups are applied, and a text that is no query is reported and read as words")
    func contents() async throws {
        let list = try await TodoListFixture("b +home", "a +work")
        list.interactor.didChooseSort(TodoSort([TodoSort.Key(.title)]))
        try await eventually { list.presenter.titles == ["a", "b"] }
        list.interactor.didChooseGrouping(.project)
        try await eventually { list.presenter.models.last?.listing.count == 4 }
        list.interactor.didChangeFilter("due<")
        try await eventually { list.presenter.models.last?.filterProblem != nil }
        list.interactor.didChangeFilter("+home")
        try await eventually { list.presenter.titles == ["b"] && list.presenter.models.last?.filterProblem == nil }
    }
}
