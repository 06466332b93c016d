import Testing

@testable import TodoCore

@Suite("Quick entry")
struct QuickEntryTests {
    private let friday = Day(number: 20_777)

    @Test("Priority, project, contexts and due day are parsed from one line")
    func everything() throws {
        let draft = try TodoDraft(quick: "(b) Buy  milk +home @shop @town due:3d now", today: friday)
        #expect(draft.title == "Buy milk now")
        #expect(draft.priority == Priority("B"))
        #expect(draft.project == "home")
        #expect(draft.contexts == ["shop", "town"])
        #expect(draft.due == friday.adding(3))
    }

    @Test(
        "Ambiguous words stay in the title",
        arguments: [
            "call +82 10", "meet @3pm", "due:someday", "cost + tax", "a (A) b", "(AA) x", "due: x", "+ @",
        ]
    )
    func staysText(line: String) throws {
        let draft = try TodoDraft(quick: line, today: friday)
        #expect(draft.title == line)
        #expect(draft.priority == nil && draft.project == nil && draft.contexts.isEmpty && draft.due == nil)
    }

    @Test("A todo has several projects")
    func secondProject() throws {
        let draft = try TodoDraft(quick: "a +one +two", today: friday)
        #expect(draft.projects == ["one", "two"])
        #expect(draft.title == "a")
    }

    @Test("Tags without a title are refused")
    func onlyTags() {
        #expect(throws: TodoError.self) { try TodoDraft(quick: "+home due:today", today: friday) }
    }
}
