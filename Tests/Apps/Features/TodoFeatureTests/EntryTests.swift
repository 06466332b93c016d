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
        #expect(chips("pay parent:k7f2 after:p3q4 after:r5s6") == ["↳ k7f2", "⊘ p3q4", "⊘ r5s6"])
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
        let preview = EntryPreview()
        preview.show("pay", today: .sample, language: .english)
        let oneRow = preview.intrinsicContentSize
        for (text, isOneRow) in [(line, false), ("pay +home", true), (line, false)] {
            preview.show(text, today: .sample, language: .english)
            #expect((preview.intrinsicContentSize == oneRow) == isOneRow)
        }
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
            ("pay due:tom|", "pay due:tomorrow |", ["due:tomorrow "]),
            ("a due:t| b", "a due:thursday| b", ["due:today", "due:tomorrow", "due:tuesday", "due:thursday"]),
            (
                "a due:12|", "a due:12개월 뒤 |",
                ["due:12d ", "due:12w ", "due:12m ", "due:12일 뒤 ", "due:12주 뒤 ", "due:12개월 뒤 "]
            ),
            ("a due:모|", "a due:모레 |", ["due:모레 "]), ("a t:-2|", "a t:-2d |", ["t:-2d "]),
            ("a t:eo|", "a t:eom |", ["t:eow ", "t:eom "]), ("a due:today|", nil, []), ("a due:2026-|", nil, []),
            ("http:|", nil, []),
        ] as [(String, String?, [String])]
    )
    func completion(line: String, completed: String?, names: [String]) throws {
        let todos = try [todo("a +home @shop #cheap"), todo("b +home +house")]
        let known = EntryCompletions(snapshot: TodoSnapshot(todos), today: .sample, language: .english)
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let list = known.list(parts.joined(), caret: parts[0].count)
        #expect(list?.items.map(\.text) ?? [] == names)
        guard let list, let last = list.items.last else {
            #expect(completed == nil)
            return
        }
        var characters = Array(parts.joined())
        characters.replaceSubrange(list.range, with: Array(last.text + "|"))
        #expect(String(characters) == completed)
    }

    @Test("The dates of a menu have their days, in the language of the screen, and it begins with the nearest ones")
    func dates() throws {
        let english = EntryCompletions(snapshot: TodoSnapshot([]), today: .sample, language: .english)
        let list = try #require(english.list("a due:", caret: 6))
        #expect(list.items.prefix(4).map(\.text) == ["due:today ", "due:tomorrow ", "due:sunday ", "due:monday "])
        #expect(list.items.prefix(2).map(\.detail) == ["Fri 20 Mar", "Sat 21 Mar"])
        #expect(list.items.suffix(3).map(\.text) == ["due:next week ", "due:eow ", "due:eom "])
        let korean = EntryCompletions(snapshot: TodoSnapshot([]), today: .sample, language: .korean)
        let items = try #require(korean.list("a t:", caret: 4)).items
        #expect(items.prefix(4).map(\.text) == ["t:오늘 ", "t:내일 ", "t:모레 ", "t:월요일 "])
        #expect(items.first?.detail == "3월 20일 금요일" && items.last?.text == "t:월말 ")
        for item in items + list.items { #expect(try TodoEntry(parsing: item.text, today: .sample).problems.isEmpty) }
    }

    @Test("A parent and a todo to wait for are chosen by a part of the title or by the ID, open ones in display order")
    func todoMenu() throws {
        let todos = try ["(A) 우유 사기", "Bake bread", "(B) Buy milk", "old milk"].enumerated().map { number, line in
            var todo = try Todo(line: line, serial: UInt64(number + 1))
            if number == 3 { todo.completed = .sample }
            return todo
        }
        var completions = EntryCompletions(snapshot: TodoSnapshot(todos), today: .sample, language: .english)
        func titles(_ line: String) -> [String] { completions.list(line, caret: line.count)?.items.map(\.detail) ?? [] }
        #expect(titles("flour parent:") == ["우유 사기", "Buy milk", "Bake bread"])
        #expect(titles("flour parent:MILK") == ["Buy milk"] && titles("flour after:우유") == ["우유 사기"])
        #expect(titles("flour after:\(todos[1].id)").isEmpty && titles("a parent:zzzzz").isEmpty)
        #expect(titles("flour after:\("\(todos[1].id)".dropLast())") == ["Bake bread"])
        // In a field of a form the words have no keys, and a complete one has no suggestions.
        #expect(completions.list("milk", caret: 4, of: "after:")?.items.map(\.text) == ["\(todos[2].id)"])
        for line in ["\(todos[2].id)", "\(todos[2].id) ", ""] {
            #expect(completions.list(line, caret: line.count, of: "after:") == nil, "\(line)")
        }
        completions.edited = todos[0].id
        #expect(titles("flour parent:") == ["Buy milk", "Bake bread"])
        #expect(completions.list("x after:milk", caret: 12)?.items.first?.text == "after:\(todos[2].id) ")
        // The edited todo takes no place of the fifty.
        let many = try (1...52).map { try Todo(line: "same", serial: UInt64($0)) }
        completions = EntryCompletions(snapshot: TodoSnapshot(many), today: .sample, language: .english)
        let shown = completions.list("parent:same", caret: 11)?.items.first?.text
        completions.edited = many.first { shown?.contains("\($0.id)") == true }?.id
        #expect(completions.edited != nil && titles("parent:same").count == 50)
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
        // A threshold that counts from no day removes none.
        #expect(throws: TodoError.self) { try edit.change(to: "milk due:none t:-2d", today: .sample) }
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
