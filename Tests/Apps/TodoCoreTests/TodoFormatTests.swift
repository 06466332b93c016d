import Foundation
import LocalProvider
import TestSupport
import Testing

@testable import TodoCore

@Suite("File formats of todos")
struct TodoFormatTests {
    private let folder: TemporaryDirectory
    private let store: TodoStore
    private let clock: TodoClock

    init() throws {
        folder = try TemporaryDirectory("formats")
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        clock = TodoClock(zone: zone, now: { now })
        store = TodoStore(directory: folder.url, zone: zone, now: { now })
    }

    private func take(_ text: String, _ format: TodoFileFormat, _ mode: TodoImportMode = .update) async throws
        -> TodoReceipt
    {
        let file = format.parse(Array(text.utf8), clock: clock)
        #expect(file.problems.isEmpty, "\(file.problems)")
        return try await store.perform(.importing(file.records, mode))
    }

    private func export(_ format: TodoFileFormat) async throws -> String {
        let todos = try await store.todos().matching(TodoFilter(status: .all, includesArchived: true))
            .sorted { ($0.created, $0.title) < ($1.created, $1.title) }
        return String(decoding: format.bytes(todos, all: todos, clock: clock), as: UTF8.self)
    }

    // MARK: todo.txt

    @Test("Untouched lines of todo.txt are exported byte for byte; a change rewrites its own line alone")
    func todoTxtRoundTrip() async throws {
        let lines = [
            "(A) 2026-03-01 Call  Mum +Family +Home @phone due:2026-03-09",
            "x 2026-03-02 2026-03-01 pay bill key:value pri:B", "우유 사기 @가게 t:2026-03-05 rec:+1w", "x no dates",
            "(B) due:2026-04-01 15:00 meeting #work", "(c) not a priority", "xylophone lesson", "2026-03-01 dated",
            "x 2026-03-02 one day",
        ]
        let receipt = try await take(lines.joined(separator: "\r\n") + "\n\n", .todotxt)
        #expect(receipt.outcomes.map(\.kind) == Array(repeating: .added, count: 9))
        #expect(receipt.outcomes.map(\.line) == Array(1...9))
        let exported = try await export(.todotxt).split(separator: "\n").map(String.init)
        #expect(Set(exported) == Set(lines))
        let todos = try await store.todos()
        let call = try #require(todos.first { $0.title == "Call Mum" })
        #expect(
            call.projects == ["Family", "Home"] && call.contexts == ["phone"] && call.due?.description == "2026-03-09"
        )
        let bill = try #require(todos.first { $0.title == "pay bill key:value" })
        #expect(bill.isDone && bill.priority == Priority("B"))
        #expect(bill.completed.map { Day($0, in: clock.zone).description } == "2026-03-02")
        // The only day of a completed todo is that of its completion.
        let created = try #require(todos.first { $0.title == "one day" }).created
        #expect(Day(created, in: clock.zone) == clock.today)
        let meeting = try #require(todos.first { $0.title == "meeting" })
        #expect(meeting.dueTime == TimeOfDay(hour: 15) && meeting.tags == ["work"])
        _ = try await store.complete([call.id])
        let after = Set(try await export(.todotxt).split(separator: "\n").map(String.init))
        #expect(
            after.subtracting(lines) == ["x 2026-11-18 2026-03-01 Call Mum +Family +Home @phone due:2026-03-09 pri:A"]
        )
        // A line has the day of completion, and a todo that was completed on it keeps its time.
        let completed = try await store.todos().first { $0.id == call.id }?.completed
        _ = try await take(after.joined(separator: "\n"), .todotxt)
        #expect(try await store.todos().first { $0.id == call.id }?.completed == completed)
        // The same file again changes nothing but the todo that differs.
        let again = try await take(lines.joined(separator: "\n"), .todotxt)
        #expect(again.outcomes.filter { $0.kind != .unchanged }.map(\.title) == ["Call Mum"])
        #expect(try await store.todos().count == 9)
    }

    // MARK: Identity

    private func randomTodos(_ count: Int, _ generator: inout SeededGenerator) async throws {
        func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator) ?? values[0] }
        var drafts: [TodoChange] = []
        for number in 0..<count {
            var draft = try TodoChange(
                title: "todo \(number) "
                    + pick([
                        "우유", "a:b", "x; y, z\\n", "\"quoted\" <b>", "emoji \u{1F95B}",
                        String(repeating: "한", count: 60),
                    ]),
                priority: pick([nil, Priority("A"), Priority("C"), Priority("K")]),
                projects: pick([[], ["2024"], ["home"], ["home", "집"]]),
                contexts: pick([[], ["shop", "phone"], ["24h"]]),
                tags: pick([[], ["cheap", "-20%"]]),
                due: pick([nil, clock.today.adding(Int.random(in: -400...400, using: &generator))]),
                note: pick([nil, "one\n\n- [ ] two\n  three; x, \\y", "1. [x] a"])
            )
            draft.dueTime = .init(pick([nil, TimeOfDay(hour: 15, minute: 30)]))
            draft.threshold = .init(pick([nil, clock.today.adding(Int.random(in: -400...400, using: &generator))]))
            draft.recurrence = .init(pick([nil, Recurrence("2w"), Recurrence("+1m"), Recurrence("+3y")]))
            drafts.append(draft)
        }
        let todos = try await store.add(drafts)
        for index in stride(from: 3, to: count, by: 3) {
            var change = TodoChange()
            change.parent = .set(todos[index - 2].id)
            _ = try await store.edit(todos[index].id, change)
        }
        // Completion removes a recurrence, so that the completed ones have none.
        let plain = try await store.todos().filter { $0.recurrence == nil }.map(\.id)
        _ = try await store.complete(Array(plain.prefix(count / 4)))
        _ = try await store.archive()
        _ = try await store.complete(Array(plain.suffix(count / 5)))
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
        let todos = try await store.todos()
        let bytes = format.bytes(todos, all: todos, clock: clock)
        let other = TodoStore(directory: folder.file("other"), zone: clock.zone, now: clock.now)
        let file = format.parse(bytes, clock: clock)
        #expect(file.problems.isEmpty, "\(file.problems)")
        #expect(
            try await store.perform(.importing(file.records, .update)).outcomes.allSatisfy { $0.kind == .unchanged }
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
        let second = try await other.perform(.importing(format.parse(bytes, clock: clock).records, .update))
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
        let files = [TodoFileFormat.json, .taskwarrior].map { $0.bytes([], all: [], clock: clock) } + [[]]
        #expect(
            files.map { TodoFileFormat(fileName: "todos.json", contents: $0) } == [.json, .taskwarrior, .taskwarrior]
        )
    }

    @Test("New todos of an import get new IDs, and existing ones stay as they are")
    func newMode() async throws {
        _ = try await take("milk +home\nbread", .todotxt)
        let receipt = try await take("milk +home", .todotxt, .new)
        #expect(receipt.outcomes.map(\.kind) == [.added])
        #expect(try await store.todos().count == 3)
        let json = TodoFileFormat.json.bytes(try await store.todos(), all: [], clock: clock)
        _ = try await take(String(decoding: json, as: UTF8.self), .json, .new)
        let todos = try await store.todos()
        #expect(todos.count == 6 && Set(todos.compactMap(\.uuid)).count == 6)
    }

    @Test(
        "The completed and the next todo of a recurrence are recognised by state and dates, in any order of the file",
        arguments: [TodoFileFormat.todotxt, .markdown]
    )
    func recurrenceIdentity(format: TodoFileFormat) async throws {
        let water = try await store.add(TodoChange(quick: "water due:2026-11-10 rec:+1w", today: clock.today))
        _ = try await store.complete([water.id])
        func state() async throws -> Set<String> {
            Set(try await store.todos().map { "\($0.id) \($0.isDone) \(String(describing: $0.due))" })
        }
        let before = try await state()
        let lines = try await export(format).split(separator: "\n")
        for lines in [lines, lines.reversed()] {
            let receipt = try await take(lines.joined(separator: "\n"), format)
            #expect(receipt.outcomes.map(\.kind) == [.unchanged, .unchanged])
            #expect(try await state() == before)
        }
        // Completed in the other program: the open one is meant.
        let done = try await take(lines.joined(separator: "\n").replacing("- [ ] ", with: "- [x] "), format)
        #expect(done.outcomes.filter { $0.kind == .changed }.count == (format == .markdown ? 1 : 0))
    }

    @Test("Of todos with the same title, a line names the one that was added first")
    func oldest() throws {
        let ids = [TodoID(serial: 1), TodoID(serial: 2)].sorted { $0.description > $1.description }
        let todos = zip(ids, [clock.now(), clock.now() + 60]).map { Todo(id: $0, title: "milk", now: $1) }
        let records = TodoFileFormat.todotxt.parse(Array("milk".utf8), clock: clock).records
        var importer = TodoImporter(todos, records, mode: .update, now: clock.now(), zone: clock.zone)
        try importer.addNext { () throws(TodoError) in TodoID(serial: 9) }
        #expect(importer.finish().outcomes.map(\.id) == [ids[0]])
        // Of two tasks with its UUID, the first one is it.
        let task = "{\"uuid\":\"8f796528-caf7-45b0-a72e-d51b42d3e53f\",\"description\":\"milk\"}"
        let twice = TodoFileFormat.taskwarrior.parse(Array("[\(task),\(task)]".utf8), clock: clock).records
        let known = Todo(id: ids[0], title: "milk", now: clock.now(), uuid: twice.first?.uuid)
        var second = TodoImporter([known], twice, mode: .update, now: clock.now(), zone: clock.zone)
        for _ in twice { try second.addNext { () throws(TodoError) in TodoID(serial: 9) } }
        #expect(second.finish().outcomes.map(\.id) == [ids[0], TodoID(serial: 9)])
    }

    @Test("The app's own format is a backup: every field, the IDs and fields of newer versions are restored")
    func backup() async throws {
        var generator = SeededGenerator()
        try await randomTodos(20, &generator)
        var todos = try await store.todos()
        todos[0].unknownFields = ["colour": .string("red"), "steps": .array([.integer(1), .null])]
        todos[1].monthDay = 31
        let bytes = TodoFileFormat.json.bytes(todos, all: todos, clock: clock)
        let later = clock.now() + 3_600
        let other = TodoStore(directory: folder.file("other"), zone: clock.zone, now: { later })
        let records = TodoFileFormat.json.parse(bytes, clock: clock).records
        _ = try await other.perform(.importing(records, .update))
        #expect(try await Set(other.todos()) == Set(todos), "seed \(generator.seed)")
        #expect(try await other.perform(.importing(records, .update)).step == nil)
        // No ID of the backup is assigned again, also not after its todo was deleted.
        _ = try await other.remove(todos.map(\.id))
        let ids = Set(todos.map(\.id))
        for _ in 0..<25 { #expect(try await !ids.contains(other.add(TodoChange(title: "new")).id)) }
        // Nor the ID that would have been the next one, nor one that is higher than that of a later import.
        let fresh = TodoStore(directory: folder.file("fresh"), now: clock.now)
        var imported: Set<TodoID> = []
        for serial: UInt64 in [0, 9, 2] {
            let todo = try #require(todos.first { $0.id == TodoID(serial: serial) })
            let single = TodoFileFormat.json.bytes([todo], all: todos, clock: clock)
            _ = try await fresh.perform(.importing(TodoFileFormat.json.parse(single, clock: clock).records, .update))
            _ = try await fresh.remove([todo.id])
            imported.insert(todo.id)
        }
        for _ in 0..<9 { #expect(try await !imported.contains(fresh.add(TodoChange(title: "new")).id)) }
        // A todo that has the ID of another one gets a new ID, and stays connected.
        _ = try await store.remove([todos[2].id])
        let third = TodoStore(directory: folder.file("third"), now: clock.now)
        let occupied = try await third.add(TodoChange(title: "first"))
        _ = try await third.perform(.importing(records, .update))
        let restored = try await third.todos()
        #expect(restored.count == todos.count + 1 && restored.contains(occupied))
        let (left, right) = (
            Set(todos.map { essence($0, todos, .json) }), Set(restored.map { essence($0, restored, .json) })
        )
        #expect(left.subtracting(right).isEmpty, "seed \(generator.seed)")
    }

    // MARK: taskwarrior

    @Test("Unknown attributes of taskwarrior survive an import, a change and an export")
    func taskwarriorKeeps() async throws {
        let uuid = "8f796528-caf7-45b0-a72e-d51b42d3e53f"
        let task = """
            [{"id":3,"description":"Buy milk","entry":"20261122T145038Z","modified":"20261122T145038Z","priority":"H",\
            "project":"home kitchen","status":"pending","uuid":"\(uuid)","wait":"20261125T113000Z","tags":["errand"],\
            "annotations":[{"entry":"20261122T145038Z","description":"first note"}],"estimate":"3h","scores":[1,2.5],\
            "depends":["98bbed9d-8f2b-4dc0-a864-5cd81723be96"],"urgency":10.6}]
            """
        _ = try await take(task, .taskwarrior)
        let todo = try #require(try await store.todos().first)
        #expect(todo.project == "home-kitchen" && todo.note == "first note" && todo.priority == Priority("A"))
        #expect(todo.uuid?.uuidString.lowercased() == uuid && todo.dependencies.count == 1)
        var change = TodoChange()
        change.title = "Buy oat milk"
        _ = try await store.edit(todo.id, change)
        let object = try JSONSerialization.jsonObject(with: Data(try await export(.taskwarrior).utf8))
        let fields = try #require((object as? [[String: Any]])?.first)
        #expect(fields["description"] as? String == "Buy oat milk")
        #expect(fields["estimate"] as? String == "3h" && (fields["scores"] as? [Double]) == [1, 2.5])
        #expect(fields["project"] as? String == "home kitchen" && fields["wait"] as? String == "20261125T113000Z")
        #expect(fields["id"] == nil && fields["urgency"] == nil)
        // Lines instead of an array.
        let lines = task.dropFirst().dropLast()
        #expect(try await take(String(lines), .taskwarrior).outcomes.map(\.fields) == [["title"]])
    }

    @Test(
        "Of a task that the fields represent exactly, nothing is stored beside them; of another one all, until a later import",
        arguments: [
            ("", ""), (#","estimate":"3h""#, #"{"estimate":"3h"}"#), (#","priority":"L","project":"home""#, ""),
            (#","due":"20261122T230000Z","project":"p","tags":["a","@b","+c"]"#, ""),
            (#","due":"20261122T230010Z""#, nil), (#","priority":"X""#, nil), (#","project":"two words""#, nil),
            (#","wait":"20261125T113000Z""#, nil), (#","tags":["a","a"]"#, nil), (#","depends":"x""#, nil),
        ]
    )
    func taskwarriorExtras(attributes: String, extras: String?) async throws {
        let start = #""description":"milk","entry":"20261122T145038Z""#
        let end = #""status":"pending","uuid":"8f796528-caf7-45b0-a72e-d51b42d3e53f""#
        let task = "{\(start)\(attributes),\(end)}"
        _ = try await take(task, .taskwarrior)
        func stored() async throws -> String? { try await store.todos().first?.extras["taskwarrior"] }
        func members(_ text: String) throws -> JSONValue {
            var value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            if case .array(let elements) = value { value = try #require(elements.first) }
            guard case .object(let members) = value else { return value }
            // The time of modification is that of the import.
            return .object(members.filter { $0.key != "modified" })
        }
        if let extras {
            #expect(try await stored() == (extras.isEmpty ? nil : extras))
        } else {
            #expect(try members(try #require(try await stored())) == members(task))
        }
        #expect(try members(try await export(.taskwarrior)) == members(task))
        // What an earlier import has stored does not return.
        let plain = "{\(start),\(end)}"
        _ = try await take(plain, .taskwarrior)
        #expect(try await stored() == nil)
        #expect(try members(try await export(.taskwarrior)) == members(plain))
    }

    @Test("Annotations have their times in the note, and each line keeps its time when others are edited")
    func taskwarriorAnnotations() async throws {
        func annotation(_ time: String, _ text: String) -> String { #"{"description":"\#(text)","entry":"\#(time)"}"# }
        let old = [annotation("20261120T101112Z", "first"), annotation("20261122T150017Z", "called")]
        let task = """
            [{"description":"ring","entry":"20261120T101112Z","uuid":"8f796528-caf7-45b0-a72e-d51b42d3e53f",\
            "annotations":[\(old.joined(separator: ","))],"status":"pending"}]
            """
        _ = try await take(task, .taskwarrior)
        let todo = try #require(try await store.todos().first)
        let called = TodoAnnotation.line("called", at: Date(timeIntervalSince1970: 1_795_359_617), zone: clock.zone)
        #expect(todo.note == "first\n\(called)")
        var change = TodoChange()
        change.note = .set("changed\n\(called)")
        let later = Date(timeIntervalSince1970: 1_795_449_600)
        change.addedNote = TodoAnnotation.line("called again", at: later, zone: clock.zone)
        _ = try await store.edit(todo.id, change)
        let text = try await export(.taskwarrior)
        let expected = [
            annotation("20261120T101112Z", "changed"), old[1], annotation("20261123T160000Z", "called again"),
        ]
        #expect(text.contains("\"annotations\":[\(expected.joined(separator: ","))]"), "\(text)")
        #expect(try await take(text, .taskwarrior).outcomes.map(\.fields) == [[]])
    }

    @Test("A recurring task is one todo, due when its earliest open instance is")
    func taskwarriorRecurrence() async throws {
        let lines = """
            {"uuid":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","description":"water","status":"recurring","recur":"weekly","due":"20261120T230000Z","mask":"+-"}
            {"uuid":"8f796528-caf7-45b0-a72e-d51b42d3e53f","description":"water","status":"completed","end":"20261121T080000Z","parent":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","due":"20261120T230000Z","imask":0}
            {"uuid":"0e1b8d32-4a5f-4a35-8d3b-4a3c5a4f3b11","description":"water","status":"pending","parent":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","due":"20261204T230000Z","recur":"weekly","imask":2}
            {"uuid":"bdcf3d31-a1f1-4c6d-9532-74532df2a6de","description":"water","status":"pending","parent":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","due":"20261127T230000Z","recur":"weekly","imask":1}
            {"uuid":"a3e1bd0c-7e0d-4c7e-b9a2-5f7e25c5a1d4","description":"water","status":"pending","parent":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","due":"20261211T230000Z","recur":"weekly","imask":3}
            """
        _ = try await take(lines, .taskwarrior)
        let open = try await store.todos().filter { !$0.isDone }
        #expect(open.map(\.recurrence) == [Recurrence("+1w")])
        #expect(open.first?.due?.description == "2026-11-28")
        #expect(try await store.todos().count == 2)
    }

    // MARK: Markdown

    @Test("A heading ends a list: an indented task below it is no part of the task above it")
    func markdownHeading() async throws {
        _ = try await take("- [ ] one\n  - [ ] part\n\n# Later\n\n  - [ ] two\n", .markdown)
        let todos = try await store.todos()
        let (one, part, two) = (
            todos.first { $0.title == "one" }, todos.first { $0.title == "part" }, todos.first { $0.title == "two" }
        )
        #expect(part?.parent == one?.id && one != nil)
        #expect(two != nil && two?.parent == nil)
        // Text is a note only if it is indented below its task; empty lines end none and begin none.
        _ = try await take("- [ ] three\n  a\n\n  b\n\n\n- [ ] four\nno note\n", .markdown)
        let notes = try await store.todos().filter { ["three", "four"].contains($0.title) }.map(\.note)
        #expect(Set(notes) == ["a\n\nb", nil])
    }

    // MARK: iCalendar

    @Test("A changed task of a calendar is dated, and one that names itself as its parent has none")
    func calendarUpdate() async throws {
        let uid = "8F796528-CAF7-45B0-A72E-D51B42D3E53F"
        func calendar(_ title: String) -> String {
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Other//EN
            BEGIN:VTODO
            UID:\(uid)
            RELATED-TO:\(uid)
            DTSTAMP:20260301T000000Z
            SUMMARY:\(title)
            END:VTODO
            END:VCALENDAR
            """
        }
        _ = try await take(calendar("Milk"), .ics)
        let later = clock.now() + 3_600
        let store = TodoStore(directory: folder.url, zone: clock.zone, now: { later })
        let file = TodoFileFormat.ics.parse(Array(calendar("Oat milk").utf8), clock: clock)
        let receipt = try await store.perform(.importing(file.records, .update))
        #expect(receipt.outcomes.map(\.kind) == [.changed])
        let todo = try #require(try await store.todos().first)
        #expect(todo.title == "Oat milk" && todo.parent == nil)
        #expect(todo.modified == later)
    }

    @Test("A task of a calendar retains unknown properties and its time zone")
    func calendarKeeps() async throws {
        let calendar = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Other//EN
            BEGIN:VTIMEZONE
            TZID:Asia/Seoul
            END:VTIMEZONE
            BEGIN:VTIMEZONE
            TZID:America/New_York
            END:VTIMEZONE
            BEGIN:VTODO
            UID:not-a-uuid@example.org
            DTSTAMP:20260301T000000Z
            SUMMARY:Buy milk\\, eggs
              and bread
            DUE;TZID=America/New_York:20261201T090000
            RRULE:FREQ=WEEKLY;BYDAY=MO,WE
            PRIORITY:3
            CATEGORIES:shop,+home
            X-OTHER;X-P="a:b":kept
            BEGIN:VALARM
            ACTION:DISPLAY
            DESCRIPTION:alarm
            TRIGGER:-PT15M
            END:VALARM
            END:VTODO
            END:VCALENDAR
            """
        _ = try await take(calendar, .ics)
        let todo = try #require(try await store.todos().first)
        #expect(todo.title == "Buy milk, eggs and bread" && todo.priority == Priority("A") && todo.note == nil)
        #expect(
            todo.due?.description == "2026-12-01" && todo.dueTime == TimeOfDay(hour: 15),
            "nine in New York is 15:00 in Berlin"
        )
        #expect(todo.recurrence == Recurrence("mon,wed") && todo.contexts == ["shop"] && todo.projects == ["home"])
        var change = TodoChange()
        change.title = "Buy " + String(repeating: "우유 ", count: 30)
        _ = try await store.edit(todo.id, change)
        let text = try await export(.ics)
        for line in [
            "UID:not-a-uuid@example.org", "DUE;TZID=America/New_York:20261201T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE",
            "PRIORITY:3",
            "X-OTHER;X-P=\"a:b\":kept", "TRIGGER:-PT15M", "TZID:America/New_York",
        ] { #expect(text.contains(line + "\r\n"), "\(line) in \(text)") }
        #expect(text.components(separatedBy: "SUMMARY").count == 2)
        #expect(!text.contains("Asia/Seoul") && text.components(separatedBy: "VTIMEZONE").count == 3)
        for line in text.components(separatedBy: "\r\n") { #expect(line.utf8.count <= 75) }
        let copy = try #require(TodoFileFormat.ics.parse(Array(text.utf8), clock: clock).records.first)
        #expect(copy.change.title == change.title?.trimmed)
        #expect(copy.uuid == todo.uuid)
    }

    /// Returns a calendar with one task of these lines.
    private func calendar(_ lines: String) -> String {
        "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nSUMMARY:a\n\(lines)\nEND:VTODO\nEND:VCALENDAR"
    }

    @Test(
        "Another due day is a revision, before which the start is; another title is none",
        arguments: [
            ("", "20261120", "20261119", 3), ("2026-11-21", "20261121", "20261119", 4),
            ("2026-11-20", "20261120", "20261119", 3), ("2026-11-19", "20261119", nil, 4),
            ("2026-11-18", "20261118", nil, 4),
        ] as [(String, String, String?, Int)]
    )
    func calendarRevision(day: String, due: String, start: String?, sequence: Int) async throws {
        let lines = "DTSTART;VALUE=DATE:20261119\nDUE;VALUE=DATE:20261120\nSEQUENCE:3\nRELATED-TO;RELTYPE=CHILD:c"
        _ = try await take(calendar(lines), .ics)
        var change = TodoChange()
        change.title = "b"
        change.due = Day(iso: day).map { .set($0) }
        _ = try await store.edit(try #require(try await store.todos().first).id, change)
        let text = try await export(.ics).components(separatedBy: "\r\n")
        #expect(text.filter { $0.hasPrefix("DUE") } == ["DUE;VALUE=DATE:" + due])
        #expect(text.filter { $0.hasPrefix("DTSTART") } == (start.map { ["DTSTART;VALUE=DATE:" + $0] } ?? []))
        #expect(text.contains("SEQUENCE:\(sequence)") && text.contains("SUMMARY:b"))
        #expect(text.contains("RELATED-TO;RELTYPE=CHILD:c"))
    }

    @Test("A cancelled task is closed and archived, and stays cancelled in an export")
    func calendarCancelled() async throws {
        _ = try await take(calendar("STATUS:CANCELLED"), .ics)
        let todo = try #require(try await store.todos().first)
        #expect(todo.isDone && todo.isArchived)
        #expect(try await export(.ics).contains("STATUS:CANCELLED"))
    }

    @Test("A todo with a rule of another program cannot be completed until it has another repetition or none")
    func calendarRule() async throws {
        for (index, value) in ["rec:1w", "rec:none"].enumerated() {
            // The second has its Tuesday in another zone, where it is still Monday.
            let rule = ["FREQ=YEARLY;BYMONTH=3", "FREQ=WEEKLY;BYDAY=TU"][index]
            let due = ["DUE;VALUE=DATE:20261201", "DUE;TZID=Asia/Seoul:20261201T040000"][index]
            let text = calendar("\(due)\nRRULE:\(rule)").replacing("UID:1", with: "UID:\(index)")
            let todo = try #require(try await take(text, .ics).todos.first)
            await #expect {
                try await store.complete([todo.id])
            } throws: {
                "\($0)".contains(rule) && "\($0)".contains("rec:none")
            }
            _ = try await store.edit(todo.id, TodoEntry(parsing: value, today: clock.today).change())
            let completed = try await store.complete([todo.id])
            #expect(completed.count == (value == "rec:1w" ? 2 : 1) && completed[0].isDone)
        }
    }

    @Test(
        "A repetition is exported with a start before its due time on the same day, and in no zone, where clocks do not change",
        arguments: [
            ("due:2026-12-01 15:00", "DTSTART:20261201T000000", "DUE:20261201T150000"),
            ("due:2026-12-01", "DTSTART:20261201T000000", "DUE:20261201T235900"),
            ("due:2026-12-01 0:00", "DTSTART:20261130T000000", "DUE:20261201T000000"),
            ("due:2026-12-01 23:59", "DTSTART:20261201T000100", "DUE:20261201T235900"),
            ("due:2026-12-01 t:2026-11-25", "DTSTART;VALUE=DATE:20261125", "DUE;VALUE=DATE:20261201"),
        ]
    )
    func calendarRepetition(line: String, start: String, due: String) async throws {
        let todo = try await store.add(TodoChange(quick: "pay rec:+1m \(line)", today: clock.today))
        let text = try await export(.ics)
        #expect(text.contains(start + "\r\n") && text.contains(due + "\r\n"), "\(text)")
        let copy = try #require(TodoFileFormat.ics.parse(Array(text.utf8), clock: clock).records.first)
        #expect(copy.change.due?.value == todo.due && copy.change.dueTime?.value == todo.dueTime)
        #expect(copy.change.threshold?.value == todo.threshold && copy.change.recurrence?.value == todo.recurrence)
    }

    // MARK: Invalid files

    @Test(
        "An invalid part of a file has its line, its column and what would be right",
        arguments: [
            (.todotxt, "ok\npay due:2026-02-30", 2, 5, "days 1 to 28"), (.todotxt, "ok\n\u{1B}[31m", 2, 1, "U+001B"),
            (.todotxt, "우유\u{202E}", 1, 3, "U+202E"), (.todotxt, "a\u{0}", 1, 2, "U+0000"),
            (.todotxt, "+only @labels", 1, 1, "say what is to be done"),
            (.markdown, "# x\n- [ ] a\n  - [ ] b due:2026-13-01", 3, 11, "1 to 12"),
            (.taskwarrior, "[{\"description\":\"a\"},\n {\"description\":}]", 2, 17, ""),
            (.taskwarrior, "[{\"description\":\"a\"},\n {\"due\":\"x\"}]", 2, 1, "description"),
            (.taskwarrior, "[{\"description\":\"a\",\"due\":\"20260230T000000Z\"}]", 1, 1, "20260309T150000Z"),
            (.taskwarrior, "{\"description\":\"a\",\"status\":\"opne\"}", 1, 1, "pending"),
            (.taskwarrior, "hello", 1, 1, ""),
            (
                .ics, "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nSUMMARY:a\nDUE:20260230\nEND:VTODO\nEND:VCALENDAR", 5, 5,
                "20260309"
            ),
            (.ics, "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1", 1, 1, "cut short"), (.ics, "hello", 1, 1, "colon"),
            (.ics, "", 1, 1, "VCALENDAR"),
            (.json, "{\"format\":\"pawkit-todos\",\"version\":2,\"todos\":[]}", 1, 1, "update it"),
            (.json, "{}", 1, 1, "pawkit-todos"), (.json, "[1,\n2", 2, 2, ""), (.csv, "", 1, 1, "use json"),
        ] as [(TodoFileFormat, String, Int, Int, String)]
    )
    func invalid(format: TodoFileFormat, text: String, line: Int, column: Int, hint: String) {
        check(format, Array(text.utf8), line, column, hint)
    }

    private func check(_ format: TodoFileFormat, _ bytes: [UInt8], _ line: Int, _ column: Int, _ hint: String) {
        let problem = format.parse(bytes, clock: clock).problems.first
        #expect(problem?.line == line && problem?.column == column, "\(String(describing: problem))")
        #expect(hint.isEmpty || problem?.message.contains(hint) == true, "\(String(describing: problem))")
    }

    @Test("A line that is not UTF-8, and one of 10 MB, are problems of their lines")
    func invalidBytes() {
        check(.todotxt, Array("a\nb".utf8) + [0xFF, 0x41], 2, 2, "UTF-8")
        check(.todotxt, [UInt8](repeating: 0x61, count: 10_000_000), 1, 1, "1048576 bytes")
    }

    @Test("Changed bytes of a file are todos or problems, never a crash", arguments: TodoFileFormat.importable)
    func hostile(format: TodoFileFormat) async throws {
        var generator = SeededGenerator()
        try await randomTodos(6, &generator)
        let todos = try await store.todos()
        let whole = format.bytes(todos, all: todos, clock: clock)
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
            let file = format.parse(bytes, clock: clock)
            for record in file.records { #expect(record.change.title?.isEmpty == false, "seed \(generator.seed)") }
        }
    }

    @Test("A million lines are parsed in seconds", .enabled(if: isLongRun))
    func millionLines() {
        let text = String(repeating: "(A) 2026-03-01 Call Mum +Family @phone due:2026-03-09\n", count: 1_000_000)
        #expect(TodoFileFormat.todotxt.parse(Array(text.utf8), clock: clock).records.count == 1_000_000)
    }

    @Test("CSV has a row for each todo, with quotation marks where they are required")
    func csv() async throws {
        _ = try await store.add(TodoChange(title: "say \"hi\", now", projects: ["home"], note: "a\nb"))
        let rows = try await export(.csv).components(separatedBy: "\r\n")
        #expect(rows.count == 3 && rows[1].contains("\"say \"\"hi\"\", now\",false,false,,home,"))
        #expect(rows[1].contains("\"a\nb\""))
    }
}
