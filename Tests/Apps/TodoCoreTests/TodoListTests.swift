import Foundation
import LocalProvider
import TestSupport
import Testing

@testable import TodoCore

@Suite("Lists of todos")
struct TodoListTests {
    private let folder: TemporaryDirectory
    private let clock = TodoClock(zone: .utc, now: { Date(timeIntervalSince1970: 1_772_000_000) })
    private let store: TodoStore

    init() throws {
        folder = try TemporaryDirectory("lists")
        let ticks = Ticks()
        store = TodoStore(directory: folder.url, zone: .utc, now: { ticks.next() })
    }

    /// Times of which each is later than the one before.
    private final class Ticks: @unchecked Sendable {
        private let lock = NSLock()
        private var seconds = 1_772_000_000.0

        func next() -> Date {
            lock.withLock {
                seconds += 1
                return Date(timeIntervalSince1970: seconds)
            }
        }
    }

    private func add(_ title: String, in list: String?) async throws -> Todo {
        return try await store.add(TodoChange { ($0.title, $0.list) = (title, .init(list)) })
    }

    @Test("A list is added, renamed with its todos and the history, and removed, after which its todos are local")
    func life() async throws {
        #expect(try await store.lists().isEmpty)
        #expect(try await store.addList(named: " Work ").name == "Work")
        await #expect(throws: TodoListError.self) { try await store.addList(named: "work") }
        let todo = try await add("Report", in: "Work")
        _ = try await add("Milk", in: nil)
        _ = try await store.complete([todo.id])
        _ = try await store.archive()
        _ = try await store.undo()
        _ = try await store.renameList("work", to: "Büro")
        #expect(try await store.lists().map(\.name) == ["Büro"])
        for isUndo in [true, false, false, true, true] {
            _ = try await isUndo ? store.undo() : store.redo()
            let list = try await store.todos(named: [todo.id.description]).first?.list
            #expect(list == "Büro", "neither undo nor redo brings the old name back")
        }
        #expect(try await store.listSummaries().map(\.open) == [1, 1])
        #expect(try await store.removeList("büro") == 1)
        #expect(try await store.todos().allSatisfy { $0.list == nil })
        #expect(try await store.lists().isEmpty)
        _ = try await store.undo()
        #expect(try await store.lists().map(\.name) == ["Büro"], "a list that a todo names exists")
        #expect(try await TodoStore(directory: folder.url).todos().contains { $0.list == "Büro" })
    }

