import Foundation
import TestSupport
import Testing

@testable import TodoCore

@Suite("Versions, merging, recurrence and subtasks")
struct TodoVersionTests {
    private let folder: TemporaryDirectory
    private let store: TodoStore
    private let other: TodoStore
    /// Friday, 20 November 2026, in Seoul.
    private let today = Day(number: 20_777)

    init() throws {
        folder = try TemporaryDirectory("versions")
        let zone = try #require(Zone(named: "Asia/Seoul"))
        // Half past midnight there, still the day before in UTC.
        let now = zone.date(Day(number: 20_777), TimeOfDay(hour: 0, minute: 30) ?? .midnight)
        store = TodoStore(directory: folder.url, zone: zone, now: { now })
        other = TodoStore(directory: folder.url, zone: zone, now: { now.addingTimeInterval(60) })
    }

    private func add(_ line: String) async throws -> Todo {
        try await store.add(TodoChange(quick: line, today: today))
    }

    @Test("Completing a recurring todo adds the next one, in the user's time zone; one undo takes both back")
    func recurrence() async throws {
        let water = try await add("water plants due:2026-11-18 9:00 t:2026-11-16 rec:1w +home")
        let receipt = try await store.perform(.complete([water.id]))
        let next = try #require(receipt.todos.last)
        #expect(receipt.todos.count == 2 && next.id != water.id && next.uuid != water.uuid)
        #expect(next.due == today.adding(7) && next.dueTime == TimeOfDay(hour: 9) && next.projects == ["home"])
        #expect(next.threshold == today.adding(5), "two days before the due day, as before")
        #expect(receipt.step?.summary == "complete \"water plants\"")
        #expect(receipt.todos[0].recurrence == nil && next.recurrence == Recurrence("1w"))
        _ = try await store.undo()
        #expect(try await store.todos() == [water])
        let rent = try await add("rent due:2026-09-01 rec:+1m")
        #expect(try await store.complete([rent.id]).last?.due?.description == "2026-12-01")
    }

