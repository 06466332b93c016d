import Foundation
import LocalProvider
import TestSupport
import Testing

@testable import TodoCore

@Suite("Stores with many todos")
struct TodoBaseTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("base") }

    /// Opens the store with a low threshold, so that a few todos are many.
    private func open(threshold: Int = 20, later: Double = 0) -> TodoStore {
        TodoStore(
            storage: TodoStorage(location: FileStoreLocation(directory: folder.path), moveThreshold: threshold),
            clock: TodoClock(now: { Self.clock.now() + later }),
            process: "test[1]"
        )
    }

    private var index: URL { folder.file("todos-base.index") }

    /// Adds todos until they were moved to the base, and returns them.
    private func filled(_ count: Int = 60) async throws -> [Todo] {
        let drafts = try (0..<count).map { number in
            var draft = try TodoChange(
                title: "todo \(number) 우유",
                priority: number % 3 == 0 ? Priority("B") : nil,
                projects: ["p\(number % 4)"],
                due: number % 5 == 0 ? Day(number: 20_000 + number) : nil,
                note: number % 7 == 0 ? "note" : nil
            )
            if number % 11 == 0 { draft.threshold = .set(Day(number: 30_000)) }
            return draft
        }
        var todos = try await open(threshold: 1_000).add(drafts)
        // One is changed on the next day, by which all are moved.
        todos[1] = try await open(later: 86_400).edit(todos[1].id, TodoChange { $0.title = "todo 1 later" })
        #expect(FileManager.default.fileExists(atPath: index.path))
        return todos
    }

    private static let clock = TodoClock(now: { Date(timeIntervalSince1970: 1_795_000_000) })

    private func sorted(_ todos: [Todo]) -> [Todo] { todos.sorted { $0.id.description < $1.id.description } }

    /// Every way of reading the store shows these todos.
    private func check(_ expected: [Todo], _ comment: Comment? = nil) async throws {
        let today = Day(number: 20_776)
        let store = open()
        #expect(try await sorted(store.todos()) == sorted(expected), comment)
        let texts = [
            "", "is:overdue", "+p1 우유", "not (pri:B or note:note)", "is:done or title:7", "is:blocked",
            "not is:blocking", "modified:today",
        ]
        let order = TodoOrder(clock: Self.clock)
        for filter in [TodoFilter.everything] + texts.map({ TodoFilter(text: $0, today: today) }) {
            let matching = expected.matching(filter, order)
            let lines = matching.map { TodoLine(isStyled: false, today: today).text(for: $0) + "\n" }
            #expect(try await open().contents(matching: filter).todos == matching, comment)
            if let bytes = try await open().plainLines(filter) {
                #expect(String(decoding: bytes, as: UTF8.self) == lines.joined(), comment)
            }
        }
        let blocking = TodoBlocking(expected)
        let linked = expected.filter { blocking.blocked.contains($0.id) || blocking.blocking.contains($0.id) }
        for todo in expected.prefix(10) + linked.prefix(4) {
            #expect(try await open().todos(named: [todo.id.description]) == [todo], comment)
            // A todo alone shows whether it waits for others.
            let alone = try await open().contents(matching: TodoFilter(ids: [todo.id]))
            #expect(alone.todos == [todo], comment)
            #expect(alone.blocking.blocked == blocking.blocked.intersection([todo.id]), comment)
            #expect(alone.blocking.blocking == blocking.blocking.intersection([todo.id]), comment)
        }
    }

    @Test("Todos in the base are listed, changed, removed and undone as all others")
    func life() async throws {
        var todos = try await filled()
        try await check(todos)
        let store = open(threshold: 1_000)
        let done = try await store.complete([todos[3].id, todos[40].id])
        todos[3] = done[0]
        todos[40] = done[1]
        var change = TodoChange { $0.priority = .init(Priority("A")) }
        // One waits for a todo of the base, and one for a todo that was completed since.
        change.addedDependencies = [todos[8].id, todos[3].id]
        todos[7] = try await store.edit(todos[7].id, change)
        _ = try await store.remove([todos[10].id, todos[59].id])
        let removed = [todos.remove(at: 59), todos.remove(at: 10)]
        todos.append(try await store.add(TodoChange(title: "new")))
        try await check(todos)
        await #expect(throws: TodoError.self) { try await open().todos(named: [removed[0].id.description]) }
        _ = try await store.undo()
        _ = try await open().undo()
        try await check(todos.dropLast() + removed)
        _ = try await store.redo()
        _ = try await store.redo()
        try await check(todos)
        // The next move has the same result.
        _ = try await open(threshold: 1).complete([todos[0].id])
        let all = try await open().todos()
        #expect(all.count == todos.count && all.first { $0.id == todos[0].id }?.isDone == true)
        #expect(try await open().plainLines(.everything) != nil, "removed todos leave nothing that is in no index")
        try await check(all)
        #expect(try await open().add(TodoChange(title: "last")).id != todos[0].id)
        try await open().erase()
        #expect(!FileManager.default.fileExists(atPath: index.path))
        #expect(try await open().todos().isEmpty)
    }

    @Test("Names are found by prefix in both journals, and an ambiguous one names its candidates")
    func names() async throws {
        let todos = try await filled(300)
        let store = open(threshold: 1_000)
        // One of two that begin with the same two letters.
        let groups = Dictionary(grouping: todos) { $0.id.description.prefix(2) }
        let pair = try #require(groups.values.first { $0.count == 2 })
        let removed = pair[0]
        _ = try await store.remove([removed.id])
        let present = try await store.todos()
        for length in 1...4 {
            for todo in todos.prefix(40) {
                let prefix = String(todo.id.description.prefix(length))
                let expected = Result { try TodoID.named(prefix, among: present.map(\.id)) }
                do {
                    let found = try await open().todos(named: [prefix])
                    #expect(try found.map(\.id) == [expected.get()])
                } catch TodoError.ambiguous(_, let candidates) {
                    #expect(candidates.count > 1 && candidates.allSatisfy { $0.description.hasPrefix(prefix) })
                    #expect((try? expected.get()) == nil)
                } catch {
                    #expect((try? expected.get()) == nil)
                }
            }
        }
        // The journal, which is read without an index, has the removed one, too.
        try FileManager.default.removeItem(at: index)
        #expect(try await open().todos(named: [String(removed.id.description.prefix(2))]) == [pair[1]])
    }

    @Test("A prefix that many removed todos share finds those that exist")
    func removedNames() async throws {
        let todos = try await filled(300)
        let letter = try #require(todos[0].id.description.first)
        let same = todos.filter { $0.id.description.first == letter }
        #expect(same.count > 2)
        _ = try await open(threshold: 1_000).remove(same.dropFirst().map(\.id))
        #expect(try await open().todos(named: [String(letter)]) == [same[0]])
        _ = try await open(threshold: 1_000).remove([same[0].id])
        await #expect(throws: TodoError.self) { try await open().todos(named: [String(letter)]) }
    }

    @Test("An index is used once it is written")
    func usesIndex() async throws {
        let todos = try await filled()
        // A store that has listed them sees a later change also when as many are in the base again.
        let store = open()
        _ = try await store.todos()
        let edited = try await open(threshold: 1).edit(todos[0].id, TodoChange { $0.title = "todo 0 later" })
        #expect(try await store.todos().first { $0.id == todos[0].id } == edited)
        #expect(try await open().plainLines(TodoFilter(text: "+p1", today: Day(number: 20_776))) != nil)
        try FileManager.default.removeItem(at: index)
        #expect(try await open().plainLines(.everything) == nil, "the journal is read")
        _ = try await open().todos()
        #expect(try await open().plainLines(.everything) != nil)
        // A todo that cannot be read would be missing in an index without a word.
        let base = JSONDefaults(location: FileStoreLocation(directory: folder.path), name: TodoBase.name)
        try base.transaction { try $0.set(json: Array("{}".utf8), for: TodoTransaction.todoPrefix + "zzzz") }
        for _ in 0..<2 { #expect(try await open().contents().damage.count == 1) }
    }

    @Test("Without an index, with a torn one, a stale one or one with any damaged byte, the list is right")
    func damagedIndex() async throws {
        let todos = try await filled()
        let whole = try Data(contentsOf: index)
        try FileManager.default.removeItem(at: index)
        try await check(todos, "missing")
        #expect(FileManager.default.fileExists(atPath: index.path), "a read writes the index again")
        for length in [0, 1, 71, 72, 500, whole.count / 2, whole.count - 1] {
            try whole.prefix(length).write(to: index)
            try await check(todos, "torn after \(length) bytes")
        }
        var generator = SeededGenerator()
        for round in 0..<(isLongRun ? 2_000 : 36) {
            var bytes = Array(whole)
            let place = round < 20 ? round * 4 : Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
            try Data(bytes).write(to: index)
            if place < 92 { #expect(try await open().plainLines(.everything) == nil, "byte \(place) of the header") }
            try Data(bytes).write(to: index)
            try await check(todos, "seed \(generator.seed): byte \(place)")
        }
        // An index of an earlier state of the base.
        try whole.write(to: index)
        _ = try await open(threshold: 1).complete([todos[1].id])
        let changed = try await open().todos()
        try whole.write(to: index)
        try await check(changed, "stale")
    }

    @Test("A move that was interrupted after the base was written loses nothing and shows nothing twice")
    func interruptedMove() async throws {
        var todos = try await filled()
        let store = open(threshold: 1_000)
        todos[2] = try await store.complete([todos[2].id])[0]
        _ = try await store.remove([todos[9].id])
        let removed = todos.remove(at: 9)
        let journal = try Data(contentsOf: folder.file("todos.journal"))
        // The move writes the base, then the first journal; a crash in between leaves the old first journal.
        _ = try await open(threshold: 1).add(TodoChange(title: "moves"))
        let afterMove = try await open().todos()
        #expect(afterMove.count == todos.count + 1)
        try journal.write(to: folder.file("todos.journal"))
        let read = try await open().todos()
        #expect(Set(read.map(\.id)).isSuperset(of: Set(todos.map(\.id))))
        #expect(!read.contains { $0.id == removed.id } && Set(read.map(\.id)).count == read.count)
        let next = try await open(threshold: 1).complete([todos[4].id])
        #expect(try await open().todos().first { $0.id == todos[4].id } == next[0])
    }

    @Test("Two processes that add and move at the same time lose nothing")
    func concurrent() async throws {
        let (first, second) = (open(threshold: 15), open(threshold: 25))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, store) in [("a", first), ("b", second)] {
                group.addTask {
                    for number in 0..<60 {
                        let todo = try await store.add(TodoChange(title: "\(name)\(number)"))
                        if number % 3 == 0 { _ = try await store.complete([todo.id]) }
                        if number % 5 == 0 { _ = try await store.todos() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let todos = try await open().todos()
        #expect(todos.count == 120 && Set(todos.map(\.id)).count == 120)
        #expect(todos.count { $0.isDone } == 40)
        try await check(todos)
    }

    @Test("A damaged base is reported, and its intact todos are listed")
    func damagedBase() async throws {
        _ = try await filled()
        let path = folder.file("todos-base.journal")
        var bytes = Array(try Data(contentsOf: path))
        for offset in 100..<140 { bytes[offset] = 0xA5 }
        try Data(bytes + [1]).write(to: path)
        let contents = try await open().contents()
        // The index still has all todos, but was made of a journal of another size.
        #expect(!contents.damage.isEmpty)
    }

    @Test("A store of many todos that the first version wrote is moved without a loss")
    func oldStore() async throws {
        let store = open(threshold: 100_000)
        let todos = try await store.add((0..<2_100).map { try TodoChange(title: "t\($0)") })
        #expect(!FileManager.default.fileExists(atPath: index.path))
        let current = TodoStore(directory: folder.url)
        #expect(try await current.todos().count == todos.count)
        #expect(FileManager.default.fileExists(atPath: index.path))
        #expect(try await sorted(TodoStore(directory: folder.url).todos()) == sorted(todos))
        _ = try await current.undo()
        #expect(try await TodoStore(directory: folder.url).todos().isEmpty)
    }
}
