import AppTestSupport
import Foundation
import TestSupport
import Testing

@testable import TodoCore

@Suite("One line for a todo")
struct TodoEntryTests {
    /// Wednesday, 18 November 2026.
    private let today = Day(number: 20_775)

    @Test("The whole grammar in one line, in English and Korean")
    func everything() throws {
        let line = "(A) 우유 사기 +home +cellar @shop #cheap due:fri 15:00 rec:+1w t:-2d parent:k7f2 size:big"
        let entry = try TodoEntry(parsing: line, today: today)
        let todo = try Todo(line: line, today: today)
        #expect(todo.title == "우유 사기 size:big")
        #expect(todo.priority == Priority("A"))
        #expect(todo.projects == ["home", "cellar"] && todo.contexts == ["shop"] && todo.tags == ["cheap"])
        #expect(todo.due?.description == "2026-11-20" && todo.dueTime == TimeOfDay(hour: 15))
        #expect(todo.threshold?.description == "2026-11-18")
        #expect(todo.recurrence == Recurrence("+1w"))
        #expect(entry.parent == .set("k7f2"))
        #expect(entry.problems.isEmpty)
        // Of two values the first one counts, and the second one stays text.
        let twice = "a due:fri due:sat t:1d t:2d rec:1w rec:2w pri:B pri:C parent:k7f2 parent:k7f3"
        let first = try TodoEntry(parsing: twice, today: today)
        let kept = try Todo(line: twice, today: today)
        #expect(kept.title == "a due:sat t:2d rec:2w pri:C parent:k7f3" && first.parent == .set("k7f2"))
        #expect(kept.due?.description == "2026-11-20" && kept.threshold?.description == "2026-11-19")
        #expect(kept.recurrence == Recurrence("1w") && kept.priority == Priority("B"))
        #expect(try Todo(line: "회의 due:다음 주 월요일 오후 3시 준비", today: today).title == "회의 준비")
        // Words behind a date that can be dates, but hardly are, are a title.
        for title in [
            "3d printer", "2nd draft", "1-1 with Bob", "may rain", "5 pages", "목 검사", "월말 정산", "3월 보고서", "전 부치기",
        ] {
            let entry = try TodoEntry(parsing: "due:tomorrow \(title)", today: today)
            #expect(entry.title == title && entry.due == .set(today.adding(1)) && entry.problems.isEmpty)
        }
        // Nor is a distance part of a weekday, whether or not it leads there.
        for days in 1...7 {
            let line = try Todo(line: "due:fri \(days)d printer", today: today)
            #expect(line.title == "\(days)d printer" && line.due?.description == "2026-11-20")
        }
        for title in ["the report", "first aid", "목 검사", "last call", "5 pages", "3월 보고서"] {
            let entry = try TodoEntry(parsing: "rec:weekly \(title)", today: today)
            #expect(entry.title == title && entry.recurrence != nil && entry.problems.isEmpty)
        }
    }

    @Test("The pieces cover every word, in order, with its meaning")
    func pieces() throws {
        let line = "  (B) milk due:next week @shop due:never"
        let entry = try TodoEntry(parsing: line, today: today)
        let characters = Array(line)
        let parts = entry.pieces.map { (String(characters[$0.range]), $0.kind) }
        #expect(parts.map(\.0) == ["(B)", "milk", "due:next week", "@shop", "due:never"])
        #expect(parts.map(\.1) == [.priority, .text, .due, .context, .text])
    }

