import AppTestSupport
import Foundation
import TestSupport
import Testing

@testable import TodoCore

@Suite("Urgency")
struct TodoUrgencyTests {
    /// Wednesday, 18 November 2026, 12:00 UTC.
    private static let clock = TodoClock(zone: .utc, now: { Date(timeIntervalSince1970: 1_795_003_200) })

    private func todo(_ line: String, serial: UInt64 = 1, age: Double = 0) throws -> Todo {
        let now = Self.clock.now().addingTimeInterval(-age * 86_400)
        return try Todo(line: line, serial: serial, today: Self.clock.today, now: now)
    }

    private func urgency(_ todo: Todo, _ others: [Todo] = [], _ urgency: TodoUrgency = TodoUrgency()) -> Double {
        TodoContents(todos: [todo] + others, order: TodoOrder(urgency, clock: Self.clock)).urgency(of: todo)
            .reduce(0) { $0 + $1.value }
    }

    @Test(
        "Each term has the value that taskwarrior 2.6.2 computes",
        arguments: [
            ("a", 0), ("a due:2026-12-18", 2.4), ("a due:2026-12-02", 2.629), ("a due:2026-11-18", 9.029),
            ("a due:2026-11-18 12:00", 8.8), ("a due:2026-11-12", 11.771), ("a due:2026-11-01", 12), ("(A) a", 6),
            ("(B) a", 3.9), ("(C) a", 1.8), ("(Z) a", 1.8), ("a +home", 1), ("a +home +two", 1.8), ("a @shop", 0.8),
            ("a @shop #x", 0.9), ("a @shop #x #y #z", 1), ("a #next", 15.8), ("a t:2026-11-19", -3),
            ("a t:2026-11-18", 0),
        ] as [(String, Double)]
    )
    func terms(line: String, expected: Double) throws {
        #expect(try abs(urgency(todo(line)) - expected) < 0.001)
    }

    @Test("Age counts in whole days up to a year, notes by their lines, and a completed todo has none")
    func ageAndNote() throws {
        for (age, expected) in [(0.9, 0), (1, 2 / 365.0), (36.5, 72 / 365.0), (365, 2), (1_000, 2)] {
            #expect(try abs(urgency(todo("a", age: age)) - expected) < 0.000_1, "\(age)")
        }
        for (note, expected) in [("one", 0.8), ("one\ntwo", 0.9), ("one\ntwo\n\nfour", 1)] {
            var todo = try todo("a")
            todo.note = note
            #expect(abs(urgency(todo) - expected) < 0.001)
            todo.completed = Self.clock.now()
            #expect(urgency(todo) == 0)
        }
    }

