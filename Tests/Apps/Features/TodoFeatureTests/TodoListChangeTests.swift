import AppLanguage
import AppTestSupport
import AppUI
import Foundation
import LocalProvider
import RIBs
import TerminalTesting
import TestSupport
import Testing
import TodoCore

@testable import TodoFeature

@Suite("Changes of the todo list")
@MainActor
struct TodoListChangeTests {
    // MARK: - Changing

    @Test("A tick completes, a second one reopens, and both can be undone")
    func toggle() async throws {
        let list = try await TodoListFixture("walk")
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
        let list = try await TodoListFixture("party", "food", "bread", "invite")
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
        try await eventually { list.presenter.titles.count == 3 }
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
        let list = try await TodoListFixture("one", "two")
        list.interactor.didChooseArchive()
        try await list.listener.expect(.information("There is no completed todo to archive"))
        list.store.changeOutside { $0[0].completed = .sample }
        list.interactor.didChooseArchive()
        try await list.listener.expect(.undoable("1 archived"))
        #expect(list.store.takeCalls() == [.archive, .archive])
    }

    @Test("A change that takes long is shown until it is saved, and counts as under way from the key press on")
    func slow() async throws {
        let list = try await TodoListFixture("walk")
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
        let list = try await TodoListFixture("party", "food", "bread")
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

    @Test("Marked todos change their level by their own parents, wherever the selection is, and take their parts along")
    func levelsOfMarked() async throws {
        let list = try await TodoListFixture("a", "b", "c", "d", "e")
        let ids = list.store.kept.map(\.id)
        list.store.changeOutside { ($0[1].parent, $0[2].parent, $0[4].parent) = (ids[0], ids[1], ids[3]) }
        try await eventually { list.presenter.models.last?.snapshot?.todo(ids[2])?.parent != nil }
        func parents() -> [TodoID?] { list.store.kept.map(\.parent) }
        func mark(_ indices: Int...) {
            list.interactor.didClearMarks()
            for index in indices { list.interactor.didToggleMark(ids[index]) }
        }
        mark(2, 4)
        list.interactor.didChooseOutdent(list.store.kept[0])
        try await list.listener.expect(.undoable("One level up: 2 todos"))
        #expect(parents() == [nil, ids[0], ids[0], nil, nil])
        await list.interactor.reload()
        mark(0, 1)
        list.interactor.didChooseIndent(list.store.kept[3], below: list.store.kept[4])
        try await list.listener.expect(.undoable("a is now part of e"))
        #expect(parents() == [ids[4], ids[0], ids[0], nil, nil])
        mark(3, 4)
        list.interactor.didChooseOutdent(list.store.kept[1])
        try await list.listener.expect(.information(TodoListText.noSubtask.english))
        _ = list.store.takeCalls()
    }

    @Test("A search for the selected todo that ends after another one was chosen unfolds nothing")
    func foldedWhileSearching() async throws {
        let list = try await TodoListFixture("apples", "parent")
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
        let list = try await TodoListFixture("walk", "run")
        // The second key can come before the list shows the first change.
        let idle = try list.todo("walk")
        list.interactor.didChooseWork(idle)
        try await list.listener.expect(.undoable("In progress: walk"))
        list.interactor.didChooseWork(idle)
        try await list.listener.expect(.information("The work has already begun"))
        let active = try list.todo("walk")
        list.interactor.todoDetailDidChooseWork(active)
        try await list.listener.expect(.undoable("Stopped: walk"))
        list.interactor.didChooseWork(active)
        try await list.listener.expect(.information("The work has already stopped"))
        list.store.changeOutside { $0[1].completed = .sample }
        list.interactor.didChooseWork(try list.todo("run"))
        try await list.listener.expect(.information(TodoListText.nothingToStart.english))
        let ids = list.store.kept.map(\.id)
        let walk = [ids[0]]
        #expect(list.store.takeCalls() == [.start(walk), .start(walk), .stop(walk), .stop(walk), .start([ids[1]])])
        // Of several, those are started that can be, whichever is selected.
        list.interactor.didToggleDone()
        try await eventually { list.presenter.models.last?.doneCount == 1 && list.presenter.titles.count == 2 }
        for id in ids { list.interactor.didToggleMark(id) }
        list.interactor.didChooseWork(try list.todo("run"))
        try await list.listener.expect(.undoable("In progress: walk"))
        #expect(list.store.takeCalls() == [.start([ids[0]])])
    }

    // MARK: - Undo

    @Test("Undo and redo report what they did, or that nothing is left; a todo that exists again is selected")
    func undoRedo() async throws {
        let list = try await TodoListFixture("walk", "run")
        let walk = try list.todo("walk")
        list.interactor.didChooseRemove(walk)
        try await list.listener.expect(.undoable("Deleted: walk"))
        list.interactor.didChooseUndo()
        try await list.listener.expect(.information("Undone: deleting \"walk\""))
        try await eventually { list.presenter.titles.sorted() == ["run", "walk"] }
        try await eventually { list.presenter.selections == [walk.id] }
        list.presenter.selectedID = list.store.kept.last?.id
        list.interactor.didChooseRedo()
        try await list.listener.expect(.information("Redone: deleting \"walk\""))
        list.interactor.didChooseRedo()
        try await list.listener.expect(.failure("\(TodoError.nothingToRedo)"))
        list.interactor.didChooseUndo()
        try await list.listener.expect(.information("Undone: deleting \"walk\""))
        try await eventually { list.presenter.selections == [walk.id, walk.id] }
        let undo = FakeTodoStore.Call.undoStep("remove \"walk\"", afterLaterChanges: false)
        #expect(list.store.takeCalls() == [.remove([walk.id]), undo, .redo, .redo, undo])
    }

    @Test("Two undos in a row undo two changes, and one that fails is the next one again")
    func undoTwice() async throws {
        let list = try await TodoListFixture("walk", "run")
        for title in ["walk", "run"] {
            list.interactor.didChooseRemove(try list.todo(title))
            try await list.listener.expect(.undoable("Deleted: \(title)"))
        }
        let failure = TodoError.storage(.full(path: "/data", errno: 28))
        list.store.failure = failure
        for _ in 0..<2 { list.interactor.didChooseUndo() }
        for _ in 0..<2 { try await list.listener.expect(.failure("\(failure)")) }
        list.store.failure = nil
        for _ in 0..<2 { list.interactor.didChooseUndo() }
        for title in ["run", "walk"] {
            try await list.listener.expect(.information("Undone: deleting \"\(title)\""))
        }
        #expect(Set(list.store.kept.map(\.title)) == ["walk", "run"])
        _ = list.store.takeCalls()
    }

    @Test("Undo of this screen's change asks first if another process made a change after it")
    func laterChange() async throws {
        let list = try await TodoListFixture("walk", "run")
        list.interactor.didChooseRemove(try list.todo("walk"))
        try await list.listener.expect(.undoable("Deleted: walk"))
        list.store.changeOutside(as: "edit \"run fast\"") { $0[0].title = "run fast" }
        // Without an answer, the next undo is about the same change.
        for count in 1...2 {
            list.interactor.didChooseUndo()
            try await eventually { list.presenter.questions.count == count }
            let question = list.presenter.questions.last
            #expect(question?.contains("A later change exists: editing \"run fast\". Undo ") == true)
        }
        #expect(list.store.kept.map(\.title) == ["run fast"], "nothing is undone before the user agrees")
        list.interactor.didConfirmUndo()
        try await list.listener.expect(.information("Undone: deleting \"walk\""))
        #expect(Set(list.store.kept.map(\.title)) == ["walk", "run fast"])
        _ = list.store.takeCalls()
    }

    @Test(
        "Without a visible question the line is reported: at the end, after the list was closed, and under a screen",
        arguments: ["end", "closed", "covered"]
    )
    func conflictWithoutQuestion(when: String) async throws {
        let list = try await TodoListFixture("walk", "run")
        let (pending, walk) = (list.services.pendingChanges, try list.todo("walk"))
        list.interactor.didChooseRemove(try list.todo("run"))
        try await list.listener.expect(.undoable("Deleted: run"))
        list.store.changeOutside(as: "edit \"swim\"") { $0[0].title = "swim" }
        var failures: [String] = []
        pending.onFailure = { failures.append($0) }
        list.presenter.isOnScreen = when != "covered"
        list.interactor.didEnterEdit(of: walk, TodoLineEdit(walk), line: "fly")
        list.interactor.didChooseUndo()
        let conflict = TodoError.changedElsewhere(fields: ["title"]).text.english
        let later = TodoError.laterChange(summary: "remove \"run\"", later: "edit \"swim\"").text.english
        switch when {
        case "end": failures = await pending.finish()
        case "closed":
            list.interactor.deactivate()
            try await eventually { failures.count == 2 }
        default: try await eventually { pending.underWay.isEmpty }
        }
        let reported: Set = ["edit \"walk\": fly: \(conflict)", "undo deleting \"run\": \(later)"]
        #expect(Set(failures) == (when == "covered" ? [] : reported))
        #expect(list.presenter.restored == ["walk: fly: \(conflict)"])
        #expect(list.presenter.overwriteQuestions.isEmpty && list.presenter.questions.isEmpty)
        try await list.listener.expect(.failure(later))
        _ = list.store.takeCalls()
    }

    @Test("The undo of a notice undoes the change of the notice, not the last one")
    func undoOfNotice() async throws {
        let list = try await TodoListFixture("walk", "run")
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

    @Test(
        "A change whose todo was changed again or deleted by another process is not undone",
        arguments: [false, true]
    )
    func changedSince(isDeleted: Bool) async throws {
        let list = try await TodoListFixture("walk")
        list.interactor.didToggle(try list.todo("walk"))
        try await list.listener.expect(.undoable("Done: walk"))
        list.store.changeOutside(as: "edit \"run\"") { if isDeleted { $0 = [] } else { $0[0].title = "run" } }
        list.interactor.didChooseUndo()
        let text = TodoError.changedSince(summary: "complete \"walk\"").text
        let deleted = "completing \"walk\" cannot be undone: the todo was deleted since"
        try await list.listener.expect(.failure(isDeleted ? deleted : text.english))
        #expect(list.store.kept.map(\.title) == (isDeleted ? [] : ["run"]))
        // The next undo is not about it.
        list.interactor.didChooseUndo()
        try await eventually { list.presenter.questions.count == 1 }
        _ = list.store.takeCalls()
    }

    @Test("Without a change of this screen, undo asks before it undoes the change of another process")
    func elsewhere() async throws {
        let list = try await TodoListFixture("walk")
        list.interactor.didChooseUndo()
        try await list.listener.expect(.failure("\(TodoError.nothingToUndo)"))
        list.store.changeOutside(as: "edit \"run\"") { $0[0].title = "run" }
        list.presenter.isOnScreen = false
        list.interactor.didChooseUndo()
        try await list.listener.expect(.failure(TodoListText.madeElsewhere("edit \"run\"").english))
        list.presenter.isOnScreen = true
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

    @Test("A text that conflicts with the change of another process stays in its file, which the message names")
    func textConflict() async throws {
        var path = ""
        let list = try await TodoListFixture("walk") { file in
            path = file
            do {
                let text = try String(contentsOfFile: file, encoding: .utf8)
                try text.replacing("walk", with: "fly").write(toFile: file, atomically: true, encoding: .utf8)
                return 0
            } catch {
                return 1
            }
        }
        let walk = try list.todo("walk")
        list.store.changeOutside { $0[0].title = "swim" }
        list.interactor.todoDetailDidChooseText(walk)
        try await eventually { !list.listener.calls.unasserted.isEmpty }
        let conflict = TodoError.changedElsewhere(fields: ["title"]).text.english
        try await list.listener.expect(.failure("\(conflict)\nnothing was changed; the text is in \(path)"))
        #expect(list.presenter.overwriteQuestions.isEmpty && list.store.kept.map(\.title) == ["swim"])
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("fly"))
        try FileManager.default.removeItem(atPath: path)
    }

    @Test("The editor opens for a todo of the list and closes on request, and its change can be undone")
    func editor() async throws {
        let list = try await TodoListFixture("walk")
        let walk = try list.todo("walk")
        list.interactor.didChooseEdit(walk)
        list.router.calls.expect(.openEditor("walk"))
        list.interactor.todoEditorDidClose()
        list.router.calls.expect(.closeEditor)
        var change = TodoChange()
        change.title = "run"
        // The editor closes itself: the open one may be another one.
        list.interactor.todoEditorDidSave(try await list.store.perform(.edit(walk.id, change)))
        try await list.listener.expect(.undoable("Changed: run"))
        list.interactor.undo(step: try #require(list.listener.steps.first))
        try await list.listener.expect(.information("Undone: editing \"run\""))
        #expect(list.store.kept.map(\.title) == ["walk"])
        list.router.calls.finish()
        _ = list.store.takeCalls()
    }
}
