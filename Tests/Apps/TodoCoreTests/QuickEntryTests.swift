import AppTestSupport
import Testing

@testable import TodoCore

@Suite("Quick entry")
struct QuickEntryTests {
    private let friday = Day(number: 20_777)

    @Test("Priority, project, contexts and due day are parsed from one line")
    func everything() throws {
        let todo = try Todo(line: "(b) Buy  milk +home @shop @town due:3d now", today: friday)
        #expect(todo.title == "Buy milk now")
        #expect(todo.priority == Priority("B"))
        #expect(todo.project == "home")
        #expect(todo.contexts == ["shop", "town"])
        #expect(todo.due == friday.adding(3))
    }

    @Test(
        "Ambiguous words stay in the title",
        arguments: [
            "call +82 10", "meet @3pm", "due:someday", "cost + tax", "a (A) b", "(AA) x", "due: x", "+ @",
        ]
    )
    func staysText(line: String) throws {
        let todo = try Todo(line: line, today: friday)
        #expect(todo.title == line)
        #expect(todo.priority == nil && todo.project == nil && todo.contexts.isEmpty && todo.due == nil)
    }

    @Test("A todo has several projects")
    func secondProject() throws {
        let todo = try Todo(line: "a +one +two", today: friday)
        #expect(todo.projects == ["one", "two"])
        #expect(todo.title == "a")
    }

    @Test("Tags without a title are refused")
    func onlyTags() {
        #expect(throws: TodoError.self) { try TodoChange(quick: "+home due:today", today: friday) }
    }
}