    @Test("A list that does not exist is reported with the nearest name, and no list has an invalid name")
    func errors() async throws {
        _ = try await store.addList(named: "Groceries")
        await #expect {
            try await store.list(named: "Grocerys")
        } throws: {
            "\($0)".contains("did you mean \"Groceries\"")
        }
        for name in ["", "  ", "a\u{1B}b", "none", String(repeating: "x", count: 101)] {
            await #expect(throws: TodoListError.self) { try await store.addList(named: name) }
        }
        _ = try await store.addList(named: "Home")
        await #expect(throws: TodoListError.self) { try await store.renameList("Home", to: "groceries") }
        #expect(try await store.renameList("Home", to: "HOME").name == "HOME")
    }

    @Test(
        "A query finds todos by their list, also through the index of a store with many todos",
        arguments: [1, 10_000]
    )
    func query(threshold: Int) async throws {
        let storage = TodoStorage(location: FileStoreLocation(directory: folder.url), moveThreshold: threshold)
        let store = TodoStore(storage: storage, clock: clock, process: "test")
        for (title, list) in [("a", "Work"), ("b", "Working time"), ("c", nil), ("d", "Home")] as [(String, String?)] {
            _ = try await store.add(TodoChange { ($0.title, $0.list) = (title, .init(list)) })
        }
        for (query, titles) in [
            ("list:work", ["a", "b"]), ("list:\"working t\"", ["b"]), ("list:none", ["c"]),
            ("list:any", ["a", "b", "d"]), ("not list:home c", ["c"]),
        ] {
            let filter = TodoFilter(query: try TodoQuery(parsing: query, today: clock.today), today: clock.today)
            let found = try await store.contents(matching: filter).todos.map(\.title).sorted()
            #expect(found == titles, "\(query)")
        }
        for (list, titles) in [("work", ["a"]), (nil, ["c"])] as [(String?, [String])] {
            let filter = TodoFilter(query: TodoQuery().restricted(toList: list), today: clock.today)
            #expect(try await store.contents(matching: filter).todos.map(\.title) == titles)
        }
    }

    @Test("todo.txt, taskwarrior, Markdown and JSON carry the list", arguments: ["Work", "My tasks 100 %", "우리 집"])
    func formats(list: String) async throws {
        let todo = try await add("Report", in: list)
        for format in [TodoFileFormat.todotxt, .taskwarrior, .markdown, .json] {
            let file = format.parse(format.bytes([todo], all: [todo], clock: clock), clock: clock)
            let record = try #require(file.records.first, "\(format)")
            #expect(record.whole?.list ?? record.change.list?.value == list, "\(format)")
            #expect(file.problems.isEmpty && record.change.title == "Report")
        }
    }

    // MARK: Changes for the next sync

    private func unsynced() async throws -> Set<UUID> { Set(try await store.unsynced().map(\.uuid)) }

    @Test("Each change of a todo in a synced list is recorded with the change, and no change of other todos")
    func unsyncedChanges() async throws {
        let other = try await add("local", in: nil)
        #expect(try await unsynced().isEmpty)
        _ = try await store.addList(named: "Work")
        let early = try await add("before", in: "Work")
        try await store.setSyncedLists([("Work", TodoList(name: "Work", isSynced: true))])
        #expect(try await unsynced() == [early.uuid], "the todos of a list that is synced from now on")
        await #expect(throws: TodoListError.self) { try await store.renameList("work", to: "Office") }
        #expect(try await store.lists().map(\.name) == ["Work"])
        let todo = try await add("new", in: "Work")
        #expect(try await unsynced() == [early.uuid, todo.uuid])
        func forget() async throws { try await store.removeUnsynced(try await store.unsynced()) }
        func edit(_ id: TodoID, _ body: (inout TodoChange) -> Void) async throws {
            _ = try await store.edit(id, TodoChange(body))
        }
        for step in 0..<8 {
            try await forget()
            #expect(try await unsynced().isEmpty)
            switch step {
            case 0: try await edit(todo.id) { $0.title = "other" }
            case 1: _ = try await store.undo()
            case 2: _ = try await store.redo()
            case 3: _ = try await store.complete([todo.id])
            case 4: _ = try await store.archive()
            case 5: try await edit(todo.id) { $0.list = .clear }
            case 6: try await edit(todo.id) { $0.list = .set("Work") }
            default: _ = try await store.remove([todo.id])
            }
            #expect(try await unsynced() == [todo.uuid], "step \(step)")
        }
        try await forget()
        try await edit(other.id) { $0.title = "still local" }
        try await edit(early.id) { $0.title = "before" }
        #expect(try await unsynced().isEmpty, "nothing has changed")
        for (id, waiting) in [("1", []), ("1", []), ("2", [early.uuid])] as [(String, Set<UUID?>)] {
            try await store.setSyncedLists([("Work", TodoList(name: "Work", isSynced: true, syncID: id))])
            #expect(try await unsynced() == waiting, "another list of the server has the name")
        }
    }

    @Test("A record of a change is removed only if there was no further change")
    func laterChange() async throws {
        try await store.setSyncedLists([("Work", TodoList(name: "Work", isSynced: true))])
        let todo = try await add("a", in: "Work")
        let records = try await store.unsynced()
        _ = try await store.complete([todo.id])
        try await store.removeUnsynced(records)
        #expect(try await unsynced() == [todo.uuid])
    }

    @Test("Completing a recurring todo of a synced list moves its identity on, the same on each device")
    func recurring() async throws {
        try await store.setSyncedLists([("Work", TodoList(name: "Work", isSynced: true))])
        var change = try TodoChange(title: "Report", due: clock.today, recurrence: Recurrence("+1w"))
        change.list = .set("Work")
        let todo = try await store.add(change)
        let completed = try await store.complete([todo.id])
        #expect(completed.count == 2 && completed[0].id == todo.id && completed[0].isDone)
        #expect(completed[1].uuid == todo.uuid && completed[1].due == clock.today.adding(7))
        #expect(completed[0].uuid != todo.uuid && completed[0].uuid != nil)
        #expect(try await unsynced() == Set(completed.compactMap(\.uuid)))
        _ = try await store.undo()
        let again = try await store.complete([todo.id])
        #expect(again[0].uuid == completed[0].uuid, "two devices add one completed todo")
        (change.title, change.list) = ("Local", nil)
        let other = try await store.add(change)
        #expect(try await store.complete([other.id])[0].uuid == other.uuid, "the UUID of a local todo stays")
        // Without a due day, the day until which it waits counts, and never a UUID that another todo has.
        var waiting = Todo(id: Todo.noID, title: "Waiting", now: clock.now(), uuid: UUID())
        waiting.threshold = clock.today
        func passed(on day: Day, _ taken: Set<UUID> = []) throws -> UUID {
            var (done, next) = (waiting, waiting)
            done.passIdentity(to: &next, on: day, taken)
            return try #require(done.uuid)
        }
        let identity = try passed(on: clock.today)
        #expect(try passed(on: clock.today.adding(1)) == identity)
        #expect(try passed(on: clock.today, [identity]) != identity)
    }

    // MARK: Changes by a sync

    @Test(
        "A change by a sync is a step of the history, is not recorded, and is not made if the todo was changed meanwhile"
    )
    func applied() async throws {
        try await store.setSyncedLists([("Work", TodoList(name: "Work", isSynced: true))])
        let todo = try await add("a", in: "Work")
        try await store.removeUnsynced(try await store.unsynced())
        var (server, merged) = (todo, todo)
        (server.title, merged.title) = ("server", "merged")
        let results = try await store.apply([TodoSyncChange(expected: todo, versions: [server, merged])])
        #expect(results == [merged])
        #expect(try await unsynced().isEmpty)
        #expect(try await store.apply([TodoSyncChange(expected: todo, versions: [server])]) == [nil])
        #expect(try await store.todos() == [merged])
        _ = try await store.undo()
        #expect(try await store.todos().map(\.title) == ["server"])
        #expect(try await unsynced() == [todo.uuid], "undoing it is a change of this machine")
    }

    @Test("New todos of a sync are linked with their parents in any order, and a cycle is cut")
    func parents() async throws {
        func todo(_ title: String, _ id: TodoID = Todo.noID) -> Todo {
            Todo(id: id, title: title, now: clock.now(), uuid: UUID())
        }
        // An ID that is free stays, and one of another todo does not.
        _ = try await add("first", in: nil)
        let (present, free) = (try await add("present", in: nil), TodoID(serial: 500))
        let (parent, child, orphan) = (todo("p", free), todo("c"), todo("o", present.id))
        let (left, right) = (todo("l"), todo("r"))
        let unknown = UUID()
        func new(_ todo: Todo, _ parent: UUID?, isUnsynced: Bool = false) -> TodoSyncChange {
            let parent = parent.map { TodoSyncChange.Parent.todo($0, nil) } ?? .unchanged
            return TodoSyncChange(expected: nil, versions: [todo], parent: parent, isUnsynced: isUnsynced)
        }
        let results = try await store.apply([
            new(child, parent.uuid), new(parent, nil), new(orphan, unknown), new(left, right.uuid),
            new(right, left.uuid, isUnsynced: true),
        ])
        let ids = results.map { $0?.id }
        #expect(Set(ids).count == 5 && !ids.contains(nil) && !ids.contains(present.id) && ids[1] == free)
        #expect(try await unsynced() == [right.uuid])
        let todos = Dictionary(try await store.todos().map { ($0.title, $0) }) { $1 }
        #expect(todos["present"] == present && todos["c"]?.parent == ids[1] && todos["p"]?.parent == nil)
        #expect(todos["o"]?.parent == nil && todos["o"]?.extras["parent"] == unknown.uuidString)
        #expect([todos["l"]?.parent, todos["r"]?.parent].compactMap(\.self).count <= 1)
    }
}