    @Test("A todo that waits for an open one sinks and lifts the other; completing either ends both")
    func blocking() throws {
        var (first, second) = (try todo("first"), try todo("second", serial: 2))
        second.dependencies = [try #require(first.uuid), UUID()]
        #expect(urgency(first, [second]) == 8 && urgency(second, [first]) == -5)
        #expect(TodoBlocking([first, second]).blocked == [second.id])
        #expect(TodoBlocking([first, second]).blocking == [first.id])
        var done = first
        done.completed = .sample
        #expect(urgency(second, [done]) == 0 && TodoBlocking([done, second]) == TodoBlocking())
        second.completed = .sample
        #expect(urgency(first, [second]) == 0 && TodoBlocking([first, second]) == TodoBlocking())
        first.dependencies = [try #require(first.uuid)]
        #expect(TodoBlocking([first]) == TodoBlocking(), "a todo cannot wait for itself")
    }

    private func changed(_ values: [String: Double]) throws -> TodoUrgency {
        var urgency = TodoUrgency()
        for (name, value) in values { try urgency.set(name, value) }
        return urgency
    }

    @Test("Coefficients are changed by name, and an impossible value is an error")
    func coefficients() throws {
        let none = try changed(["due": 0, "blocked": -20, "ageLimit": 10])
        #expect(none.value("blocked") == -20 && none.value("next") == 15 && TodoUrgency.names.contains("ageLimit"))
        #expect(try urgency(todo("a due:2026-11-18", age: 5), [], none) == 1)
        for (name, value, hint) in [("due", 10_001, "-10000 to"), ("due", .nan, "10000"), ("ageLimit", 0, "from 1 ")] {
            #expect { try changed([name: value]) } throws: { "\($0)".contains(hint) }
        }
        // The sum of the largest coefficients can be sorted.
        let names = ["next", "due", "blocking", "priorityA", "active", "age", "note", "labels", "project", "waiting"]
        for limit in [-10_000.0, 10_000] {
            let all = try changed(Dictionary(uniqueKeysWithValues: names.map { ($0, limit) }))
            var full = try todo("(A) a #next #x #y +p due:2026-01-01 t:2027-01-01", age: 400)
            full.note = "1\n2\n3"
            let order = TodoOrder(all, clock: Self.clock)
            let sorted = try [full, todo("b", serial: 2)].matching(.everything, order).map(\.title)
            #expect(sorted == (limit > 0 ? ["a", "b"] : ["b", "a"]))
        }
    }

    @Test("The display order is that of urgency; 09:00 is before 15:00, and an overdue todo before an urgent letter")
    func order() throws {
        let lines = [
            "z due:2026-11-18 15:00", "(Z) five", "y due:2026-11-18 09:00", "overdue due:2026-11-10",
            "(A) one", "plain", "(B) two", "(C) three", "next #next", "(D) four",
        ]
        var todos = try lines.enumerated().map { try todo($1, serial: UInt64($0)) }
        var done = try todo("(A) done", serial: 90)
        done.completed = .sample
        var waits = try todo("(B) waits", serial: 91)
        waits.dependencies = [try #require(todos[5].uuid)]
        todos += [done, waits]
        let sorted = TodoSnapshot(todos, order: TodoOrder(clock: Self.clock)).todos
        #expect(
            sorted.map(\.title) == [
                "next", "overdue", "y", "z", "plain", "one", "two", "three", "four", "five", "waits", "done",
            ]
        )
        let filter = TodoFilter(text: "", today: Self.clock.today)
        #expect(todos.matching(filter, TodoOrder(clock: Self.clock)) == sorted.dropLast())
        let reversed = try TodoSort(parsing: "-urgency").sorted(sorted)
        #expect(reversed == sorted.reversed())
    }

    @Test("The numbers of taskwarrior for the same tasks", .enabled(if: isInstalled, "taskwarrior is not installed"))
    func sideBySide() async throws {
        let folder = try TemporaryDirectory("task")
        try folder.write(
            "confirmation=off\nverbose=nothing\nnews.version=2.6.0\ndata.location=\(folder.path)\n",
            to: "rc"
        )
        func task(_ arguments: [String], input: String = "") async throws -> ChildResult {
            try await ChildProcess.run(
                URL(fileURLWithPath: Self.program),
                arguments,
                environment: ["TASKRC": folder.file("rc").path, "HOME": folder.path, "TZ": "UTC"],
                input: Data(input.utf8)
            )
        }
        let now = Date()
        var generator = SeededGenerator()
        var tasks: [String] = []
        let uuids = (0..<60).map { _ in UUID().uuidString.lowercased() }
        func time(_ days: ClosedRange<Double>) -> String {
            Timestamp.basic(now.addingTimeInterval(86_400 * Double.random(in: days, using: &generator)))
        }
        for (index, uuid) in uuids.enumerated() {
            var fields = ["\"description\":\"t\(index)\",\"uuid\":\"\(uuid)\",\"status\":\"pending\""]
            func chance(_ field: @autoclosure () -> String) {
                if Bool.random(using: &generator) { fields.append(field()) }
            }
            fields.append("\"entry\":\"\(time(-500...(-0.1)))\"")
            chance("\"due\":\"\(time(-30...30))\"")
            chance("\"wait\":\"\(time(2...9))\"")
            chance("\"project\":\"home\"")
            chance("\"priority\":\"\(["H", "M", "L"].randomElement(using: &generator) ?? "H")\"")
            chance(
                "\"tags\":[\(["\"a\"", "\"a\",\"next\"", "\"@a\",\"b\",\"c\""].randomElement(using: &generator) ?? "")]"
            )
            let notes = (0..<Int.random(in: 1...4, using: &generator)).map {
                "{\"entry\":\"\(Timestamp.basic(now.addingTimeInterval(Double($0))))\",\"description\":\"n\"}"
            }
            chance("\"annotations\":[\(notes.joined(separator: ","))]")
            if index > 0 { chance("\"depends\":[\"\(uuids[Int.random(in: 0..<index, using: &generator)])\"]") }
            tasks.append("{\(fields.joined(separator: ","))}")
        }
        let imported = try await task(["import", "-"], input: "[\(tasks.joined(separator: ",\n"))]")
        #expect(imported.status == 0, "\(imported.errors)")
        let exported = try await task(["export"])
        let objects = try JSONSerialization.jsonObject(with: exported.standardOutput) as? [[String: Any]] ?? []
        let expected = Dictionary(
            uniqueKeysWithValues: objects.map { ($0["uuid"] as? String, $0["urgency"] as? Double) }
        )
        #expect(expected.count == uuids.count)
        let clock = TodoClock(zone: .utc)
        let store = TodoStore(directory: folder.url, zone: .utc)
        let file = TodoFileFormat.taskwarrior.parse(Array(exported.standardOutput), clock: clock)
        _ = try await store.add(file.records, .new) { _ in }
        let contents = try await store.contents()
        for todo in contents.todos {
            let terms = contents.urgency(of: todo)
            let theirs = try #require(expected[todo.uuid?.uuidString.lowercased()] ?? nil)
            // A due time has no seconds here.
            #expect(
                abs(terms.reduce(0) { $0 + $1.value } - theirs) < 0.01,
                "seed \(generator.seed): \(todo.title) \(theirs) \(terms)"
            )
        }
    }

    private static let program = "/usr/bin/task"
    private static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
}
