import AppTestSupport
import Foundation
import Testing

@testable import TodoCore

@Suite("Todo form")
struct TodoFormTests {
    private let today = Day(number: 20_777)

    private func todo() throws -> Todo {
        let draft = try TodoChange(
            title: "a +two",
            priority: Priority("C"),
            projects: ["one"],
            contexts: ["desk"],
            due: today,
            note: "n"
        )
        return try Todo(id: TodoID(serial: 3), draft, now: Date(timeIntervalSince1970: 0))
    }

    @Test("Unchanged fields change nothing, whatever the title looks like")
    func untouched() throws {
        let todo = try todo()
        #expect(try TodoForm(todo).change(from: todo, today: today).isEmpty)
    }

    @Test("Each field changes its own value and no other")
    func eachField() throws {
        let todo = try todo()
        var fields = TodoForm(todo)
        fields.due = "3d"
        #expect(try fields.change(from: todo, today: today) == TodoChange { $0.due = .set(today.adding(3)) })
        fields = TodoForm(todo)
        fields.contexts = " shop  @town "
        var changed = todo
        try fields.change(from: todo, today: today).apply(to: &changed)
        #expect(changed.contexts == ["shop", "town"])
        #expect(changed.title == todo.title)
    }

    @Test("The field of the due day also takes a time of day")
    func dueTime() throws {
        let todo = try todo()
        var fields = TodoForm(todo)
        fields.due = "3d 15:00"
        var changed = todo
        try fields.change(from: todo, today: today).apply(to: &changed)
        #expect(changed.due == today.adding(3) && changed.dueTime == TimeOfDay(hour: 15))
    }

    @Test("An emptied field removes the value")
    func emptied() throws {
        let todo = try todo()
        var fields = TodoForm(todo)
        (fields.priority, fields.project, fields.contexts, fields.due, fields.note) = ("", " ", "", "", "")
        var changed = todo
        try fields.change(from: todo, today: today).apply(to: &changed)
        #expect(changed.priority == nil && changed.project == nil && changed.due == nil && changed.note == nil)
        #expect(changed.contexts.isEmpty)
    }

    @Test(
        "An invalid field is reported with the valid form",
        arguments: [
            ("priority", "AA", "A to Z"), ("due", "someday", "2026-03-09"), ("threshold", "3d 15:00", "without a time"),
            ("title", "", "say what is to be done"),
            ("project", "two words", "two-words"), ("note", "a\u{7}", "U+0007"),
        ]
    )
    func wrong(field: String, value: String, hint: String) throws {
        let todo = try todo()
        var fields = TodoForm(todo)
        switch field {
        case "priority": fields.priority = value
        case "due": fields.due = value
        case "threshold": fields.threshold = value
        case "title": fields.title = value
        case "project": fields.project = value
        default: fields.note = value
        }
        #expect { try fields.change(from: todo, today: today) } throws: { "\($0)".contains(hint) }
    }
}
