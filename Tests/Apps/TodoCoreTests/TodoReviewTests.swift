import Foundation
import LocalProvider
import TestSupport
import Testing

@testable import TodoCore

@Suite("Reviews of changes before they are stored")
struct TodoReviewTests {
    /// Returns the todos that `body` returns of each version.
    private struct Review: TodoReviewing {
        let isActive = true
        let body: @Sendable ([TodoLogEntry.Version]) async throws(TodoError) -> [TodoID: Todo]

        func review(_ versions: [TodoLogEntry.Version]) async throws(TodoError) -> [TodoID: Todo] {
            try await body(versions)
        }
    }

    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func store(_ folder: TemporaryDirectory, _ review: Review? = nil) -> TodoStore {
        let now = now
        return TodoStore(directory: FileStoreLocation(directory: folder.url), process: "test", review: review) { now }
    }

    @Test("An accepted change leaves the same todos, steps and records for a sync as one without a review")
    func accepted() async throws {
        var states: [[[String]]] = []
        for review in [nil, Review { _ in [:] }] {
            let folder = try TemporaryDirectory("review")
            let store = store(folder, review)
            try await store.setSyncedLists([("Work", TodoList(name: "Work", isSynced: true))])
            let weekly = Recurrence("+1w")
            var change = try TodoChange(title: "repeat", due: Day(now, in: .system), recurrence: weekly)
            change.list = .set("Work")
            let first = try await store.add(change)
            var part = try TodoChange(title: "part", parent: first.id)
            part.list = .set("Work")
            let second = try await store.add(part)
            let third = try await store.add(TodoChange(title: "local"))
            try await store.removeUnsynced(store.unsynced())
            _ = try await store.perform(.complete([first.id, third.id]))
            _ = try await store.perform(.merge(second, TodoChange(title: "other")))
            _ = try await store.perform(.start([second.id]))
            let projects = TodoChange { $0.projects = ["home"] }
            _ = try await store.perform(
                .batch([.editAll([second.id, third.id], projects), .add([change, part]), .reopen([third.id])])
            )
            #expect(try await store.perform(.reopen([third.id])).step == nil)
            await #expect(throws: TodoError.self) {
                try await store.perform(.batch([.reopen([third.id]), .batch([])]))
            }
            await #expect(throws: TodoError.self) { try await store.perform(.complete([TodoID(serial: 99)])) }
            let todos = try await store.todos().map { todo in
                var todo = todo
                todo.uuid = nil
                return String(decoding: todo.json, as: UTF8.self)
            }
            let log = try await store.log().map(\.summary)
            _ = try await store.undo()
            let undone = try await store.todos().map(\.title)
            states.append([todos, log, undone, ["\(try await store.unsynced().count)"]])
        }
        #expect(states[0] == states[1])
        #expect(states[0][3] != ["0"])
    }

    @Test("A change of another process during the review is seen by a second one, and a removed todo is not found")
    func concurrent() async throws {
        let folder = try TemporaryDirectory("review")
        let other = store(folder)
        let todo = try await other.add(TodoChange(title: "one"))
        let reviewed = store(
            folder,
            Review { versions throws(TodoError) in
                guard var after = versions[0].after else { return [:] }
                if after.note == nil {
                    _ = try await other.edit(todo.id, TodoChange(title: "one", note: "from elsewhere"))
                }
                after.title += "!"
                // A review cannot change the identity of a todo.
                (after.uuid, after.created, after.completed) = (nil, .distantPast, .distantPast)
                return [after.id: after]
            }
        )
        let change = TodoChange { $0.title = "two" }
        let edited = try await reviewed.edit(todo.id, change)
        #expect(edited.title == "two!" && edited.note == "from elsewhere")
        #expect(edited.uuid == todo.uuid && edited.created == todo.created && !edited.isDone)
        let gone = store(
            folder,
            Review { _ throws(TodoError) in try await other.remove([todo.id]).isEmpty ? [:] : [:] }
        )
        await #expect(throws: TodoError.self) { try await gone.edit(todo.id, change) }
        #expect(try await other.todos().isEmpty)
    }
}
