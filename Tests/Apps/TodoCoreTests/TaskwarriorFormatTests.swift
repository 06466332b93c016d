import Foundation
import LocalProvider
import Testing

@testable import TodoCore

@Suite("Files of taskwarrior")
struct TaskwarriorFormatTests {
    private let fixture: TodoFormatFixture

    init() throws { fixture = try TodoFormatFixture() }

    @Test("Unknown attributes of taskwarrior survive an import, a change and an export")
    func taskwarriorKeeps() async throws {
        let uuid = "8f796528-caf7-45b0-a72e-d51b42d3e53f"
        let task = """
            [{"id":3,"description":"Buy milk","entry":"20261122T145038Z","modified":"20261122T145038Z","priority":"H",\
            "project":"home kitchen","status":"pending","uuid":"\(uuid)","wait":"20261125T113000Z","tags":["errand"],\
            "annotations":[{"entry":"20261122T145038Z","description":"first note"}],"estimate":"3h","scores":[1,2.5],\
            "depends":["98bbed9d-8f2b-4dc0-a864-5cd81723be96"],"urgency":10.6}]
            """
        _ = try await fixture.take(task, .taskwarrior)
        let todo = try #require(try await fixture.store.todos().first)
        #expect(todo.project == "home-kitchen" && todo.note == "first note" && todo.priority == Priority("A"))
        #expect(todo.uuid?.uuidString.lowercased() == uuid && todo.dependencies.count == 1)
        _ = try await fixture.store.edit(todo.id, TodoChange { $0.title = "Buy oat milk" })
        let object = try JSONSerialization.jsonObject(with: Data(try await fixture.export(.taskwarrior).utf8))
        let fields = try #require((object as? [[String: Any]])?.first)
        #expect(fields["description"] as? String == "Buy oat milk")
        #expect(fields["estimate"] as? String == "3h" && (fields["scores"] as? [Double]) == [1, 2.5])
        #expect(fields["project"] as? String == "home kitchen" && fields["wait"] as? String == "20261125T113000Z")
        #expect(fields["id"] == nil && fields["urgency"] == nil)
        // Lines instead of an array.
        let lines = task.dropFirst().dropLast()
        #expect(try await fixture.take(String(lines), .taskwarrior).outcomes.map(\.fields) == [["title"]])
    }

