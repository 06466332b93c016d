import AppLanguage
import Foundation
import LocalProvider
import TestSupport
import Testing

@testable import TodoCore

@Suite("Undo of particular changes")
struct TodoHistoryTests {
    private let folder: TemporaryDirectory
    private let store: TodoStore
    private let other: TodoStore

    init() throws {
        folder = try TemporaryDirectory("history")
        store = TodoStore(directory: folder.url)
        other = TodoStore(directory: folder.url)
    }

    private func titles() async throws -> [String] { try await store.todos().map(\.title).sorted() }

    private func step(_ mutation: TodoMutation) async throws -> TodoStep {
        try #require(try await store.perform(mutation).step)
    }

    @Test(
        "Each summary of a change has its Korean",
        arguments: [
            ("add \"milk\"", "\"milk\" 추가"), ("complete 3 todos", "할 일 3개 완료"),
            ("undo edit \"a of b\"", "\"a of b\" 편집 실행 취소"),
            ("batch of 6 changes", "변경 6개 일괄 변경"), ("sync \"milk\"", "\"milk\" 동기화"),
            ("sync: remove 2 todos", "할 일 2개 동기화로 삭제"), ("remove the list work of 2 todos", "work 목록 삭제"),
            ("remove the list out of it of \"a of b\"", "out of it 목록 삭제"),
            ("remove the list out of it of 2 todos", "out of it 목록 삭제"), ("unknown", "unknown"),
        ]
    )
    func korean(summary: String, korean: String) {
        #expect(TodoStepText.text(summary)(.korean) == korean)
    }

    @Test("The last change is undone by its step, and can be redone")
    func last() async throws {
        let step = try await step(.add([TodoChange(title: "a")]))
        #expect(step.summary == "add \"a\"")
        #expect(try await store.lastStep() == step)
        #expect(try await store.undo(step, afterLaterChanges: false) == "add \"a\"")
        #expect(try await titles().isEmpty)
        #expect(try await store.lastStep() == nil)
        #expect(try await store.redo() == "add \"a\"")
        #expect(try await store.lastStep() == step)
        let title = String(repeating: "t", count: 40)
        for (title, shown) in [(title, title), (title + "t", title.dropLast() + "…")] {
            #expect(try await self.step(.add([TodoChange(title: title)])).summary == "add \"\(shown)\"")
        }
    }

    @Test("A change of another process in between is an error first, and stays when the undo is confirmed")
    func between() async throws {
        let walk = try await store.add(TodoChange(title: "walk"))
        let removal = try await step(.remove([walk.id]))
        let earlier = try await other.add(TodoChange(title: "earlier"))
        _ = try await other.remove([earlier.id])
        _ = try await other.add(TodoChange(title: "from a script"))
        do {
            _ = try await store.undo(removal, afterLaterChanges: false)
            Issue.record("undone without a question")
        } catch .laterChange(let summary, let later) {
            #expect(summary == "remove \"walk\"")
            #expect(later == "add \"from a script\"")
        }
        #expect(try await titles() == ["from a script"])
        _ = try await store.undo(removal, afterLaterChanges: true)
        #expect(try await titles() == ["from a script", "walk"])
        #expect(try await store.undo() == "undo remove \"walk\"", "the undo is a change, too")
        #expect(try await titles() == ["from a script"])
    }

