import Foundation
import TestSupport
import Testing
import Threading

@testable import TodoCore

@Suite("Changes of several todos")
struct TodoSuccessorTests {
    private let folder: TemporaryDirectory
    private let store: TodoStore

    init() throws {
        folder = try TemporaryDirectory("todos")
        let uses = Locked(1_700_000_000.0)
        let next: @Sendable () -> Double = {
            uses.withLock { uses in
                uses += 1
                return uses
            }
        }
        store = TodoStore(directory: folder.url, now: { Date(timeIntervalSince1970: next()) })
    }

    @Test(
        "The next todo of a recurrence has open copies of the subtasks, with their days moved as its own; undo takes all back"
    )
    func recurringSubtasks() async throws {
        let today = Day(Date(timeIntervalSince1970: 1_700_000_000), in: .system)
        let bake = try await store.add(TodoChange(title: "bake", due: today, recurrence: Recurrence("+1w")))
        let flour = try await store.add(TodoChange(title: "buy flour", due: today.adding(-1), parent: bake.id))
        let shop = try await store.add(TodoChange(title: "find the shop", parent: flour.id, note: "street"))
        let other = try await store.add(TodoChange(title: "other"))
        _ = try await store.edit(flour.id, TodoChange { $0.addedDependencies = [other.id, shop.id] })
        let weekly = try TodoChange(title: "clean", due: today, recurrence: Recurrence("+1w"), parent: bake.id)
        let clean = try await store.add(weekly)
        _ = try await store.complete([clean.id])
        let old = try await store.add(TodoChange(title: "archived", parent: bake.id))
        _ = try await store.complete([old.id])
        _ = try await store.archive()
        _ = try await store.complete([flour.id])
        _ = try await store.perform(.start([bake.id]))
        _ = try await store.perform(.stop([bake.id]))
        let receipt = try await store.perform(.complete([bake.id]))
        let next = try #require(receipt.todos.last)
        #expect(receipt.todos.count == 2 && next.due == today.adding(7) && !next.isDone)
        #expect(
            next.spent == 0 && next.started == nil && receipt.todos[0].spent > 0,
            "the time was spent on the first one"
        )
        let todos = try await store.todos()
        #expect(todos.filter { $0.parent == next.id }.map(\.title).sorted() == ["buy flour", "clean"])
        #expect(todos.count == 11)
        let copy = try #require(todos.first { $0.parent == next.id && $0.title == "buy flour" })
        #expect(copy.title == "buy flour" && !copy.isDone && copy.due == today.adding(6) && copy.uuid != flour.uuid)
        let part = try #require(todos.first { $0.parent == copy.id })
        #expect(part.title == "find the shop" && part.note == "street")
        #expect(copy.dependencies == [try #require(part.uuid)], "the other one is no part of it")
        _ = try await store.undo()
        #expect(try await store.todos().count == 7)
        #expect(try await store.todos().first { $0.id == bake.id }?.isDone == false)
        // Without a due day, the days move as the threshold does.
        let change = TodoChange { ($0.due, $0.threshold) = (.clear, .set(today)) }
        _ = try await store.edit(bake.id, change)
        let hidden = try #require(try await store.complete([bake.id]).last)
        #expect(hidden.threshold == today.adding(7) && hidden.due == nil)
        let moved = try await store.todos().first { $0.parent == hidden.id && $0.title == "buy flour" }
        #expect(moved?.due == today.adding(6))
    }

    @Test("The same fields of several todos change as one step, or none if one of them does not exist")
    func editAll() async throws {
        let todos = try await store.add([
            TodoChange(title: "a"), TodoChange(title: "b"), TodoChange(title: "c", projects: ["home"]),
        ])
        var change = TodoChange { $0.projects = ["home"] }
        let receipt = try await store.perform(.editAll(todos.map(\.id), change))
        #expect(receipt.todos.map(\.projects) == [["home"], ["home"], ["home"]])
        #expect(receipt.step?.summary == "edit 2 todos")
        _ = try await store.undo()
        #expect(try await store.todos().filter { !$0.projects.isEmpty }.count == 1)
        await #expect(throws: TodoError.self) {
            try await self.store.perform(.editAll([todos[0].id, TodoID(serial: 999)], change))
        }
        #expect(try await store.todos().filter { !$0.projects.isEmpty }.count == 1)
        change = TodoChange { $0.parent = .set(todos[0].id) }
        await #expect(throws: TodoError.self) {
            try await self.store.perform(.editAll(todos.map(\.id), change))
        }
        // A parent that was deleted since is no error of another change.
        _ = try await store.perform(.editAll([todos[1].id], change))
        _ = try await store.remove([todos[0].id])
        change.parent = nil
        change.projects = ["work"]
        #expect(try await store.perform(.editAll([todos[1].id, todos[2].id], change)).step != nil)
    }
}
