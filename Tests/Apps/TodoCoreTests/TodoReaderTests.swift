import AppTestSupport
import Foundation
import LocalProvider
import TestSupport
import Testing

@testable import TodoCore

@Suite("Todos as JSON")
struct TodoReaderTests {
    private static func encoded(_ todo: Todo) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(todo))
    }

    private static func parsed(_ bytes: [UInt8]) -> Todo? { bytes.withUnsafeBytes { Todo.parse($0) } }

    private static func full() throws -> Todo {
        let draft = try TodoChange(
            title: "우유 \"oat\" \\ a/b \u{1F95B}",
            priority: Priority("B"),
            projects: ["home", "cellar"],
            contexts: ["shop", "phone"],
            tags: ["cheap"],
            due: Day(iso: "2026-03-09"),
            recurrence: Recurrence("+2w"),
            parent: TodoID(serial: 3),
            note: "one\n\ttwo"
        )
        var todo = try Todo(id: TodoID(serial: 7), draft, now: Date(timeIntervalSince1970: 1_700_000_000.123456))
        todo.completed = Date(timeIntervalSinceReferenceDate: -0.1)
        todo.isArchived = true
        todo.dueTime = TimeOfDay(hour: 9)
        todo.threshold = Day(iso: "2026-03-01")
        todo.dependencies = [UUID(), UUID()]
        todo.extras = ["rec": "+1w", "t": ""]
        (todo.list, todo.monthDay, todo.started, todo.spent) = ("Work", 31, todo.created, 90.5)
        todo.unknownFields = ["aside": .null, "colour": .string("red"), "zone": .array([.number(0.5)])]
        return todo
    }

    @Test("The JSON of a store is parsed without the decoder, with the decoder's result")
    func readsWhatIsWritten() throws {
        let full = try Self.full()
        let bare = try Todo(id: TodoID(serial: 1), TodoChange(title: "a"), now: Date(timeIntervalSince1970: 0))
        for todo in [full, bare] {
            // The members are sorted as an encoder sorts them.
            #expect(
                try String(decoding: todo.json, as: UTF8.self) == String(decoding: Self.encoded(todo), as: UTF8.self)
            )
            #expect(try Self.parsed(Self.encoded(todo)) == todo)
            #expect(try JSONDecoder().decode(Todo.self, from: Data(Self.encoded(todo))) == todo)
        }
    }

    @Test("A UUID is parsed from the form of RFC 9562 alone, with Foundation's value")
    func uuids() throws {
        let text = "8F796528-caf7-45b0-a72e-d51b42d3e53f"
        for place in text.indices {
            for other in ["", "0", "f", "F", "g", "G", "/", ":", "@", "`", "-", " ", "é", "00", "\u{10}", "\u{1}"] {
                let changed = text[..<place] + other + text[text.index(after: place)...]
                let isValid = changed.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil
                let expected = isValid ? UUID(uuidString: String(changed)) : nil
                #expect(UUID(text: String(changed)) == expected, "\(changed)")
                #expect(expected?.text == expected?.uuidString.lowercased())
            }
        }
        #expect(UUID(text: text) == UUID(uuidString: text) && UUID(text: "") == nil)
    }

    @Test("Dates are parsed to the last bit")
    func dates() throws {
        var generator = SeededGenerator()
        var todo = try Self.full()
        for round in 0..<(isLongRun ? 100_000 : 1_000) {
            let seconds = Double.random(in: -1e9...1e9, using: &generator)
            let step = [1, 1e3, 1e6, 1e9][round % 4]
            todo.created = Date(
                timeIntervalSinceReferenceDate: round % 5 == 0 ? seconds : (seconds * step).rounded() / step
            )
            #expect(try Self.parsed(Self.encoded(todo)) == todo, "seed \(generator.seed): \(todo.created)")
        }
    }

    @Test("Times outside the years 1 to 9999 are read and written", arguments: [1e300, -1e300, -7e10])
    func farTimes(seconds: Double) throws {
        var todo = try Self.full()
        let time = Date(timeIntervalSinceReferenceDate: seconds)
        (todo.created, todo.modified, todo.completed, todo.started) = (time, time, time, time)
        todo.spent = abs(seconds)
        todo.note = TodoAnnotation.line("called", at: Date(timeIntervalSince1970: 0), zone: .utc)
        let read = try #require(try Self.parsed(Self.encoded(todo)))
        for format in TodoFileFormat.allCases {
            #expect(!format.bytes([read], all: [read], clock: TodoClock(zone: .utc)).isEmpty)
        }
        let day = Day(read.created, in: .utc)
        #expect(Day(iso: day.description) == day)
        #expect(Int(exactly: read.timeSpent(at: .distantPast).rounded()) != nil)
    }

    @Test("For changed bytes, the result is that of the decoder or none")
    func agreesWithTheDecoder() throws {
        var generator = SeededGenerator()
        let whole = try Self.encoded(Self.full())
        let likely = Array("\"\\{}[],:-.0e1 utrue".utf8) + [0x00, 0x0A, 0x80, 0xC3, 0xF0, 0xFF]
        var readCount = 0
        for _ in 0..<(isLongRun ? 500_000 : 4_000) {
            var bytes = whole
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = likely.randomElement(using: &generator) ?? 0
            case 1: bytes.insert(likely.randomElement(using: &generator) ?? 0, at: place)
            case 2: bytes.remove(at: place)
            default: bytes.removeLast(place)
            }
            guard let todo = Self.parsed(bytes) else { continue }
            readCount += 1
            let decoded = try? JSONDecoder().decode(Todo.self, from: Data(bytes))
            #expect(decoded == todo, "seed \(generator.seed): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(readCount > 0)
    }

    @Test("Fields of a newer version are preserved by an edit, its undo and its redo")
    func keepsUnknownFields() async throws {
        let folder = try TemporaryDirectory("todos")
        let store = TodoStore(directory: folder.url)
        let todo = try await store.add(TodoChange(title: "milk"))
        let defaults = JSONDefaults(location: FileStoreLocation(directory: folder.path), name: "todos")
        let key = try LocalIdentifier("todo/\(todo.id)")
        let news: [String: JSONValue] = [
            "colour": .string("red"), "steps": .array([.integer(1), .null, .number(0.5), .bool(true)]),
            "zone": .object(["name": .string("Asia/Seoul")]), "Big": .unsigned(.max),
        ]
        try defaults.update(key, as: [String: JSONValue].self, durability: nil) { fields in
            fields?.merge(news) { $1 }
        }
        func check() throws {
            let fields = try #require(try defaults.value(for: key, as: [String: JSONValue].self))
            for (name, value) in news { #expect(fields[name] == value) }
        }
        #expect(try await store.edit(todo.id, TodoChange { $0.title = "oat milk" }).title == "oat milk")
        try check()
        _ = try await store.complete([todo.id])
        try check()
        _ = try await store.undo()
        try check()
        _ = try await store.redo()
        try check()
        _ = try await store.remove([todo.id])
        _ = try await store.undo()
        try check()
        #expect(try await store.todos().map(\.title) == ["oat milk"])
    }

    @Test("Open todos are in the order of urgency, equally urgent ones in that of their fields")
    func order() throws {
        var generator = SeededGenerator()
        let draft = try TodoChange(title: "a")
        let todos = try (0..<UInt64(300)).map { serial in
            let created = Date(timeIntervalSince1970: Double(Int.random(in: 0...2, using: &generator)))
            var todo = try Todo(id: TodoID(serial: serial), draft, now: created)
            todo.priority = ["A", "B", ""].randomElement(using: &generator).flatMap { Priority($0) }
            todo.due = Bool.random(using: &generator) ? Day(number: Int.random(in: 0...2, using: &generator)) : nil
            todo.dueTime = [nil, TimeOfDay(hour: 9), TimeOfDay(hour: 15)].randomElement(using: &generator) ?? nil
            todo.completed = [nil, created, .distantPast].randomElement(using: &generator) ?? nil
            return todo
        }
        let contents = TodoContents(todos: todos, order: TodoOrder(clock: TodoClock(zone: .utc, now: { .sample })))
        let sorted = todos.matching(TodoFilter(status: .all), contents.order)
        let snapshot = TodoSnapshot(todos, order: contents.order)
        #expect(sorted.count == todos.count && sorted == snapshot.todos, "seed \(generator.seed)")
        func urgency(_ todo: Todo) -> Double {
            (contents.urgency(of: todo).reduce(0) { $0 + $1.value } * 1_000).rounded()
        }
        for (left, right) in zip(sorted, sorted.dropFirst()) {
            #expect(left.isDone == right.isDone || right.isDone)
            if let first = left.completed, let second = right.completed { #expect(first >= second) }
            guard left.completed == right.completed else { continue }
            #expect(urgency(left) >= urgency(right), "seed \(generator.seed)")
            guard urgency(left) == urgency(right) else { continue }
            #expect((left.priority?.rank ?? 99) <= (right.priority?.rank ?? 99))
            guard left.priority == right.priority else { continue }
            #expect((left.due?.number ?? 99) <= (right.due?.number ?? 99))
            guard left.due == right.due else { continue }
            #expect((left.dueTime?.minutes ?? 9999) <= (right.dueTime?.minutes ?? 9999), "seed \(generator.seed)")
            if left.dueTime == right.dueTime { #expect(left.created <= right.created) }
        }
    }
}
