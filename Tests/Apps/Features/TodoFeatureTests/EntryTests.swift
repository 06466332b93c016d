import AppLanguage
import AppTestSupport
import TerminalUI
import Testing
import TodoCore

@testable import TodoFeature

@Suite("The line of a todo")
@MainActor
struct EntryTests {
    private func todo(_ line: String) throws -> Todo { try Todo(line: line) }

    private func chips(_ line: String, _ language: AppLanguage = .english) -> [String] {
        let preview = EntryPreview()
        preview.show(line, today: .sample, language: language)
        return preview.parts.map(\.text)
    }

    @Test("The fields of the typed line are chips, before it is entered, in both languages")
    func chips() {
        #expect(
            chips("(A) 우유 사기 +home2 @shop due:tomorrow 15:00 rec:1w t:-2d #cheap pay") == [
                "(A)", "▸ tomorrow 15:00", "from yesterday", "↻ every week", "+home2", "@shop", "#cheap",
            ]
        )
        #expect(chips("우유 due:내일", .korean) == ["▸ 내일"])
        #expect(chips("buy milk").isEmpty)
    }

    @Test(
        "What looks like a field but is not one is reported before the line is entered",
        arguments: [
            ("pay due:2026-02-30", "2026-02 has the days 1 to 28", "달력에 없는 날짜"),
            ("pay due:soon", "is not a date", "날짜가 아닙니다"),
            ("pay rec:often", "is not a recurrence", "반복이 아닙니다"),
            ("pay pri:1", "is not a priority", "우선순위가 아닙니다"),
        ] as [(String, String, String)]
    )
    func problems(line: String, english: String, korean: String) {
        #expect(chips(line).first?.hasPrefix("! ") == true)
        #expect(chips(line).first?.contains(english) == true, "\(chips(line))")
        #expect(chips(line, .korean).first?.contains(korean) == true, "\(chips(line, .korean))")
    }

    @Test(
        "The word at the caret is completed anywhere in the line, the most frequent name first",
        arguments: [
            ("milk +ho|", "milk +house |", ["+home ", "+house "]),
            ("milk +ho| @shop", "milk +house| @shop", ["+home", "+house"]),
            ("+h| 우유", "+house| 우유", ["+home", "+house"]), ("우유 @s|x y", "우유 @shop| y", ["@shop"]),
            ("a #|", "a #cheap |", ["#cheap "]), ("milk +home|", nil, []), ("milk|", nil, []), ("milk +ho |", nil, []),
            ("|+ho", nil, []), ("a|", nil, []), ("|", nil, []),
        ] as [(String, String?, [String])]
    )
    func completion(line: String, completed: String?, names: [String]) throws {
        let known = TodoNames(projects: ["home", "house"], contexts: ["shop"], tags: ["cheap"])
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let list = known.completions(in: parts.joined(), caret: parts[0].count)
        #expect(list?.items.map(\.text) ?? [] == names)
        guard let list, let last = list.items.last else {
            #expect(completed == nil)
            return
        }
        var characters = Array(parts.joined())
        characters.replaceSubrange(list.range, with: Array(last.text + "|"))
        #expect(String(characters) == completed)
    }

    @Test("The line of a todo reads as the same todo, and its edit changes what the edit changes")
    func lineEdit() throws {
        let todo = try todo("(B) buy oat milk +home @shop #cheap due:2026-03-25 15:00 t:2026-03-24 rec:+1w")
        let edit = TodoLineEdit(todo)
        #expect(try edit.change(to: edit.line, today: .sample).isEmpty)
        let read = try self.todo(edit.line)
        #expect(TodoDifference.between(todo, read).isEmpty)
        var change = try edit.change(to: "buy milk +home +work due:2026-03-25", today: .sample)
        #expect(change.title == "buy milk" && change.priority == .clear && change.projects == ["home", "work"])
        #expect(change.contexts == [] && change.tags == [] && change.recurrence == .clear)
        #expect(change.due == .set(try #require(todo.due)) && change.dueTime == .clear)
        change = try edit.change(to: edit.line.replacing("2026-03-25 15:00", with: "tomorrow"), today: .sample)
        #expect(change.due == .set(Day.sample.adding(1)))
        #expect(throws: TodoError.self) { try edit.change(to: "+home", today: .sample) }
    }

    @Test("Words of a title that look like fields stay in the title when other parts of the line change")
    func literalTitle() throws {
        var todo = try todo("mail +home")
        todo.title = "ask about +plus due:someday"
        let edit = TodoLineEdit(todo)
        let change = try edit.change(to: edit.line + " @desk", today: .sample)
        var wanted = TodoChange()
        wanted.contexts = ["desk"]
        #expect(change == wanted)
        // A label of an import may begin with a digit, which a typed word must not.
        todo.title = "pay"
        (todo.projects, todo.tags) = (["2024"], ["1st"])
        wanted = TodoChange()
        wanted.title = "pay now"
        #expect(try TodoLineEdit(todo).change(to: "pay now +2024 #1st", today: .sample) == wanted)
        wanted.tags = []
        #expect(try TodoLineEdit(todo).change(to: "pay now +2024", today: .sample) == wanted)
    }
}
