import Foundation
import LocalProvider
import TestSupport
import Testing
import Threading

@testable import TodoCore

@Suite("Todo store")
struct TodoStoreTests {
    private let folder: TemporaryDirectory
    private let store: TodoStore

    init() throws {
        folder = try TemporaryDirectory("todos")
        store = Self.open(folder)
    }

    private static func open(_ folder: TemporaryDirectory) -> TodoStore {
        TodoStore(directory: folder.url, now: { Date(timeIntervalSince1970: 1_700_000_000) })
    }

    private func titles(_ store: TodoStore) async throws -> [String] {
        try await store.todos().map(\.title).sorted()
    }

    @Test("The context is a saved query, and is stored")
    func context() async throws {
        try await store.saveQuery("work", "+office")
        await #expect(throws: TodoError.self) { try await store.setContext("home") }
        try await store.setContext("work")
        #expect(try await Self.open(folder).context() == "work")
        try await store.setContext(nil)
        #expect(try await Self.open(folder).context() == nil)
    }

    @Test("Todos of a newer program can be neither read nor written, and are unchanged")
    func newerProgram() async throws {
        _ = try await store.add(TodoChange(title: "milk"))
        var options = JSONDefaults.Options()
        options.schema = LocalSchema().migrating("of a later day") { _ in }
        let newer = JSONDefaults(location: FileStoreLocation(directory: folder.path), name: "todos", options: options)
        try newer.migrate()
        let bytes = try Data(contentsOf: folder.file("todos.journal"))
        for call in [
            { _ = try await store.todos() }, { _ = try await store.add(TodoChange(title: "bread")) },
            { _ = try await Self.open(folder).todos() },
        ] {
            do {
                try await call()
                Issue.record("not refused")
            } catch TodoError.storage(.newerVersion(let path, 2, 1)) {
                #expect(path == folder.path + "/todos.journal")
            }
        }
        #expect(try Data(contentsOf: folder.file("todos.journal")) == bytes)
    }

    @Test("Todos are added, edited, completed, reopened and removed, and persist after a restart")
    func keepsTodos() async throws {
        let milk = try await store.add(TodoChange(title: "milk", priority: Priority("A"), due: Day(iso: "2026-03-09")))
        let bread = try await store.add(TodoChange(title: "bread", note: "two\nlines"))
        #expect(milk.id != bread.id)
        let names = [bread, milk, bread].map(\.id.description)
        #expect(try await store.todos(named: names) == [bread, milk], "each once, in the order of the names")
        let edited = try await store.edit(milk.id, TodoChange { $0.title = "oat milk" })
        #expect(edited.title == "oat milk" && edited.priority == Priority("A"))
        let completed = try await store.perform(.complete([milk.id, bread.id, milk.id]))
        #expect(completed.todos.map(\.id) == [milk.id, bread.id] && completed.todos.allSatisfy(\.isDone))
        #expect(completed.step?.summary == "complete 2 todos")
        #expect(try await store.reopen([bread.id]).map(\.isDone) == [false])

        let reopened = Self.open(folder)
        #expect(try await Set(reopened.todos()) == Set(store.todos()))
        #expect(try await reopened.remove([bread.id]).map(\.title) == ["bread"])
        #expect(try await titles(store) == ["oat milk"])
    }

    @Test("Completing twice retains the first date, and adds no second undo step")
    func completesOnce() async throws {
        let clock = ManualTime()
        let store = TodoStore(directory: folder.url, now: { clock.now() })
        let milk = try await store.add(TodoChange(title: "milk"))
        let first = try #require(try await store.complete([milk.id]).first)
        let second = try await store.perform(.complete([milk.id]))
        #expect(second.todos == [first])
        #expect(second.step == nil)
        // A completed todo does not start, an archived one is as before it was completed, and a started one starts once.
        #expect(try await store.perform(.start([milk.id])).step == nil)
        _ = try await store.archive()
        let open = try #require(try await store.reopen([milk.id]).first)
        #expect(!open.isDone && !open.isArchived)
        #expect(try await store.perform(.reopen([milk.id])).step == nil)
        #expect(try await store.perform(.stop([milk.id])).step == nil)
        let started = try await store.perform(.start([milk.id])).todos
        #expect(started.first?.started != nil)
        #expect(try await store.perform(.start([milk.id])).step == nil)
        #expect(try await store.perform(.stop([milk.id])).todos.first?.started == nil)
        for change in ["stop", "start", "reopen", "archive", "complete"] {
            #expect(try await store.undo().hasPrefix(change + " "))
        }
    }

    @Test("A change of several todos is made whole or, where one is missing, not at all")
    func allOrNone() async throws {
        let milk = try await store.add(TodoChange(title: "milk"))
        let missing = TodoID(serial: 99)
        await #expect(throws: TodoError.self) { try await store.complete([milk.id, missing]) }
        await #expect(throws: TodoError.self) { try await store.remove([milk.id, missing]) }
        #expect(try await store.todos() == [milk])
    }

    @Test("An ID is never assigned twice, not after removal, undo or restart")
    func namesAreNotReused() async throws {
        let first = try await store.add(TodoChange(title: "a"))
        _ = try await store.remove([first.id])
        let second = try await store.add(TodoChange(title: "b"))
        _ = try await store.undo()
        let third = try await Self.open(folder).add(TodoChange(title: "c"))
        #expect(Set([first.id, second.id, third.id]).count == 3)
    }