    @Test(
        "A repetition on the last days of a month returns to its day after a shorter month, unless the day is set anew",
        arguments: [
            ("2026-12-31 rec:+1m", ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]),
            ("2026-12-30 rec:+2m", ["2027-02-28", "2027-04-30"]), ("2026-12-29 rec:+1m", ["2027-01-29", "2027-02-28"]),
            ("2028-02-29 rec:+1y", ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]),
        ] as [(String, [String])]
    )
    func monthEnds(line: String, expected: [String]) async throws {
        var todo = try await add("pay due:" + line)
        for day in expected {
            todo = try #require(try await store.complete([todo.id]).last)
            #expect(todo.due?.description == day)
        }
        _ = try await store.edit(todo.id, TodoChange { $0.due = .init(Day(iso: "2033-02-27")) })
        #expect(try await store.complete([todo.id]).last?.due?.parts.day == 27)
    }

    @Test("A parent must exist and must not be a part of its own subtask")
    func parents() async throws {
        let top = try await add("top")
        let part = try await store.add(TodoChange(title: "part", parent: top.id))
        let change = TodoChange { $0.parent = .set(part.id) }
        await #expect(throws: TodoError.self) { try await store.edit(top.id, change) }
        await #expect(throws: TodoError.self) { try await store.edit(part.id, change) }
        await #expect(throws: TodoError.self) {
            try await store.add(TodoChange(title: "orphan", parent: TodoID(serial: 999)))
        }
        #expect(try await store.todos().count == 2)
    }

    @Test("The log has each change with its time, its process and the fields before and after")
    func log() async throws {
        let milk = try await add("milk")
        let change = TodoChange { ($0.title, $0.priority) = ("oat milk", .init(Priority("A"))) }
        _ = try await other.edit(milk.id, change)
        _ = try await store.complete([milk.id])
        _ = try await store.undo()
        let log = try await other.log()
        #expect(log.map(\.summary) == ["complete \"oat milk\"", "edit \"oat milk\"", "add \"milk\""])
        #expect(log.map(\.isUndone) == [true, false, false])
        #expect(log.allSatisfy { $0.process == TodoStore.processName && $0.date != nil })
        let differences = try #require(log[1].versions.first).differences
        #expect(differences.map(\.field) == ["title", "priority"])
        #expect(differences.map(\.before) == ["milk", nil] && differences.map(\.after) == ["oat milk", "A"])
        #expect(log[2].versions.first?.before == nil && log[2].versions.first?.after?.title == "milk")
        #expect(log[0].versions.first?.differences.map(\.field) == ["done"])
        _ = try await store.undo()
        let undone = try await other.log()
        #expect(undone.map(\.isUndone) == [true, true, false])
        let titles = undone.prefix(2).flatMap(\.versions).map { [$0.before?.title, $0.after?.title] }
        #expect(titles == [["oat milk", "oat milk"], ["milk", "oat milk"]])
    }

    @Test("An old version is restored, also of a deleted todo, and that can be undone")
    func restore() async throws {
        let milk = try await add("milk")
        _ = try await store.edit(milk.id, TodoChange { $0.title = "oat milk" })
        _ = try await store.remove([milk.id])
        _ = try await store.perform(.restore(milk.id, before: 1))
        #expect(try await store.todos().map(\.title) == ["milk"])
        #expect(try await other.perform(.restore(milk.id, before: 1)).step == nil, "it has this version")
        #expect(try await store.undo() == "restore \"milk\"")
        #expect(try await store.todos().isEmpty)
        await #expect(throws: TodoError.self) { try await store.perform(.restore(milk.id, before: 0)) }
        await #expect(throws: TodoError.self) { try await store.perform(.restore(milk.id, before: 7)) }
        for _ in 0..<2 { _ = try await store.undo() }
        await #expect(throws: TodoError.self, "undone") { try await store.perform(.restore(milk.id, before: 1)) }
        // A version whose parent has become a part of it since, or which waits for one that has come to wait for it.
        let top = try await add("top")
        for isParent in [true, false] {
            let other = try await add("other")
            let there = try await store.log()[0].number
            var (change, back) = (TodoChange(), TodoChange())
            if isParent { (change.parent, back.parent) = (.set(top.id), .clear) }
            if !isParent { (change.addedDependencies, back.removesDependencies) = ([top.id], true) }
            _ = try await store.edit(other.id, change)
            _ = try await store.edit(other.id, back)
            if isParent { change.parent = .set(other.id) } else { change.addedDependencies = [other.id] }
            _ = try await store.edit(top.id, change)
            await #expect(throws: TodoError.self) { try await store.perform(.restore(other.id, before: there + 2)) }
            _ = try await store.perform(.restore(other.id, before: there + 1))
        }
    }

    @Test("An edit merges with another process's edit of other fields, and is refused for the same field")
    func merge() async throws {
        let shown = try await add("milk")
        _ = try await other.edit(shown.id, TodoChange { $0.title = "oat milk" })
        var mine = TodoChange { $0.priority = .init(Priority("B")) }
        let merged = try #require(try await store.perform(.merge(shown, mine)).todos.first)
        #expect(merged.title == "oat milk" && merged.priority == Priority("B"))
        mine.title = "soy milk"
        let conflict = mine
        await #expect {
            try await store.perform(.merge(shown, conflict))
        } throws: {
            if case TodoError.changedElsewhere(let fields) = $0 { fields == ["title"] } else { false }
        }
        #expect(try await store.todos() == [merged])
        // The same value from both sides is no conflict.
        mine.title = "oat milk"
        #expect(try await store.perform(.merge(shown, mine)).step == nil)
    }

    @Test("Saved queries are stored by name")
    func queries() async throws {
        try await store.saveQuery("urgent", "pri:A")
        #expect(try await other.savedQueries() == ["urgent": "pri:A"])
        try await other.saveQuery("urgent", nil)
        #expect(try await store.savedQueries().isEmpty)
        await #expect(throws: TodoError.self) { try await store.saveQuery("urgent", nil) }
        for name in ["two words", ""] {
            await #expect(throws: TodoError.self) { try await store.saveQuery(name, "x") }
        }
        try await store.saveQuery("@work", "x")
        #expect(try await other.view("@work").query == "x")
    }
}
