import LocalProvider
import TestSupport
import Testing

@testable import TodoCore

@Suite("File formats of todos")
struct TodoFormatTests {
    private let fixture: TodoFormatFixture

    init() throws { fixture = try TodoFormatFixture() }

    // MARK: todo.txt

    @Test("Untouched lines of todo.txt are exported byte for byte; a change rewrites its own line alone")
    func todoTxtRoundTrip() async throws {
        let lines = [
            "(A) 2026-03-01 Call  Mum +Family +Home @phone due:2026-03-09",
            "x 2026-03-02 2026-03-01 pay bill key:value pri:B", "우유 사기 @가게 t:2026-03-05 rec:+1w", "x no dates",
            "(B) due:2026-04-01 15:00 meeting #work", "(c) not a priority", "xylophone lesson", "2026-03-01 dated",
            "x 2026-03-02 one day",
        ]
        let receipt = try await fixture.take(lines.joined(separator: "\r\n") + "\n\n", .todotxt)
        #expect(receipt.outcomes.map(\.kind) == Array(repeating: .added, count: 9))
        #expect(receipt.outcomes.map(\.line) == Array(1...9))
        let exported = try await fixture.export(.todotxt).split(separator: "\n").map(String.init)
        #expect(Set(exported) == Set(lines))
        let todos = try await fixture.store.todos()
        let call = try #require(todos.first { $0.title == "Call Mum" })
        #expect(
            call.projects == ["Family", "Home"] && call.contexts == ["phone"] && call.due?.description == "2026-03-09"
        )
        let bill = try #require(todos.first { $0.title == "pay bill key:value" })
        #expect(bill.isDone && bill.priority == Priority("B"))
        #expect(bill.completed.map { Day($0, in: fixture.clock.zone).description } == "2026-03-02")
        // The only day of a completed todo is that of its completion.
        let created = try #require(todos.first { $0.title == "one day" }).created
        #expect(Day(created, in: fixture.clock.zone) == fixture.clock.today)
        let meeting = try #require(todos.first { $0.title == "meeting" })
        #expect(meeting.dueTime == TimeOfDay(hour: 15) && meeting.tags == ["work"])
        _ = try await fixture.store.complete([call.id])
        let after = Set(try await fixture.export(.todotxt).split(separator: "\n").map(String.init))
        #expect(
            after.subtracting(lines) == ["x 2026-11-18 2026-03-01 Call Mum +Family +Home @phone due:2026-03-09 pri:A"]
        )
        // A line has the day of completion, and a todo that was completed on it keeps its time.
        let completed = try await fixture.store.todos().first { $0.id == call.id }?.completed
        _ = try await fixture.take(after.joined(separator: "\n"), .todotxt)
        #expect(try await fixture.store.todos().first { $0.id == call.id }?.completed == completed)
        // Markdown has no times: a task that was completed stays so.
        let before = try await fixture.store.todos()
        let markdown = try await fixture.take(fixture.export(.markdown), .markdown)
        #expect(markdown.outcomes.map(\.kind) == Array(repeating: .unchanged, count: 9))
        #expect(try await fixture.store.todos() == before)
        // The same file again changes nothing but the todo that differs.
        let again = try await fixture.take(lines.joined(separator: "\n"), .todotxt)
        #expect(again.outcomes.filter { $0.kind != .unchanged }.map(\.title) == ["Call Mum"])
        #expect(try await fixture.store.todos().count == 9)
    }

    @Test(
        "The 31st of a month is not lost in a file of a shorter month",
        arguments: [TodoFileFormat.todotxt, .markdown, .taskwarrior],
        ["due:2027-01-31 rec:+1m", "due:2028-02-29 rec:+1y"]
    )
    func monthDay(format: TodoFileFormat, fields: String) async throws {
        let first = try await fixture.store.add(TodoChange(quick: "rent \(fields)", today: fixture.clock.today))
        var next = try #require(try await fixture.store.perform(.complete([first.id])).todos.last)
        _ = try await fixture.store.remove([first.id])
        let file = try await fixture.export(format)
        #expect(try await fixture.take(file, format).outcomes.map(\.kind) == [.unchanged])
        _ = try await fixture.store.remove([next.id])
        next = try #require(try await fixture.take(file, format).todos.first)
        #expect(next.due?.parts.day == 28)
        // March has the day again, and so has the next leap year.
        while let due = next.due, due.endOfMonth == due, due.parts.day == 28 {
            next = try #require(try await fixture.store.perform(.complete([next.id])).todos.last)
        }
        #expect(next.due?.parts.day == first.due?.parts.day)
    }

    // MARK: Markdown

    @Test("A heading ends a list: an indented task below it is no part of the task above it")
    func markdownHeading() async throws {
        _ = try await fixture.take("- [ ] one\n  - [ ] part\n\n# Later\n\n  - [ ] two\n", .markdown)
        let todos = try await fixture.store.todos()
        let (one, part, two) = (
            todos.first { $0.title == "one" }, todos.first { $0.title == "part" }, todos.first { $0.title == "two" }
        )
        #expect(part?.parent == one?.id && one != nil)
        #expect(two != nil && two?.parent == nil)
        // Text is a note only if it is indented below its task; empty lines end none and begin none.
        _ = try await fixture.take("- [ ] three\n  a\n\n  b\n\n\n- [ ] four\nno note\n", .markdown)
        let notes = try await fixture.store.todos().filter { ["three", "four"].contains($0.title) }.map(\.note)
        #expect(Set(notes) == ["a\n\nb", nil])
    }

    @Test("Boxes of other programs are read, and code and the indentation of a note stay text")
    func markdownBoxes() async throws {
        let note = "```sh\n- [ ] code\n  deep\n```\n  far\n~~~ open\nnear"
        let lines = note.split(separator: "\n").map { "   \($0)\n" }.joined()
        let text = "- [/] half\n\t- [-]\tdropped\n- [>] moved\n\(lines)~~~\n- [ ] code\n\n~~~\n*\t[X] done\n"
        _ = try await fixture.take(text, .markdown)
        let todos = try await fixture.store.todos()
        func todo(_ title: String) -> Todo? { todos.first { $0.title == title } }
        #expect(todos.count == 4 && todo("half")?.isDone == false && todo("done")?.isDone == true)
        #expect(todo("dropped")?.parent == todo("half")?.id && todo("dropped")?.isArchived == true)
        #expect(todo("moved")?.note == note && todo("done")?.isArchived == false)
        let again = try await fixture.take(fixture.export(.markdown), .markdown)
        #expect(again.outcomes.map(\.kind) == Array(repeating: .unchanged, count: 4))
    }

    @Test("The marks of Obsidian's tasks are fields, and text without a valid value or behind a backslash")
    func markdownMarks() async throws {
        let text = """
            - [ ] rent ⏫ 🔁 every month ➕ 2026-03-01 🛫 2026-12-05 📅 2026-12-09 #home
            - [x] bill ✅ 2026-03-10
            - [ ] look 🔁 sometimes 📅 soon ✅ \\📅 2026-12-01
            """
        _ = try await fixture.take(text, .markdown)
        let todos = try await fixture.store.todos()
        let rent = try #require(todos.first { $0.title == "rent" })
        #expect(rent.priority == Priority("B") && rent.recurrence == Recurrence("+1m") && rent.tags == ["home"])
        #expect(rent.due?.description == "2026-12-09" && rent.threshold?.description == "2026-12-05")
        let bill = try #require(todos.first { $0.title == "bill" })
        let days = [rent.created, bill.completed].map { $0.map { Day($0, in: fixture.clock.zone).description } }
        #expect(days == ["2026-03-01", "2026-03-10"])
        #expect(todos.contains { $0.title == "look 🔁 sometimes 📅 soon ✅ 📅 2026-12-01" && $0.due == nil })
        let again = try await fixture.take(fixture.export(.markdown), .markdown)
        #expect(again.outcomes.map(\.kind) == [.unchanged, .unchanged, .unchanged])
    }

    @Test("The priority of a completed line of todo.txt may follow its days")
    func todoTxtPriority() async throws {
        for days in ["2026-03-10 (B) 2026-03-01", "2026-03-10 2026-03-01 (B)", "2026-03-10 (B)"] {
            let file = TodoFileFormat.todotxt.parse(Array("x \(days) pay".utf8), clock: fixture.clock)
            let change = try #require(file.records.first?.change)
            #expect(change.title == "pay" && change.priority?.value == Priority("B"), "\(days)")
        }
        let todo = try await fixture.store.add(TodoChange(title: "(B) or not"))
        _ = try await fixture.store.complete([todo.id])
        let text = try await fixture.export(.todotxt)
        #expect(try await fixture.take(text, .todotxt).outcomes.map(\.kind) == [.unchanged], "\(text)")
    }

    // MARK: Identity

    private func randomTodos(_ count: Int, _ generator: inout SeededGenerator) async throws {
        func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator) ?? values[0] }
        var drafts: [TodoChange] = []
        let fields = [
            "(A)", "x", "2026-03-01", "15:00", "+x", "@y", "#z", "+1", "due:2026-03-01", "due:2026-02-30",
            "t:2026-03-01", "rec:1w", "pri:B", "list:Home", "project:2024", "context:24h", "tag:-1",
        ]
        for number in 0..<count {
            let words = (0..<3).map { _ in pick(["", "\\", "\\\\"]) + pick(fields) }.joined(separator: " ")
            var draft = try TodoChange(
                title: pick([
                    "우유", "a:b", "x; y, z\\n", "\"quoted\" <b>", "emoji \u{1F95B}", String(repeating: "한", count: 60),
                    words, words, words,
                ]) + " todo \(number)",
                priority: pick([nil, Priority("A"), Priority("C"), Priority("K")]),
                projects: pick([[], ["2024"], ["home"], ["home", "집"]]),
                contexts: pick([[], ["shop", "phone"], ["24h"]]),
                tags: pick([[], ["cheap", "-20%"]]),
                due: pick([
                    nil, Day(number: 1_000), fixture.clock.today.adding(Int.random(in: -400...400, using: &generator)),
                ]),
                note: pick([nil, "one\n\n- [ ] two\n  three; x, \\y", "1. [x] a"])
            )
            draft.dueTime = .init(pick([nil, .midnight, TimeOfDay(hour: 15, minute: 30)]))
            draft.threshold = .init(
                pick([nil, fixture.clock.today.adding(Int.random(in: -400...400, using: &generator))])
            )
            draft.recurrence = .init(pick([nil, Recurrence("2w"), Recurrence("+1m"), Recurrence("+3y")]))
            drafts.append(draft)
        }
        let todos = try await fixture.store.add(drafts)
        for index in stride(from: 3, to: count, by: 3) {
            let change = TodoChange { $0.parent = .set(todos[index - 2].id) }
            _ = try await fixture.store.edit(todos[index].id, change)
        }
        // Completion removes a recurrence, so that the completed ones have none.
        let plain = try await fixture.store.todos().filter { $0.recurrence == nil }.map(\.id)
        _ = try await fixture.store.complete(Array(plain.prefix(count / 4)))
        _ = try await fixture.store.archive()
        _ = try await fixture.store.complete(Array(plain.suffix(count / 5)))
    }

    /// The fields that a format can express, with the parent by its title.
    private func essence(_ todo: Todo, _ all: [Todo], _ format: TodoFileFormat) -> [String] {
        var fields = [
            todo.title, "\(todo.priority?.description ?? "")", "\(todo.projects)", "\(todo.contexts)", "\(todo.tags)",
            "\(todo.due?.description ?? "") \(todo.dueTime?.description ?? "")", "\(todo.threshold?.description ?? "")",
            "\(todo.recurrence?.description ?? "")", "done \(todo.isDone)",
        ]
        if format != .todotxt {
            fields.append(todo.note ?? "")
            fields.append(todo.parent.flatMap { id in all.first { $0.id == id }?.title } ?? "")
        }
        if [.json, .taskwarrior, .ics].contains(format) {
            fields.append("\(todo.isArchived) \(todo.uuid?.uuidString ?? "")")
            fields.append(
                "\(todo.created.timeIntervalSince1970.rounded()) \(todo.completed?.timeIntervalSince1970.rounded() ?? 0)"
            )
        }
        return fields
    }

    @Test("An import of an export has every field that the format can express", arguments: TodoFileFormat.importable)
    func identity(format: TodoFileFormat) async throws {
        var generator = SeededGenerator()
        try await randomTodos(40, &generator)
        let todos = try await fixture.store.todos()
        let bytes = format.bytes(todos, all: todos, clock: fixture.clock)
        let other = TodoStore(directory: fixture.folder.file("other"), zone: fixture.clock.zone, now: fixture.clock.now)
        // Some programs write a byte order mark.
        let file = format.parse([0xEF, 0xBB, 0xBF] + bytes, clock: fixture.clock)
        #expect(file.problems.isEmpty, "\(file.problems)")
        #expect(
            try await fixture.store.perform(.importing(file.records, .update)).outcomes.allSatisfy {
                $0.kind == .unchanged
            }
        )
        let receipt = try await other.perform(.importing(file.records, .update))
        #expect(receipt.outcomes.count == todos.count)
        let copies = try await other.todos()
        let (left, right) = (
            Set(todos.map { essence($0, todos, format) }), Set(copies.map { essence($0, copies, format) })
        )
        #expect(left.subtracting(right).isEmpty, "seed \(generator.seed)")
        #expect(right.subtracting(left).isEmpty, "seed \(generator.seed)")
        // A second import of the same file changes nothing.
        let second = try await other.perform(.importing(format.parse(bytes, clock: fixture.clock).records, .update))
        #expect(
            second.outcomes.allSatisfy { $0.kind == .unchanged },
            "seed \(generator.seed): \(second.outcomes.filter { $0.kind != .unchanged })"
        )
        #expect(second.step == nil)
        // One undo takes the whole import back.
        _ = try await other.undo()
        #expect(try await other.todos().isEmpty)
    }

    @Test("The end of a file's name is that of its format, in either case")
    func fileNames() {
        let formats = ["a.TXT", "b.ics", "c.md", "d.Markdown", "e.csv", "f.json", "markdown"].map {
            TodoFileFormat(fileName: $0)
        }
        #expect(formats == [.todotxt, .ics, .markdown, .markdown, .csv, .json, nil])
        let files = [TodoFileFormat.json, .taskwarrior].map { $0.bytes([], all: [], clock: fixture.clock) } + [[]]
        #expect(
            files.map { TodoFileFormat(fileName: "todos.json", contents: $0) } == [.json, .taskwarrior, .taskwarrior]
        )
    }

    @Test("New todos of an import get new IDs, and existing ones stay as they are")
    func newMode() async throws {
        _ = try await fixture.take("milk +home\nbread", .todotxt)
        let receipt = try await fixture.take("milk +home", .todotxt, .new)
        #expect(receipt.outcomes.map(\.kind) == [.added])
        #expect(try await fixture.store.todos().count == 3)
        let json = TodoFileFormat.json.bytes(try await fixture.store.todos(), all: [], clock: fixture.clock)
        _ = try await fixture.take(String(decoding: json, as: UTF8.self), .json, .new)
        let todos = try await fixture.store.todos()
        #expect(todos.count == 6 && Set(todos.compactMap(\.uuid)).count == 6)
        // What depends on a todo of the file depends on its copy.
        let (first, second) = (UUID(), UUID())
        let tasks = """
            [{"uuid":"\(second)","description":"dry","status":"pending","depends":["\(first)"]},
            {"uuid":"\(first)","description":"wash","status":"pending"}]
            """
        for _ in 1...2 { _ = try await fixture.take(tasks, .taskwarrior, .new) }
        let copies = try await fixture.store.todos()
        let washed = Set(copies.filter { $0.title == "wash" }.compactMap(\.uuid))
        #expect(washed.count == 2 && Set(copies.flatMap(\.dependencies)) == washed)
    }

    @Test(
        "The completed and the next todo of a recurrence are recognised by state and dates, in any order of the file",
        arguments: [TodoFileFormat.todotxt, .markdown]
    )
    func recurrenceIdentity(format: TodoFileFormat) async throws {
        let water = try await fixture.store.add(
            TodoChange(quick: "water due:2026-11-10 rec:+1w", today: fixture.clock.today)
        )
        _ = try await fixture.store.complete([water.id])
        func state() async throws -> Set<String> {
            Set(try await fixture.store.todos().map { "\($0.id) \($0.isDone) \(String(describing: $0.due))" })
        }
        let before = try await state()
        let lines = try await fixture.export(format).split(separator: "\n")
        for lines in [lines, lines.reversed()] {
            let receipt = try await fixture.take(lines.joined(separator: "\n"), format)
            #expect(receipt.outcomes.map(\.kind) == [.unchanged, .unchanged])
            #expect(try await state() == before)
        }
        // Completed in the other program: the open one is meant.
        let done = try await fixture.take(lines.joined(separator: "\n").replacing("- [ ] ", with: "- [x] "), format)
        #expect(done.outcomes.filter { $0.kind == .changed }.count == (format == .markdown ? 1 : 0))
    }

    @Test(
        "An older file does not open a completed todo beside the next one, and a newer file moves the next one",
        arguments: [TodoFileFormat.taskwarrior, .ics]
    )
    func completedSince(format: TodoFileFormat) async throws {
        let change = try TodoChange(quick: "water due:2026-12-01 rec:+1w", today: fixture.clock.today)
        let water = try await fixture.store.add(change)
        let file = try await fixture.export(format)
        let next = try #require(try await fixture.store.perform(.complete([water.id])).todos.last)
        let before = try await fixture.store.todos()
        let old = try await fixture.take(file, format)
        #expect(old.outcomes.map(\.kind) == [.unchanged] && old.outcomes.map(\.staysDone) == [true])
        #expect(try await fixture.store.todos() == before)
        let later = file.replacing("20261201", with: "20261215").replacing("20261130T23", with: "20261214T23")
        let new = try await fixture.take(later, format)
        #expect(new.outcomes.map(\.id) == [next.id] && new.outcomes.map(\.kind) == [.changed])
        let open = try await fixture.store.todos().filter { !$0.isDone }
        #expect(open.map(\.due?.description) == ["2026-12-15"] && open.map(\.uuid) == [next.uuid])
    }

    @Test(
        "An export changes none of several todos with the same title, in any order, and a changed line the one that is left",
        arguments: [TodoFileFormat.todotxt, .markdown]
    )
    func sameTitles(format: TodoFileFormat) async throws {
        let call = "Call due:2026-12-01"
        for line in ["Call", "(A) Call", "Call #now", "Call t:2026-12-01", call, call + " 15:00", call + " rec:1w"] {
            _ = try await fixture.store.add(TodoChange(quick: line, today: fixture.clock.today))
        }
        let trips = try await fixture.store.add([TodoChange(title: "Trip"), TodoChange(title: "Trip", tags: ["again"])])
        for trip in trips {
            let parts = [("Pack", nil), ("Book", "\(trip.id)")]
            _ = try await fixture.store.add(parts.map { try TodoChange(title: $0, parent: trip.id, note: $1) })
        }
        let todos = try await fixture.store.todos()
        let before = try await withoutExtras(fixture.store)
        // Of these two subtasks, one has no parent in the file.
        let books = todos.filter { $0.title == "Book" || $0.id == trips[0].id }
        for todos in [todos, todos.reversed(), books, books.reversed()] {
            let bytes = format.bytes(todos, all: todos, clock: fixture.clock)
            let receipt = try await fixture.take(String(decoding: bytes, as: UTF8.self), format)
            #expect(receipt.outcomes.map(\.kind) == Array(repeating: .unchanged, count: todos.count))
            #expect(try await withoutExtras(fixture.store) == before)
        }
        let changed = try await fixture.take(fixture.export(format).replacing("(A) ", with: "(B) "), format)
        #expect(changed.outcomes.filter { $0.kind != .unchanged }.map(\.fields) == [["priority"]])
    }

    @Test(
        "White space within a title stays in an import of an export, and marks at the beginning of texts are no part of a space",
        arguments: [TodoFileFormat.todotxt, .markdown]
    )
    func spaces(format: TodoFileFormat) async throws {
        let mark = "\u{301}"
        for title in ["two  spaces", "no\u{A0}break", "wide\u{3000}space", "\(mark)mark", "a \(mark)mark"] {
            for priority in [nil, Priority("A")] {
                let (projects, note) = (["\(mark)home"], "\(mark)one\n\(mark)two")
                _ = try await fixture.store.add(
                    TodoChange(title: title, priority: priority, projects: projects, note: note)
                )
            }
        }
        let todos = try await fixture.store.todos()
        _ = try await fixture.store.complete(todos.filter { $0.title == "\(mark)mark" }.prefix(1).map(\.id))
        let before = try await withoutExtras(fixture.store)
        let text = try await fixture.export(format)
        #expect(try await fixture.take(text, format).outcomes.map(\.kind) == Array(repeating: .unchanged, count: 10))
        #expect(try await withoutExtras(fixture.store) == before)
        #expect(try await fixture.export(format) == text)
        _ = try await fixture.store.remove(todos.map(\.id))
        let copies = try await fixture.take(text, format).todos
        func words(_ todo: Todo) -> [Substring] { TodoText.words(todo.title[...]) + [todo.projects.joined()[...]] }
        #expect(Set(copies.map(words)) == Set(todos.map(words)))
        #expect(format == .todotxt || Set(copies.map(\.note)) == Set(todos.map(\.note)))
    }

    @Test(
        "An export that is imported without a change makes no step to undo, and retains every time",
        arguments: TodoFileFormat.importable
    )
    func unchangedTimes(format: TodoFileFormat) async throws {
        let (directory, now) = (fixture.folder.file("other"), fixture.clock.now() + 0.25)
        let store = TodoStore(directory: directory, zone: fixture.clock.zone, now: { now })
        let ids = try await store.add(["done", "started", "open"].map { try TodoChange(title: $0) }).map(\.id)
        _ = try await store.perform(.batch([.complete([ids[0]]), .start([ids[1]])]))
        let (todos, before, step) = (
            try await store.todos(), try await withoutExtras(store), try await store.lastStep()
        )
        let records = format.parse(format.bytes(todos, all: todos, clock: fixture.clock), clock: fixture.clock).records
        let later = TodoStore(directory: directory, zone: fixture.clock.zone, now: { now + 60 })
        for _ in 1...2 {
            let receipt = try await later.perform(.importing(records, .update))
            #expect(receipt.outcomes.map(\.kind) == [.unchanged, .unchanged, .unchanged] && receipt.step == nil)
        }
        #expect(try await withoutExtras(later) == before)
        #expect(try await later.lastStep() == step)
    }

    /// Returns the todos of a store without the fields of other programs.
    private func withoutExtras(_ store: TodoStore) async throws -> Set<Todo> {
        Set(
            try await store.todos().map { todo in
                var todo = todo
                todo.extras = [:]
                return todo
            }
        )
    }

    @Test("Of todos with the same title, a line names the one that was added first")
    func oldest() throws {
        let ids = [TodoID(serial: 1), TodoID(serial: 2)].sorted { $0.description > $1.description }
        let todos = zip(ids, [fixture.clock.now(), fixture.clock.now() + 60]).map {
            Todo(id: $0, title: "milk", now: $1)
        }
        let records = TodoFileFormat.todotxt.parse(Array("milk".utf8), clock: fixture.clock).records
        var importer = TodoImporter(todos, records, mode: .update, now: fixture.clock.now(), zone: fixture.clock.zone)
        try importer.addNext { () throws(TodoError) in TodoID(serial: 9) }
        #expect(importer.finish().outcomes.map(\.id) == [ids[0]])
        // Of two tasks with its UUID, the first one is it.
        let task = "{\"uuid\":\"8f796528-caf7-45b0-a72e-d51b42d3e53f\",\"description\":\"milk\"}"
        let twice = TodoFileFormat.taskwarrior.parse(Array("[\(task),\(task)]".utf8), clock: fixture.clock).records
        let known = Todo(id: ids[0], title: "milk", now: fixture.clock.now(), uuid: twice.first?.uuid)
        var second = TodoImporter([known], twice, mode: .update, now: fixture.clock.now(), zone: fixture.clock.zone)
        for _ in twice { try second.addNext { () throws(TodoError) in TodoID(serial: 9) } }
        #expect(second.finish().outcomes.map(\.id) == [ids[0], TodoID(serial: 9)])
    }

    @Test("The app's own format is a backup: every field, the IDs and fields of newer versions are restored")
    func backup() async throws {
        var generator = SeededGenerator()
        try await randomTodos(20, &generator)
        var todos = try await fixture.store.todos()
        todos[0].unknownFields = ["colour": .string("red"), "steps": .array([.integer(1), .null])]
        todos[1].monthDay = 31
        let bytes = TodoFileFormat.json.bytes(todos, all: todos, clock: fixture.clock)
        let later = fixture.clock.now() + 3_600
        let other = TodoStore(directory: fixture.folder.file("other"), zone: fixture.clock.zone, now: { later })
        let records = TodoFileFormat.json.parse(bytes, clock: fixture.clock).records
        _ = try await other.perform(.importing(records, .update))
        #expect(try await Set(other.todos()) == Set(todos), "seed \(generator.seed)")
        #expect(try await other.perform(.importing(records, .update)).step == nil)
        // No ID of the backup is assigned again, also not after its todo was deleted.
        _ = try await other.remove(todos.map(\.id))
        let ids = Set(todos.map(\.id))
        for _ in 0..<25 { #expect(try await !ids.contains(other.add(TodoChange(title: "new")).id)) }
        // Nor the ID that would have been the next one, nor one that is higher than that of a later import.
        let fresh = TodoStore(directory: fixture.folder.file("fresh"), now: fixture.clock.now)
        var imported: Set<TodoID> = []
        for serial: UInt64 in [0, 9, 2] {
            let todo = try #require(todos.first { $0.id == TodoID(serial: serial) })
            let single = TodoFileFormat.json.bytes([todo], all: todos, clock: fixture.clock)
            _ = try await fresh.perform(
                .importing(TodoFileFormat.json.parse(single, clock: fixture.clock).records, .update)
            )
            _ = try await fresh.remove([todo.id])
            imported.insert(todo.id)
        }
        for _ in 0..<9 { #expect(try await !imported.contains(fresh.add(TodoChange(title: "new")).id)) }
        // A todo that has the ID of another one gets a new ID, and stays connected.
        _ = try await fixture.store.remove([todos[2].id])
        let third = TodoStore(directory: fixture.folder.file("third"), now: fixture.clock.now)
        let occupied = try await third.add(TodoChange(title: "first"))
        _ = try await third.perform(.importing(records, .update))
        let restored = try await third.todos()
        #expect(restored.count == todos.count + 1 && restored.contains(occupied))
        // Of two records with one ID, the second one gets another ID.
        let fourth = TodoStore(directory: fixture.folder.file("fourth"), now: fixture.clock.now)
        _ = try await fourth.perform(.importing(records + records, .update))
        #expect(try await Set(fourth.todos().map(\.id)).count == 2 * todos.count)
        let (left, right) = (
            Set(todos.map { essence($0, todos, .json) }), Set(restored.map { essence($0, restored, .json) })
        )
        #expect(left.subtracting(right).isEmpty, "seed \(generator.seed)")
    }

    // MARK: Invalid files

    @Test(
        "An invalid part of a file has its line, its column and what would be right",
        arguments: [
            (.todotxt, "ok\npay due:2026-02-30", 2, 5, "days 1 to 28"), (.todotxt, "ok\n\u{1B}[31m", 2, 1, "U+001B"),
            (.todotxt, "우유\u{202E}", 1, 3, "U+202E"), (.todotxt, "a\u{0}", 1, 2, "U+0000"),
            (.todotxt, "+only @labels", 1, 1, "say what is to be done"),
            (.markdown, "- [ ]", 1, 6, "say what is to be done"), (.markdown, "- [ ] ", 1, 7, "say what is to be done"),
            (.markdown, "# x\n- [ ] a\n  - [ ] b due:2026-13-01", 3, 11, "1 to 12"),
            (.taskwarrior, "[{\"description\":\"a\"},\n {\"description\":}]", 2, 17, ""),
            (.taskwarrior, "[{\"description\":\"a\"},\n {\"due\":\"x\"}]", 2, 1, "description"),
            (.taskwarrior, "[{\"description\":\"a\",\"due\":\"20260230T000000Z\"}]", 1, 1, "20260309T150000Z"),
            (.taskwarrior, "{\"description\":\"a\",\"status\":\"opne\"}", 1, 1, "pending"),
            (.taskwarrior, "hello", 1, 1, ""), (.taskwarrior, "{\n \"name\": \"x\"\n}", 1, 1, "task export"),
            (.taskwarrior, "{\n \"description\": }", 2, 17, ""),
            (
                .ics, "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nSUMMARY:a\nDUE:20260230\nEND:VTODO\nEND:VCALENDAR", 5, 5,
                "20260309"
            ),
            (.ics, "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1", 1, 1, "cut short"), (.ics, "hello", 1, 1, "colon"),
            (.ics, "", 1, 1, "VCALENDAR"), (.ics, "BEGIN:VTODO\nEND:VTODO\nX:1", 1, 1, "SUMMARY"),
            (.ics, "X:1", 1, 1, "VCALENDAR"),
            (.json, "{\"format\":\"pawkit-todos\",\"version\":2,\"todos\":[]}", 1, 1, "update it"),
            (.json, "{}", 1, 1, "pawkit-todos"), (.json, "[1,\n2", 2, 2, ""), (.csv, "", 1, 1, "use json"),
        ] as [(TodoFileFormat, String, Int, Int, String)]
    )
    func invalid(format: TodoFileFormat, text: String, line: Int, column: Int, hint: String) {
        check(format, Array(text.utf8), line, column, hint)
    }

    private func check(_ format: TodoFileFormat, _ bytes: [UInt8], _ line: Int, _ column: Int, _ hint: String) {
        let problem = format.parse(bytes, clock: fixture.clock).problems.first
        #expect(problem?.line == line && problem?.column == column, "\(String(describing: problem))")
        #expect(hint.isEmpty || problem?.message.contains(hint) == true, "\(String(describing: problem))")
    }

    @Test("A line that is not UTF-8, one of 10 MB and one with 20,000 labels are problems of their lines")
    func invalidBytes() {
        check(.todotxt, Array("a\nb".utf8) + [0xFF, 0x41], 2, 2, "UTF-8")
        for format in TodoFileFormat.allCases {
            let lines: [UInt8] = [0x0A, 0xFF, 0x0A, 0xFF]
            check(format, [0x1F, 0x8B] + lines, 1, 1, "gunzip")
            for start: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF], [0x61, 0, 0x62, 0]] {
                check(format, start + lines, 1, 1, "iconv -f utf-16")
                #expect(format.parse(start + lines, clock: fixture.clock).problems.count == 1)
            }
        }
        check(.todotxt, [UInt8](repeating: 0x61, count: 10_000_000), 1, 1, "1048576 bytes")
        let labels = (0..<20_000).map { "+p\($0)" }.joined(separator: " ")
        check(.todotxt, Array("a \(labels)".utf8), 1, 1, "more than 1000")
    }

    @Test("A note that is too long is a problem of its task, and the others are imported with their parents")
    func longNote() {
        let note = String(repeating: "x", count: TodoText.noteLimit + 1)
        let text = "- [ ] a\n- [ ] b\n  \(note)\n  - [ ] c\n- [ ] d\n  - [ ] e\n- [ ] due:2026-02-30"
        let file = TodoFileFormat.markdown.parse(Array(text.utf8), clock: fixture.clock)
        #expect(file.problems.map(\.line) == [2, 7] && file.problems[0].message.contains("the note is longer"))
        #expect(file.records.map(\.change.title) == ["a", "c", "d", "e"])
        #expect(file.records.map(\.parentIndex) == [nil, nil, nil, 2])
    }

    @Test("Changed bytes of a file are todos or problems, never a crash", arguments: TodoFileFormat.importable)
    func hostile(format: TodoFileFormat) async throws {
        var generator = SeededGenerator()
        try await randomTodos(6, &generator)
        let todos = try await fixture.store.todos()
        let whole = format.bytes(todos, all: todos, clock: fixture.clock)
        for _ in 0..<(isLongRun ? 20_000 : 300) {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                default: bytes.insert(contentsOf: [0x0A, 0x22, 0x3A].shuffled(using: &generator), at: place)
                }
                if bytes.isEmpty { bytes = [0x78] }
            }
            let file = format.parse(bytes, clock: fixture.clock)
            for record in file.records { #expect(record.change.title?.isEmpty == false, "seed \(generator.seed)") }
        }
    }

    @Test("A million lines are parsed in seconds", .enabled(if: isLongRun))
    func millionLines() {
        let text = String(repeating: "(A) 2026-03-01 Call Mum +Family @phone due:2026-03-09\n", count: 1_000_000)
        #expect(TodoFileFormat.todotxt.parse(Array(text.utf8), clock: fixture.clock).records.count == 1_000_000)
    }

    @Test("CSV has a row for each todo, with quotation marks where they are required")
    func csv() async throws {
        _ = try await fixture.store.add(TodoChange(title: "say \"hi\", now", projects: ["home"], note: "a\nb"))
        let rows = try await fixture.export(.csv).components(separatedBy: "\r\n")
        #expect(rows.count == 3 && rows[1].contains("\"say \"\"hi\"\", now\",false,false,,home,"))
        #expect(rows[1].contains("\"a\nb\""))
    }
}