    @Test("Every kind of change can be undone and redone, also by another process")
    func undoes() async throws {
        var states: [Set<Todo>] = [[]]
        func note() async throws { try await states.append(Set(store.todos())) }
        let todos = try await store.add([TodoChange(title: "a"), TodoChange(title: "b")])
        try await note()
        _ = try await store.edit(todos[0].id, TodoChange { $0.title = "c" })
        try await note()
        _ = try await store.complete(todos.map(\.id))
        try await note()
        _ = try await store.archive()
        try await note()
        _ = try await store.remove([todos[1].id])
        try await note()

        let other = Self.open(folder)
        var said: [String] = []
        for state in states.dropLast().reversed() {
            said.append(try await other.undo())
            #expect(try await Set(store.todos()) == state)
        }
        #expect(said == ["remove \"b\"", "archive 2 todos", "complete 2 todos", "edit \"c\"", "add 2 todos"])
        await #expect(throws: TodoError.self) { try await store.undo() }
        for state in states.dropFirst() {
            _ = try await store.redo()
            #expect(try await Set(other.todos()) == state)
        }
        await #expect(throws: TodoError.self) { try await store.redo() }
    }

    @Test("A todo that another process reopens while the completed todos are archived is not archived")
    func reopenedWhileArchiving() async throws {
        let todos = [
            try await store.add(TodoChange(title: "reopened")), try await store.add(TodoChange(title: "completed")),
        ]
        _ = try await store.complete(todos.map(\.id))
        let (location, id) = (FileStoreLocation(directory: folder.path), todos[0].id)
        let calls = Locked(0)
        // The time is read when the archiving begins, for the order of the todos, and between their reading and their change.
        let archiving = TodoStore(directory: location) {
            let call = calls.withLock { count in
                count += 1
                return count
            }
            if call == 3 { #expect(throws: Never.self) { try Self.reopen(id, location) } }
            return Date(timeIntervalSince1970: 1_700_000_000)
        }
        let archived = try await archiving.archive()
        #expect(calls.withLock { $0 } == 3 && archived.map(\.title) == ["completed"])
        #expect(try await store.todos().filter(\.isArchived).map(\.title) == ["completed"])
    }

    /// Reopens a todo as another process does.
    private static func reopen(_ id: TodoID, _ location: FileStoreLocation) throws {
        let storage = TodoStorage(location: location)
        try storage.recent.transaction { transaction in
            let now = Date(timeIntervalSince1970: 1_700_000_000)
            var store = try TodoTransaction(transaction, storage: storage, now: now, process: "other")
            var todo = try store.todo(id)
            todo.completed = nil
            _ = try store.put([todo], verb: "reopen")
            transaction = store.transaction
        }
    }

    @Test("After a new change, undone changes cannot be redone")
    func newChangeEndsRedo() async throws {
        _ = try await store.add(TodoChange(title: "a"))
        _ = try await store.undo()
        _ = try await store.add(TodoChange(title: "b"))
        await #expect(throws: TodoError.self) { try await store.redo() }
        _ = try await store.undo()
        #expect(try await store.todos().isEmpty)
    }

    @Test("The history is bounded, and its oldest steps make room")
    func historyIsBounded() async throws {
        for number in 0..<TodoStore.historyLimit + 5 { _ = try await store.add(TodoChange(title: "t\(number)")) }
        for _ in 0..<TodoStore.historyLimit { _ = try await store.undo() }
        await #expect(throws: TodoError.self) { try await store.undo() }
        #expect(try await titles(store) == ["t0", "t1", "t2", "t3", "t4"])
    }

    @Test("An edit that changes nothing makes no step")
    func emptyEdit() async throws {
        let todo = try await store.add(TodoChange(title: "a"))
        #expect(try await store.edit(todo.id, TodoChange()) == todo)
        #expect(try await store.undo() == "add \"a\"")
    }

    @Test("Two stores on one folder lose no change of each other, and both report it")
    func twoStores() async throws {
        let other = Self.open(folder)
        let changes = await other.changes()
        let (first, second) = (store, other)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, store) in [("a", first), ("b", second)] {
                group.addTask {
                    for number in 0..<25 { _ = try await store.add(TodoChange(title: "\(name)\(number)")) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.todos().count == 50)
        #expect(try await Set(other.todos().map(\.id)).count == 50)
        for await _ in changes { break }
        _ = try await first.add(TodoChange(title: "last"))
        for await _ in changes {
            if try await other.todos().contains(where: { $0.title == "last" }) { break }
        }
    }

    @Test("A failure to read or write is reported with the path")
    func tellsStorageErrors() async throws {
        try Data().write(to: folder.file("in the way"))
        let store = TodoStore(directory: folder.file("in the way").appendingPathComponent("x"))
        let error = try await #require(throws: TodoError.self) { try await store.add(TodoChange(title: "a")) }
        guard case .storage(let inner) = error else { throw error }
        #expect("\(error)" == inner.description)
        #expect(inner.path.contains("in the way"))
    }
}

/// A clock that is a second later at each reading.
private final class ManualTime: Sendable {
    private let seconds = Locked(1_700_000_000.0)

    func now() -> Date {
        Date(
            timeIntervalSince1970: seconds.withLock {
                $0 += 1
                return $0
            }
        )
    }
}