    @Test("A change whose todo was changed again is not undone, even if confirmed")
    func again() async throws {
        let walk = try await store.add(TodoChange(title: "walk"))
        let completion = try await step(.complete([walk.id]))
        _ = try await other.edit(walk.id, TodoChange { $0.title = "run" })
        _ = try await other.add(TodoChange(title: "later"))
        for confirmed in [false, true] {
            await #expect {
                try await store.undo(completion, afterLaterChanges: confirmed)
            } throws: {
                if case TodoError.changedSince = $0 { true } else { false }
            }
        }
        #expect(try await titles() == ["later", "run"])
    }

    @Test("Of several values of a todo in one change the last is stored, and the undo restores the first before them")
    func twice() async throws {
        let walk = try await store.add(TodoChange(title: "walk"))
        let values = ["run", "swim"].map { title in
            var todo = walk
            todo.title = title
            return todo
        }
        // Todos ahead of the serial number, as an import of the first version left them.
        let ahead = [1, 2].map { Todo(id: TodoID(serial: $0), title: "ahead", now: .now) }
        _ = try await store.change { store throws(TodoError) in try store.put(values + ahead, verb: "import") }
        #expect(try await store.add(TodoChange(title: "new")).id == TodoID(serial: 3))
        #expect(try await titles() == ["ahead", "ahead", "new", "swim"])
        _ = try await store.undo()
        _ = try await store.undo()
        #expect(try await titles() == ["walk"])
    }

    @Test("A step that is undone already is not confused with a later one at the same position")
    func reused() async throws {
        let first = try await step(.add([TodoChange(title: "a")]))
        _ = try await other.undo()
        let second = try await step(.add([TodoChange(title: "b")]))
        #expect(second.number == first.number)
        await #expect {
            try await store.undo(first, afterLaterChanges: true)
        } throws: {
            if case TodoError.stepIsGone = $0 { true } else { false }
        }
        #expect(try await titles() == ["b"])
    }

    @Test("After three undos and one addition, one step of the history is left")
    func addAfterUndo() async throws {
        for title in ["a", "b", "c"] { _ = try await store.add(TodoChange(title: title)) }
        for _ in 0..<3 { _ = try await store.undo() }
        _ = try await store.add(TodoChange(title: "d"))
        await #expect {
            try await store.redo()
        } throws: {
            if case TodoError.nothingToRedo = $0 { true } else { false }
        }
        #expect(try await store.undo() == "add \"d\"")
        await #expect(throws: TodoError.self) { try await store.undo() }
        #expect(try await titles().isEmpty)
        // No step of the abandoned changes remains in the file.
        let defaults = JSONDefaults(location: FileStoreLocation(directory: folder.path), name: "todos")
        #expect(try defaults.identifiers().filter { $0.hasPrefix("history/") } == ["history/0"])
    }

    @Test("The history of an earlier version of the program, without marks, can be undone")
    func withoutMarks() async throws {
        _ = try await store.add(TodoChange(title: "a"))
        let defaults = JSONDefaults(location: FileStoreLocation(directory: folder.path), name: "todos")
        let key = try LocalIdentifier("history/0")
        guard case .object(var step)? = try defaults.value(for: key, as: JSONValue.self) else {
            Issue.record("the step is missing")
            return
        }
        #expect(step.removeValue(forKey: "mark") != nil)
        try defaults.transaction { try $0.set(JSONValue.object(step), for: key.text) }
        let last = try #require(try await store.lastStep())
        #expect(try await store.undo(last, afterLaterChanges: false) == "add \"a\"")
        #expect(try await titles().isEmpty)
    }
}

@Suite("Damaged todos")
struct TodoDamageTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("damage") }

    private func open() -> TodoStore { TodoStore(directory: folder.url) }

    @Test("Garbage, an empty file and a flipped bit are reported by every process until the copy is deleted")
    func damagedFile() async throws {
        let journal = folder.file("todos.journal")
        let copy = folder.file("todos.journal.damaged")
        for damage in 0..<3 {
            let store = open()
            for title in ["walk", "run"] { _ = try await store.add(TodoChange(title: "\(title) \(damage)")) }
            var bytes = try Data(contentsOf: journal)
            switch damage {
            case 0: bytes = Data("garbage".utf8)
            case 1: bytes = Data()
            default: bytes[bytes.count / 2] ^= 1
            }
            try bytes.write(to: journal)
            for _ in 0..<2 {
                let found = try await open().contents().damage
                #expect(found == [.damagedFile(path: journal.path, copy: copy.path)], "case \(damage)")
                let text = found.map(\.description).joined()
                #expect(text.contains(journal.path) && text.contains(copy.path) && text.contains("delete it"))
            }
            #expect(try Data(contentsOf: copy) == bytes, "the damaged file is saved as it was")
            try FileManager.default.removeItem(at: copy)
            #expect(try await open().contents().damage.isEmpty)
        }
    }

    @Test("One unreadable todo does not hide the others, and archiving and adding still work")
    func unreadableTodo() async throws {
        let store = open()
        let todos = try await store.add([TodoChange(title: "walk"), TodoChange(title: "run")])
        _ = try await store.complete([todos[1].id])
        let defaults = JSONDefaults(location: FileStoreLocation(directory: folder.path), name: "todos")
        try defaults.transaction { try $0.set(JSONValue.object(["title": .integer(7)]), for: "todo/zzzz") }
        let contents = try await store.contents()
        #expect(Set(contents.todos.map(\.title)) == ["walk", "run"])
        #expect(contents.damage.count == 1)
        guard case .unreadable(let name, let path, _) = contents.damage.first else {
            Issue.record("the unreadable todo is not reported")
            return
        }
        #expect(name == "zzzz")
        #expect(path == folder.path + "/todos.journal")
        #expect(try await store.archive().map(\.title) == ["run"])
        _ = try await store.add(TodoChange(title: "swim"))
        #expect(try defaults.contains(LocalIdentifier("todo/zzzz")), "the unreadable todo is unchanged")
    }
}