    @Test(
        "Of a task that the fields represent exactly, nothing is stored beside them; of another one all, until a later import",
        arguments: [
            ("", ""), (#","estimate":"3h""#, #"{"estimate":"3h"}"#), (#","priority":"L","project":"home""#, ""),
            (#","due":"20261122T230000Z","project":"p","tags":["a","@b","+c"]"#, ""),
            (#","due":"20261122T230010Z""#, nil), (#","until":"20261231T225900Z""#, nil),
            (#","parent":"x""#, #"{"parent":"x"}"#),
            (#","due":"99991231T235959Z","wait":"00010101T000000Z""#, nil),
            (#","priority":"X""#, nil), (#","project":"two words""#, nil),
            (#","wait":"20261125T113000Z""#, nil), (#","tags":["a","a"]"#, nil), (#","depends":"x""#, nil),
        ]
    )
    func taskwarriorExtras(attributes: String, extras: String?) async throws {
        let start = #""description":"milk","entry":"20261122T145038Z""#
        let end = #""status":"pending","uuid":"8f796528-caf7-45b0-a72e-d51b42d3e53f""#
        let task = "{\(start)\(attributes),\(end)}"
        _ = try await fixture.take(task, .taskwarrior)
        func stored() async throws -> String? { try await fixture.store.todos().first?.extras["taskwarrior"] }
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
        #expect(try members(try await fixture.export(.taskwarrior)) == members(task))
        // What an earlier import has stored does not return.
        let plain = "{\(start),\(end)}"
        _ = try await fixture.take(plain, .taskwarrior)
        #expect(try await stored() == nil)
        #expect(try members(try await fixture.export(.taskwarrior)) == members(plain))
    }

    @Test("Annotations have their times in the note, and each line keeps its time when others are edited")
    func taskwarriorAnnotations() async throws {
        func annotation(_ time: String, _ text: String) -> String { #"{"description":"\#(text)","entry":"\#(time)"}"# }
        let old = [annotation("20261120T101112Z", "first"), annotation("20261122T150017Z", "called")]
        let task = """
            [{"description":"ring","entry":"20261120T101112Z","uuid":"8f796528-caf7-45b0-a72e-d51b42d3e53f",\
            "annotations":[\(old.joined(separator: ","))],"status":"pending"}]
            """
        _ = try await fixture.take(task, .taskwarrior)
        let todo = try #require(try await fixture.store.todos().first)
        let called = TodoAnnotation.line(
            "called",
            at: Date(timeIntervalSince1970: 1_795_359_617),
            zone: fixture.clock.zone
        )
        #expect(todo.note == "first\n\(called)")
        var change = TodoChange { $0.note = .set("changed\n\(called)") }
        let later = Date(timeIntervalSince1970: 1_795_449_600)
        change.addedNote = TodoAnnotation.line("called again", at: later, zone: fixture.clock.zone)
        _ = try await fixture.store.edit(todo.id, change)
        let text = try await fixture.export(.taskwarrior)
        let expected = [
            annotation("20261120T101112Z", "changed"), old[1], annotation("20261123T160000Z", "called again"),
        ]
        #expect(text.contains("\"annotations\":[\(expected.joined(separator: ","))]"), "\(text)")
        #expect(try await fixture.take(text, .taskwarrior).outcomes.map(\.fields) == [[]])
    }

    @Test(
        "The text of a repetition counts while taskwarrior's means it",
        arguments: [
            (#","recur":"weekly","due":"20261122T230000Z""#, "1w"), (#","recur":"7d","due":"20261122T230000Z""#, "+7d"),
            (#","recur":"1w","due":"20261122T230000Z""#, "1w"),
            (#","recur":"monthly","due":"20261122T230000Z""#, "+1m"),
            (#","recur":"2q","due":"20261122T230000Z""#, "+6m"), (#","due":"20261122T230000Z""#, nil),
            ("", "1w"), (#","due":"20261122T230000Z","end":"20261122T145038Z""#, "1w"),
        ] as [(String, String?)]
    )
    func taskwarriorRepetition(attributes: String, expected: String?) async throws {
        let task = #"{"description":"milk","status":"pending","pawkit_recurrence":"1w"\#(attributes)}"#
        #expect(try await fixture.take(task, .taskwarrior).todos.first?.recurrence?.description == expected)
    }

    @Test("A recurring task is one todo with the fields of its earliest open instance, and all are exported again")
    func taskwarriorRecurrence() async throws {
        let lines = """
            {"uuid":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","description":"water","status":"recurring","recur":"weekly","due":"20261120T230000Z","mask":"+-"}
            {"uuid":"8f796528-caf7-45b0-a72e-d51b42d3e53f","description":"water","status":"completed","end":"20261121T080000Z","parent":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","due":"20261120T230000Z","imask":0}
            {"uuid":"0e1b8d32-4a5f-4a35-8d3b-4a3c5a4f3b11","description":"water","status":"pending","parent":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","due":"20261204T230000Z","recur":"weekly","imask":2}
            {"uuid":"bdcf3d31-a1f1-4c6d-9532-74532df2a6de","description":"water","status":"pending","parent":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","due":"20261127T230000Z","recur":"weekly","imask":1,"priority":"H","start":"20261122T145038Z"}
            {"uuid":"a3e1bd0c-7e0d-4c7e-b9a2-5f7e25c5a1d4","description":"water","status":"pending","parent":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","due":"20261211T230000Z","recur":"weekly","imask":3}
            {"uuid":"c5b8c0de-5a0c-4bd3-9d25-0f4a3b1f7c11","description":"after","status":"pending","depends":["bdcf3d31-a1f1-4c6d-9532-74532df2a6de"]}
            """
        _ = try await fixture.take(lines, .taskwarrior)
        let open = try await fixture.store.todos().filter { !$0.isDone && $0.title == "water" }
        #expect(open.map(\.recurrence) == [Recurrence("+1w")])
        #expect(open.first?.due?.description == "2026-11-28")
        let water = try #require(open.first)
        #expect(water.priority == Priority("A") && water.started != nil)
        func waiting() async throws -> [UUID] { try await fixture.store.todos().flatMap(\.dependencies) }
        #expect(try await fixture.store.todos().count == 3)
        #expect(try await waiting() == [water.uuid])
        let text = try await fixture.export(.taskwarrior)
        #expect(text.contains(#""mask":"+-""#) && text.contains(#""depends":["bdcf3d31-"#), "\(text)")
        #expect(text.split(separator: "\n").count == 8 && !text.contains("pawkit_instances"), "\(text)")
        let second = try await fixture.take(text, .taskwarrior)
        #expect(second.outcomes.map(\.kind) == [.unchanged, .unchanged, .unchanged])
        // taskwarrior refuses a series without `recur`, and would show an instance that stays open.
        _ = try await fixture.store.complete([water.id])
        let completed = try await fixture.export(.taskwarrior)
        let tasks = completed.split(separator: "\n").compactMap {
            TaskwarriorTask(parsing: $0.hasSuffix(",") ? String($0.dropLast()) : String($0))
        }
        func state(_ uuid: String) -> String? { tasks.first { $0.text(.uuid)?.hasPrefix(uuid) == true }?.text(.status) }
        #expect(
            ["4ffbe844", "bdcf3d31", "0e1b8d32", "a3e1bd0c"].map(state) == [
                "completed", "completed", "deleted", "deleted",
            ]
        )
        #expect(tasks.first { $0.text(.uuid) == water.uuid?.text }?.text(.recur) == "weekly")
        let third = try await fixture.take(completed, .taskwarrior)
        #expect(third.outcomes.map(\.kind) == Array(repeating: .unchanged, count: 4))
        #expect(try await waiting() == [water.uuid])
    }

    @Test("A series whose repetition was removed or passed to the next todo stays one for taskwarrior")
    func taskwarriorSeries() async throws {
        let line =
            #"{"uuid":"4ffbe844-aad7-4232-968c-d4d21cc2fd4c","description":"a","status":"recurring","recur":"4hours","due":"20261120T230000Z"}"#
        let todo = try #require(try await fixture.take(line, .taskwarrior).todos.first)
        // A repetition without a next todo does not end with the first completion.
        await #expect {
            try await fixture.store.complete([todo.id])
        } throws: {
            "\($0)".contains("4hours")
        }
        _ = try await fixture.store.edit(todo.id, TodoChange { $0.recurrence = .clear })
        let other = try await fixture.store.add(
            TodoChange(quick: "b rec:+1w due:2026-12-01", today: fixture.clock.today)
        )
        _ = try await fixture.store.complete([other.id])
        let text = try await fixture.export(.taskwarrior)
        #expect(
            text.contains(#""recur":"4hours""#) && text.split(separator: #""recur":"weekly""#).count == 3,
            "\(text)"
        )
        #expect(text.split(separator: #""pawkit_recurrence":"none""#).count == 3, "\(text)")
        #expect(
            try await fixture.take(text, .taskwarrior).outcomes.map(\.kind) == Array(repeating: .unchanged, count: 3)
        )
        #expect(try await fixture.store.complete([todo.id]).count == 1)
    }

    @Test(
        "A time that taskwarrior cannot have is in an attribute of the app, which counts until taskwarrior sets another",
        arguments: ["1979-12-31", "1979-12-31 15:00", "0001-01-01 00:00", "9999-12-31 23:59"]
    )
    func taskwarriorTimes(due: String) async throws {
        var change = try TodoChange(quick: "milk due:\(due) rec:+1w", today: fixture.clock.today)
        change.threshold = change.due
        let zone = try #require(Zone(named: "America/New_York"))
        let clock = TodoClock(zone: zone, now: fixture.clock.now)
        let todo = try Todo(id: TodoID(serial: 1), change, now: clock.now())
        var text = String(decoding: TodoFileFormat.taskwarrior.bytes([todo], all: [], clock: clock), as: UTF8.self)
        #expect(!text.contains(#""due":"#) && !text.contains("recurring"))
        var record = try #require(TodoFileFormat.taskwarrior.parse(Array(text.utf8), clock: clock).records.first)
        #expect(record.change.due == change.due && record.change.dueTime ?? .clear == change.dueTime ?? .clear)
        #expect(record.change.recurrence == change.recurrence && record.change.threshold == change.threshold)
        text = text.replacing(#""description""#, with: #""due":"20261122T230000Z","description""#)
        record = try #require(TodoFileFormat.taskwarrior.parse(Array(text.utf8), clock: clock).records.first)
        #expect(record.change.due?.value?.description == "2026-11-22")
    }

    @Test("Of dependencies by which a task would wait for itself, the last one is left out and named", arguments: 1...3)
    func taskwarriorCycle(length: Int) async throws {
        let uuids = (0..<length).map { "8f796528-caf7-45b0-a72e-d51b42d3e53\($0)" }
        func task(_ index: Int, after other: Int?) -> String {
            let depends = other.map { #","depends":["\#(uuids[$0])"]"# } ?? ""
            return #"{"description":"\#(index)","uuid":"\#(uuids[index])"\#(depends)}"#
        }
        let file = uuids.indices.map { task($0, after: ($0 + 1) % length) }.joined(separator: "\n")
        let cut = try await fixture.take(file, .taskwarrior).outcomes.map(\.cutDependencies)
        #expect(cut == Array(repeating: [], count: length - 1) + [["0"]])
        #expect(try await fixture.store.todos().flatMap(\.dependencies).count == length - 1)
        // A link that is in the store already stays, and the new one is left out.
        let second = try await fixture.take(task(length - 1, after: 0), .taskwarrior)
        #expect(second.outcomes.map(\.cutDependencies) == [["0"]] && second.step == nil)
    }
}