    @Test(
        "A word that looks like a field but has no valid value is a problem with its column, and stays text",
        arguments: [
            ("pay due:2026-02-30", 5, "days 1 to 28"), ("pay due:tomorow", 5, "\"tomorrow\""),
            ("pay rec:often", 5, "daily, weekly"), ("pay pri:AA", 5, "A to Z"), ("우유 t:2026-13-01", 4, "1 to 12"),
            ("a parent:#1", 3, "k7f2"), ("a t:fri 15:00", 3, "without a time"),
            ("우유 due:이번 달 31일", 4, "days 1 to 30"), ("a due:3d ago", 3, "\"ago\""), ("a due:3일 전 발표", 3, "\"전\""),
            ("a due:5일 이내", 3, "\"이내\""), ("a due:fri tomorrow", 3, "is a Thursday"),
            ("a due:fri 27 mar", 3, "is a Saturday"),
            ("a due:next month 15", 3, "\"15\""), ("a due:내일 3월 1일 회의", 3, "\"3월 1일\""),
            ("a due:eom in 2 weeks", 3, "2 weeks"), ("a due:friday the 27th", 3, "\"27th\""),
            ("a due:fri 15:00-16:00", 3, "\"15:00-16:00\""), ("a due:fri 3-5pm call", 3, "\"3-5pm\""),
            ("a due:내일 오후 3시~5시", 3, "\"오후 3시~5시\""),
            ("a due:fri 25:00 call", 3, "not a time"), ("a due:내일 25시", 3, "not a time"),
            ("a t:tomorow", 3, "\"tomorrow\""), ("a t:-1m", 3, "-1w"), ("a t:fri sat", 3, "is a Saturday"),
            ("a rec:weekly until fri", 3, "\"until fri\""), ("a rec:매주 5번", 3, "\"5번\""),
            ("a rec:매주 5회", 3, "\"5회\""), ("a rec:매년 3월 1일", 3, "\"3월 1일\""),
            ("a rec:매월 둘째 주 화요일", 3, "\"둘째 주\""), ("a rec:weekly the last fri", 3, "\"the last\""),
        ] as [(String, Int, String)]
    )
    func problems(line: String, column: Int, hint: String) throws {
        let entry = try TodoEntry(parsing: line, today: today)
        #expect(entry.title == line)
        #expect(entry.problems.map(\.column) == [column])
        #expect(entry.problems.first?.message.contains(hint) == true)
    }

    @Test("`none` removes a value in an edit; fields that are not named stay")
    func edit() throws {
        let entry = try TodoEntry(parsing: "due:none pri:none rec:none t:none parent:none", today: today)
        var todo = try Todo(line: "(A) milk +home due:fri 9:00 rec:1w t:-1d", today: today)
        try entry.change(due: todo.due).apply(to: &todo)
        #expect(todo.title == "milk" && todo.projects == ["home"])
        #expect(todo.due == nil && todo.dueTime == nil && todo.priority == nil && todo.recurrence == nil)
        #expect(todo.threshold == nil)
        // Without a due day to count from, it is an error, and removes nothing.
        for (line, due) in [("t:-2d", nil), ("due:none t:-2d", today)] as [(String, Day?)] {
            let entry = try TodoEntry(parsing: line, today: today)
            #expect(throws: TodoError.self) { try entry.checkThreshold(due: due) }
            #expect(entry.change(due: due).threshold == nil)
        }
        #expect(throws: TodoError.self) { try TodoChange(quick: "a t:-2d", today: today) }
        let first = try TodoChange(quick: "a due:0001-01-01 t:-2d", today: today)
        #expect(first.threshold?.value?.description == "0001-01-01", "an earlier day cannot be written")
    }

    @Test("Every line of random words becomes a todo that has all its words, or an error")
    func nothingIsLost() throws {
        var generator = SeededGenerator()
        let words = [
            "milk", "(A)", "+home", "@shop", "#x", "due:fri", "due:", "due:x", "15:00", "t:-2d", "rec:1w", "rec:x",
            "pri:B",
            "next", "week", "due:next", "a:b", "http://x.org", "+", "@3pm", "parent:k7f2", "우유", "due:3일", "뒤", "x",
        ]
        for _ in 0..<5_000 {
            let line = (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in
                words.randomElement(using: &generator)
            }.joined(separator: " ")
            let entry = try TodoEntry(parsing: line, today: today)
            let characters = Array(line)
            let all = entry.pieces.map { String(characters[$0.range]) }.joined(separator: " ")
            #expect(all == line, "seed \(generator.seed)")
            let text = entry.pieces.filter { $0.kind == .text || $0.kind == .problem }.map {
                String(characters[$0.range])
            }
            #expect(entry.title == text.joined(separator: " "), "seed \(generator.seed): \(line)")
        }
    }

    @Test("Links are found in the title and the note, without the punctuation around them")
    func links() throws {
        let draft = try TodoChange(
            title: "read https://example.org/a_(b), now",
            note: "<http://example.com/x?y=1>. mailto:a@b.c https://"
        )
        let todo = try Todo(id: TodoID(serial: 0), draft, now: .now)
        #expect(todo.links == ["https://example.org/a_(b)", "http://example.com/x?y=1", "mailto:a@b.c"])
    }
}
